import LinuxSystem
import PasteboardWire
import SystemPackage
import Testing

struct ServerConnectionTests {
    static let count = #"{"method":"org.xpb.Pasteboard.Count","parameters":{"pasteboard":"general"}}|"#

    @Test("A call is taken with its parameters, and its reply is sent")
    func replies() throws {
        let peer = try RawPeer()
        #expect(peer.server.peer == .own)
        #expect(try peer.server.nextCall() == nil)
        try peer.send(Self.count)
        let call = try #require(try peer.server.nextCall())
        #expect(call.isCall(of: Methods.Count.self))
        #expect(!call.isCall(of: Methods.Get.self))
        #expect(!call.more && !call.oneway)
        #expect(try call.parameters(Methods.Count.Parameters.self).pasteboard == "general")
        peer.server.reply(Methods.Count.Reply(count: 7))
        #expect(peer.server.hasUnsent)
        try expectMessages(try peer.received(), #"{"parameters":{"count":7}}|"#)
        #expect(!peer.server.hasUnsent)
    }

    @Test("A call that arrives byte by byte is read like any other")
    func slowly() throws {
        let peer = try RawPeer()
        for byte in wire(Self.count) {
            #expect(try peer.server.nextCall() == nil)
            try peer.send([byte])
        }
        #expect(try peer.answerAll() == ["org.xpb.Pasteboard.Count"])
    }

    @Test("Calls sent at once are answered one after another, in order")
    func pipelines() throws {
        let peer = try RawPeer()
        try peer.send(#"{"method":"a.First"}|{"method":"a.Second","more":true}|{"method":"a.Third"}|"#)
        #expect(try peer.server.nextCall()?.method == "a.First")
        #expect(try peer.server.nextCall() == nil, "the first call was not answered yet")
        peer.server.reply(Methods.Length(length: 1))
        #expect(try peer.server.nextCall()?.method == "a.Second")
        peer.server.reply(Methods.Length(length: 2), continues: true)
        #expect(try peer.server.nextCall() == nil, "more replies were to come")
        peer.server.reply(Methods.Length(length: 3))
        #expect(try peer.server.nextCall()?.method == "a.Third")
        peer.server.fail(BridgeError(.countMismatch, "no", count: 9))
        try expectMessages(
            try peer.received(),
            #"{"parameters":{"length":1}}|{"continues":true,"parameters":{"length":2}}|{"parameters":{"length":3}}|"#
                + #"{"error":"org.xpb.Pasteboard.CountMismatch","parameters":{"message":"no","count":9}}|"#)
    }

    @Test("A call without 'more' gets one reply, even if its method sends several replies")
    func oneReply() throws {
        let peer = try RawPeer()
        try peer.send(#"{"method":"a.First"}|{"method":"a.Second"}|"#)
        _ = try peer.server.nextCall()
        peer.server.reply(NoParameters(), continues: true)
        peer.server.reply(NoParameters())
        try expectMessages(try peer.received(), #"{"parameters":{}}|"#)
        #expect(try peer.server.nextCall()?.method == "a.Second")
    }

    @Test("A oneway call gets neither a reply nor an error")
    func oneway() throws {
        let peer = try RawPeer()
        try peer.send(#"{"method":"a.First","oneway":true}|{"method":"a.Second","oneway":true}|{"method":"a.Third"}|"#)
        #expect(try peer.server.nextCall()?.oneway == true)
        peer.server.reply(NoParameters())
        _ = try peer.server.nextCall()
        peer.server.fail(BridgeError(.empty, "nothing"))
        #expect(try peer.server.nextCall()?.method == "a.Third")
        peer.server.fail(.methodNotFound("a.Third"))
        try expectMessages(
            try peer.received(), #"{"error":"org.varlink.service.MethodNotFound","parameters":{"method":"a.Third"}}|"#)
    }

    @Test("The error for a missing or mistyped parameter names it, and the connection stays open")
    func wrongParameters() throws {
        let bytes = #"{"offset":0,"length":1}"#
        let wrong = [
            (#"{}"#, "pasteboards"),
            (#"{"pasteboards":"general","items":[]}"#, "pasteboards"),
            (#"{"pasteboards":[1],"items":[]}"#, "pasteboards[0]"),
            (
                #"{"pasteboards":[],"items":[{"representations":[{"type":1,"bytes":\#(bytes)}]}]}"#,
                "items[0].representations[0].type"
            ),
            (#"{"pasteboards":[],"items":[],"ifCount":1.5}"#, "parameters"),
            (#"{"pasteboards":[],"items":[],"ifCount":123456789012345678901234567890}"#, "parameters"),
            (#"[]"#, "parameters"),
            (#"7"#, "parameters"),
        ]
        let peer = try RawPeer()
        for (parameters, path) in wrong {
            try peer.send(#"{"method":"org.xpb.Pasteboard.Set","parameters":\#(parameters)}|"#)
            let call = try #require(try peer.server.nextCall())
            #expect(throws: VarlinkError.invalidParameter(path), "\(parameters)") {
                try call.parameters(Methods.Set.Parameters.self)
            }
            peer.server.reply(NoParameters())
        }
    }

    @Test("A call without parameters may omit 'parameters' or set it to null", arguments: ["", #","parameters":null"#])
    func noParameters(text: String) throws {
        let peer = try RawPeer()
        try peer.send(#"{"method":"org.xpb.Pasteboard.List"\#(text)}|"#)
        let call = try #require(try peer.server.nextCall())
        _ = try call.parameters(NoParameters.self)
        #expect(throws: VarlinkError.invalidParameter("pasteboard")) {
            try call.parameters(Methods.PasteboardName.self)
        }
    }

    @Test(
        "An invalid message ends the connection",
        arguments: [
            "|", "x|", "7|", "[]|", "null|", "{|", "{}|", #"{"method":7}|"#, #"{"method":"a.B","more":"yes"}|"#,
            #"{"method":"a.B"} {}|"#, #"{"method":"a.B","parameters":{|"#, "GET / HTTP/1.1\r\n\r\n|",
        ])
    func garbage(text: String) throws {
        let peer = try RawPeer()
        try peer.send(text)
        let fault = #expect(throws: WireFault.self) { try peer.server.nextCall() }
        guard case .malformedMessage = fault else {
            Issue.record("unexpected fault: \(String(describing: fault))")
            return
        }
    }

    @Test("Binary data ends the connection")
    func binary() throws {
        let peer = try RawPeer()
        try peer.send(Array(1...255) + [0])
        #expect(throws: WireFault.self) { try peer.server.nextCall() }
    }

    @Test("JSON nested a hundred thousand levels deep ends the connection", arguments: ["[", #"{"a":"#])
    func deep(opening: String) throws {
        let peer = try RawPeer()
        try peer.send(#"{"method":"a.B","parameters":"# + String(repeating: opening, count: 100_000) + "|")
        #expect(throws: WireFault.malformedMessage("it is nested too deeply, or has an object with too many members")) {
            try peer.server.nextCall()
        }
    }

    @Test("A call that asks for another protocol gets an error")
    func upgrade() throws {
        let peer = try RawPeer()
        try peer.send(#"{"method":"a.B","upgrade":true}|{"method":"a.C"}|"#)
        #expect(try peer.server.nextCall()?.method == "a.C")
        try expectMessages(
            try peer.received(),
            #"{"error":"org.varlink.service.MethodNotImplemented","parameters":{"method":"a.B"}}|"#)
    }
}
