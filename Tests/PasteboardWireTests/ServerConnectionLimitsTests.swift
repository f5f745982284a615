import LinuxSystem
import PasteboardWire
import SystemPackage
import Testing

struct ServerConnectionLimitsTests {
    @Test("An endless message is refused once it exceeds the limit")
    func endless() throws {
        let peer = try RawPeer()
        let piece = [UInt8](repeating: UInt8(ascii: "["), count: 65_536)
        var sent = 0
        #expect(throws: WireFault.messageTooLong(limit: 4 << 20)) {
            while sent < 100 << 20 {
                try peer.send(piece)
                sent += piece.count
                _ = try peer.server.nextCall()
            }
        }
        #expect(sent <= (4 << 20) + 3 * piece.count)
    }

    @Test("A client that sends calls without reading replies must wait")
    func unreadReplies() throws {
        var limits = WireLimits()
        limits.messageBytes = 1_000
        let peer = try RawPeer(limits: limits)
        let call = wire(#"{"method":"a.B"}|"#)
        try peer.send(call)
        _ = try peer.server.nextCall()
        var calls = 1
        while try UnixSocket.send(call[...], to: peer.socket.fileDescriptor, waits: false) == call.count {
            calls += 1
            try peer.server.receive()
        }
        #expect(!peer.server.wantsInput)
        #expect(!peer.server.isEndOfStream)
        // No call is lost while the buffer is refilled between replies.
        peer.server.reply(NoParameters())
        var answered = 1
        while answered < calls {
            try peer.server.receive()
            answered += try peer.answerAll().count
            _ = try peer.received()
        }
        #expect(answered == calls)
        #expect(peer.server.wantsInput)
    }

    @Test("No further call is taken while the replies to a client are unread")
    func unread() throws {
        let peer = try RawPeer()
        let reply = Methods.Read.Reply(data: String(repeating: "x", count: 300_000))
        let call = wire(#"{"method":"a.B"}|"#)
        try peer.send(call + call + call + call)
        var taken = 0
        while try peer.server.nextCall() != nil {
            taken += 1
            peer.server.reply(reply)
        }
        #expect(taken < 4)
        #expect(peer.server.hasUnsent)
        while taken < 4 {
            _ = try peer.received()
            if try peer.server.nextCall() != nil {
                taken += 1
                peer.server.reply(reply)
            }
        }
    }

    @Test("An unread stream ends the connection when too much of it is queued")
    func unreadStream() throws {
        var limits = WireLimits()
        limits.unsentBytes = 1_000_000
        let peer = try RawPeer(limits: limits)
        try peer.send(#"{"method":"a.B","more":true}|"#)
        _ = try peer.server.nextCall()
        let reply = Methods.Read.Reply(data: String(repeating: "x", count: 10_000))
        #expect(throws: WireFault.unread(limit: 1_000_000)) {
            for _ in 0..<1_000 {
                peer.server.reply(reply, continues: true)
                try peer.server.flush()
            }
        }
    }

    @Test("A watcher that does not read gets an error after the queued changes, and can make further calls")
    func slowWatcher() throws {
        var limits = WireLimits()
        limits.watchQueueBytes = 100_000
        let peer = try RawPeer(limits: limits)
        try peer.send(#"{"method":"a.B","more":true}|"#)
        _ = try peer.server.nextCall()
        let reply = Methods.Read.Reply(data: String(repeating: "x", count: 10_000))
        let error = BridgeError(.tooSlow, "missed")
        var sent = 0
        while peer.server.report(reply, orFailWith: error) {
            sent += 1
            try peer.server.flush()
            try #require(peer.server.unsent <= 100_000)
        }
        #expect(sent > 9)
        var text = ""
        while peer.server.hasUnsent {
            text += try peer.received()
        }
        text += try peer.received()
        let replies = text.split(separator: "|")
        #expect(replies.count == sent + 1)
        #expect(replies.dropLast().allSatisfy { $0.contains("\"continues\":true") })
        let last = try #require(replies.last)
        // The order of the members of an object is undefined.
        #expect(last.contains(#""error":"org.xpb.Pasteboard.TooSlow""#))
        #expect(last.contains(#""parameters":{"message":"missed"}"#) && !last.contains("continues"))
        try peer.send(#"{"method":"a.C"}|"#)
        #expect(try peer.server.nextCall()?.method == "a.C")
    }

    @Test("Changes that a watcher has read do not count, and one change always fits")
    func readingWatcher() throws {
        var limits = WireLimits()
        limits.watchQueueBytes = 1
        let peer = try RawPeer(limits: limits)
        try peer.send(#"{"method":"a.B","more":true}|"#)
        _ = try peer.server.nextCall()
        let error = BridgeError(.tooSlow, "missed")
        let reply = Methods.Read.Reply(data: String(repeating: "x", count: 10_000))
        for _ in 0..<100 {
            #expect(peer.server.report(reply, orFailWith: error))
            // The connection gets no notice that there is room again.
            while try UnixSocket.receive(from: peer.socket.fileDescriptor, waits: false) != nil {}
        }
    }

    @Test("A call ended by a reply that is too long gets one error, whatever its method replies afterwards")
    func cutShort() throws {
        var limits = WireLimits()
        limits.messageBytes = 100
        let peer = try RawPeer(limits: limits)
        try peer.send(#"{"method":"a.B","more":true}|{"method":"a.C"}|"#)
        _ = try peer.server.nextCall()
        let long = Methods.Read.Reply(data: String(repeating: "x", count: 100))
        peer.server.reply(long, continues: true)
        #expect(try peer.server.nextCall() == nil, "the call's method had not ended")
        peer.server.reply(NoParameters(), continues: true)
        peer.server.reply(NoParameters())
        #expect(try peer.server.nextCall()?.method == "a.C")
        peer.server.reply(NoParameters())
        try peer.server.flush()
        try expectMessages(
            try peer.received(),
            #"{"error":"org.xpb.Pasteboard.Refused","parameters":{"message":"the answer is longer than 100 bytes"}}|"#
                + #"{"parameters":{}}|"#)
    }

    @Test("A reply that is too long ends a watch")
    func watchCutShort() throws {
        var limits = WireLimits()
        limits.messageBytes = 100
        let peer = try RawPeer(limits: limits)
        try peer.send(#"{"method":"a.B","more":true}|{"method":"a.C"}|"#)
        _ = try peer.server.nextCall()
        let long = Methods.Read.Reply(data: String(repeating: "x", count: 100))
        #expect(!peer.server.report(long, orFailWith: BridgeError(.tooSlow, "missed")))
        #expect(try peer.server.nextCall()?.method == "a.C")
    }

    @Test("A call that is too long gets an error before the connection ends")
    func tooLongCall() throws {
        var limits = WireLimits()
        limits.messageBytes = 100
        let peer = try RawPeer(limits: limits)
        try peer.send(String(repeating: "x", count: 101))
        #expect(throws: WireFault.messageTooLong(limit: 100)) { try peer.server.nextCall() }
        #expect(try peer.received().contains("org.xpb.Pasteboard.Refused"))
    }

    @Test("A changed limit applies from the next message on")
    func changed() throws {
        let peer = try RawPeer()
        peer.server.limits.messageBytes = 20
        try peer.send(#"{"method":"a.B"}|"#)
        #expect(try peer.server.nextCall()?.method == "a.B")
        peer.server.reply(NoParameters())
        try peer.send(#"{"method":"a.BCDEFGHIJ"}|"#)
        #expect(throws: WireFault.messageTooLong(limit: 20)) { try peer.server.nextCall() }
    }

    @Test("A reply that is too long becomes an error of its call", arguments: [false, true])
    func longReply(isError: Bool) throws {
        var limits = WireLimits()
        limits.messageBytes = 100
        let peer = try RawPeer(limits: limits)
        try peer.send(#"{"method":"a.B"}|"#)
        _ = try peer.server.nextCall()
        let long = String(repeating: "x", count: 100)
        if isError {
            peer.server.fail(BridgeError(.empty, long))
        } else {
            peer.server.reply(Methods.Read.Reply(data: long))
        }
        try expectMessages(
            try peer.received(),
            #"{"error":"org.xpb.Pasteboard.Refused","parameters":{"message":"the answer is longer than 100 bytes"}}|"#)
        try peer.send(#"{"method":"a.C"}|"#)
        #expect(try peer.server.nextCall()?.method == "a.C")
    }

    @Test("The connection ends when the client is gone, even after half a message", arguments: ["", #"{"method":"#])
    func ends(rest: String) throws {
        let server: ServerConnection
        do {
            let peer = try RawPeer()
            server = peer.server
            try peer.send(#"{"method":"a.B"}|"# + rest)
        }
        try server.receive()
        // A process that another test is starting has a copy of the client's end until it runs its program.
        _ = try waitReadable(server.fileDescriptor, until: nil)
        try server.receive()
        #expect(server.isEndOfStream && !server.wantsInput)
        #expect(!server.isFinished, "a call was pending")
        while try server.nextCall() != nil {
            #expect(!server.isFinished, "the call was not answered")
            server.reply(NoParameters())
            break
        }
        #expect(throws: WireFault.disconnected) { try server.flush() }
    }

    @Test("A client that has stopped sending still gets its reply")
    func halfClosed() throws {
        let peer = try RawPeer()
        try peer.send(#"{"method":"a.B"}|"#)
        try peer.endSending()
        try peer.server.receive()
        #expect(try peer.server.nextCall()?.method == "a.B")
        peer.server.reply(NoParameters())
        #expect(!peer.server.isFinished)
        try expectMessages(try peer.received(), #"{"parameters":{}}|"#)
        #expect(peer.server.isFinished)
    }
}
