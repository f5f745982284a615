import LinuxSystem
import PasteboardWire
import SystemPackage
import Testing

/// Raw bytes between messages, as the service receives and sends them.
struct ServerConnectionRawTests {
    private static let upload = #"{"method":"org.xpb.Pasteboard.Upload","parameters":{"length":0},"upgrade":true}|"#
    private static let download = #"{"method":"org.xpb.Pasteboard.Download","upgrade":true}|"#
    /// Text that would be a call, if it were not raw.
    private static let raw = #"x|{"method":"a.Raw"}|"#

    /// The received bytes, and whether they are complete.
    private final class Received {
        var bytes: [UInt8] = []
        var isComplete = false
    }

    /// Takes an upload, and replies after its last byte.
    private func receive(_ count: Int, from peer: RawPeer, limit: Int = .max) throws -> Received {
        let call = try #require(try peer.server.nextCall())
        #expect(call.isFollowedByBytes)
        let received = Received()
        peer.server.receiveBytes(count) { bytes throws(BridgeError) in
            if received.bytes.count + bytes.count > limit { throw BridgeError(.refused, "too much") }
            received.bytes += bytes
        } end: { [unowned server = peer.server] () throws(BridgeError) in
            received.isComplete = true
            server.reply(Methods.Upload.Reply(handle: "1"))
        }
        return received
    }

    @Test("Bytes of an upload are not messages, and the call after them is taken", arguments: [0, 1, 20, 65_537])
    func together(length: Int) throws {
        let peer = try RawPeer()
        let bytes = (0..<length).map { wire(Self.raw)[$0 % wire(Self.raw).count] }
        try peer.send(wire(Self.upload) + bytes + wire(ServerConnectionTests.count))
        let received = try receive(length, from: peer)
        while !received.isComplete {
            #expect(try peer.server.nextCall() == nil)
            try peer.server.receive()
        }
        #expect(received.bytes == bytes)
        #expect(try peer.answerAll() == ["org.xpb.Pasteboard.Count"])
        try expectMessages(try peer.received(), #"{"parameters":{"handle":"1"}}|{"parameters":{}}|"#)
    }

    @Test("The bytes of an upload may exceed the limit for messages, and may arrive in any pieces")
    func pieces() throws {
        var limits = WireLimits()
        limits.messageBytes = 1_000
        let peer = try RawPeer(limits: limits)
        try peer.send(Self.upload)
        let received = try receive(100_000, from: peer)
        var sent: [UInt8] = []
        for length in [1, 999, 99_000] {
            #expect(!received.isComplete && received.bytes == sent)
            #expect(try peer.server.nextCall() == nil)
            let piece = [UInt8](repeating: UInt8(truncatingIfNeeded: length), count: length)
            try peer.send(piece)
            sent += piece
            #expect(peer.server.incoming == 0)
        }
        #expect(received.isComplete && received.bytes == sent)
        #expect(try peer.server.nextCall() == nil)
        #expect(!peer.server.isFinished)
    }

    @Test("A refused upload gets its error, and ends the connection", arguments: [false, true])
    func refused(isOneway: Bool) throws {
        let peer = try RawPeer()
        let call = isOneway ? Self.upload.replacing("\"upgrade\"", with: "\"oneway\":true,\"upgrade\"") : Self.upload
        try peer.send(call + Self.raw)
        #expect(try peer.server.nextCall() != nil)
        peer.server.fail(BridgeError(.refused, "no"))
        #expect(throws: WireFault.refusedBytes) { try peer.server.nextCall() }
        #expect(throws: WireFault.refusedBytes) { try peer.server.flush() }
        let sent = try UnixSocket.receive(from: peer.socket.fileDescriptor, waits: false)
        let error = text(sent?.bytes ?? [])
        #expect(isOneway ? error.isEmpty : error.contains("org.xpb.Pasteboard.Refused"))
    }

    @Test("An upload that is refused midway gets its error, and ends the connection")
    func refusedMidway() throws {
        let peer = try RawPeer()
        try peer.send(Self.upload)
        let received = try receive(1_000, from: peer, limit: 500)
        try peer.send([UInt8](repeating: 1, count: 400))
        #expect(received.bytes.count == 400)
        try peer.send([UInt8](repeating: 1, count: 400))
        #expect(throws: WireFault.refusedBytes) { try peer.server.nextCall() }
        let sent = try #require(try UnixSocket.receive(from: peer.socket.fileDescriptor, waits: false))
        #expect(text(sent.bytes).contains("too much"))
        #expect(!received.isComplete)
    }

    @Test("An upload that nobody takes ends the connection")
    func dropped() throws {
        let peer = try RawPeer()
        try peer.send(Self.upload + Self.raw)
        #expect(try peer.server.nextCall() != nil)
        peer.server.drop()
        #expect(throws: WireFault.refusedBytes) { try peer.server.nextCall() }
    }

    @Test("A peer that stops sending midway ends the connection", arguments: [false, true])
    func ends(isTakenLater: Bool) throws {
        let peer = try RawPeer()
        try peer.send(Self.upload)
        if !isTakenLater { _ = try receive(1_000, from: peer) }
        try peer.send([UInt8](repeating: 1, count: 400))
        try peer.endSending()
        try peer.server.receive()
        if isTakenLater { _ = try receive(1_000, from: peer) }
        #expect(throws: WireFault.disconnected) { try peer.server.flush() }
    }

    @Test("The bytes of a download wait in their file for a reader, and no call is taken before they are sent")
    func unread() throws {
        let peer = try RawPeer()
        let bytes = ClientConnectionRawTests.bytes(8 << 20)
        let file = try MemoryFile.containing(bytes)
        try peer.send(Self.download + ServerConnectionTests.count)
        #expect(try peer.server.nextCall()?.isUpgrade == true)
        peer.server.limits.unsentBytes = 1_000
        peer.server.reply(Methods.Download.Reply(length: bytes.count - 1), followedBy: file, 1..<bytes.count)
        for _ in 0..<10 {
            #expect(try peer.server.nextCall() == nil)
            #expect(peer.server.unsent == 0 && peer.server.hasUnsent && !peer.server.isIdle)
        }
        var received: [UInt8] = []
        func receive() throws {
            try peer.server.flush()
            received += try #require(try UnixSocket.receive(from: peer.socket.fileDescriptor, waits: true)).bytes
        }
        while try peer.server.nextCall() == nil { try receive() }
        peer.server.reply(NoParameters())
        let expected =
            wire(#"{"parameters":{"length":\#(bytes.count - 1)}}|"#) + Array(bytes[1...]) + wire(#"{"parameters":{}}|"#)
        while received.count < expected.count { try receive() }
        let isSame = received == expected
        #expect(isSame)
    }

    @Test("No bytes follow an error or a call without a reply")
    func nothing() throws {
        var limits = WireLimits()
        limits.messageBytes = 120
        let peer = try RawPeer(limits: limits)
        let file = try MemoryFile.containing([1, 2, 3])
        try peer.send(Self.download + #"{"method":"org.xpb.Pasteboard.Download","upgrade":true,"oneway":true}|"#)
        _ = try peer.server.nextCall()
        peer.server.reply(
            Methods.Read.Reply(data: String(repeating: "x", count: 120)), followedBy: file, 0..<3)
        _ = try #require(try peer.server.nextCall())
        peer.server.reply(Methods.Download.Reply(length: 3), followedBy: file, 0..<3)
        #expect(!peer.server.hasUnsent)
        try expectMessages(
            try peer.received(),
            #"{"error":"org.xpb.Pasteboard.Refused","parameters":{"message":"the answer is longer than 120 bytes"}}|"#)
    }

    @Test("A reader that disappears midway ends the connection")
    func gone() throws {
        let server: ServerConnection
        do {
            let peer = try RawPeer()
            server = peer.server
            try peer.send(Self.download)
            _ = try server.nextCall()
            let file = try MemoryFile.containing([UInt8](repeating: 1, count: 8 << 20))
            server.reply(Methods.Download.Reply(length: file.length), followedBy: file, 0..<file.length)
            try server.flush()
        }
        #expect(server.hasUnsent)
        try awaitHangup(server.fileDescriptor)
        #expect(throws: WireFault.disconnected) { try server.flush() }
    }

    @Test("Without 'upgrade' no bytes follow")
    func withoutUpgrade() throws {
        let peer = try RawPeer()
        try peer.send(#"{"method":"org.xpb.Pasteboard.Upload","parameters":{"length":0}}|{"method":"a.B"}|"#)
        let call = try #require(try peer.server.nextCall())
        #expect(!call.isUpgrade && !call.isFollowedByBytes)
        peer.server.fail(BridgeError(.invalidBytes, "no"))
        #expect(try peer.server.nextCall()?.method == "a.B")
    }
}
