import Foundation
import LinuxSystem
import PasteboardWire
import Testing

struct ServiceInterfaceTests {
    @Test("GetInfo returns information about the service and its interfaces")
    func information() throws {
        let found = try answer(to: #"{"method":"org.varlink.service.GetInfo"}|"#)
        try expectMessages(
            found,
            """
            {"parameters":{"vendor":"xpb","product":"xpb","version":"1.2","url":"",
            "interfaces":["org.varlink.service","org.xpb.Pasteboard"]}}|
            """.replacingOccurrences(of: "\n", with: ""))
    }

    @Test(
        "GetInterfaceDescription returns the definition of each interface",
        arguments: ["org.varlink.service", "org.xpb.Pasteboard"])
    func definitions(name: String) throws {
        let found = try answer(to: call(for: #"{"interface":"\#(name)"}"#))
        let reply = try #require(try parsed(found).first?["parameters"] as? NSDictionary)
        let lines = try #require(reply["description"] as? String).split(separator: "\n")
        #expect(lines.contains("interface \(name)"))
        for member in ["method ", "error "] {
            #expect(lines.contains { $0.hasPrefix(member) }, "\(member)")
        }
    }

    @Test("Unknown interfaces and methods, and a missing name, are errors")
    func unknown() throws {
        #expect(try answer(to: call(for: #"{"interface":"a.b"}"#)).contains("service.InterfaceNotFound"))
        #expect(try answer(to: call(for: "{}")).contains(#""parameter":"interface""#))
        #expect(try answer(to: #"{"method":"org.varlink.service.No"}|"#).contains("service.MethodNotFound"))
        #expect(ServiceInterface.unknown("org.xpb.Pasteboard.No") == .methodNotFound("org.xpb.Pasteboard.No"))
        #expect(ServiceInterface.unknown("a.b.No") == .interfaceNotFound("a.b"))
        #expect(ServiceInterface.unknown("No") == .interfaceNotFound("No"))
    }

    @Test(
        "An error of org.varlink.service crosses the wire unchanged",
        arguments: [
            .interfaceNotFound("a.b"), .methodNotFound("a.b.C"), .methodNotImplemented("a.b.C"),
            .invalidParameter("d"), .permissionDenied, .expectedMore,
        ] as [VarlinkError])
    func serviceErrors(error: VarlinkError) throws {
        let reply = try reply { $0.fail(error) }
        #expect(throws: error) { try reply.decode(Methods.Count.self) }
    }

    @Test(
        "An error with another name or of another interface is not an error of org.varlink.service",
        arguments: ["org.varlink.service.Other", "a.b.PermissionDenied"])
    func otherErrors(name: String) throws {
        let (near, far) = try UnixSocket.pair()
        let client = ClientChannel(socket: near)
        let message = Array(#"{"error":"\#(name)"}"#.utf8) + [0]
        _ = try UnixSocket.send(message[...], descriptors: [], to: far.fileDescriptor, waits: true)
        _ = try client.receive()
        let reply = try #require(try client.nextReply())
        #expect(throws: ClientFault.self) { try reply.decode(Methods.Count.self) }
    }

    @Test("Calls of the bridge's own interface are not answered here")
    func others() throws {
        let peer = try RawPeer()
        try peer.send(#"{"method":"org.xpb.Pasteboard.List"}|"#)
        let call = try #require(try peer.server.nextCall())
        #expect(!ServiceInterface.answer(call, on: peer.server, version: "1.2"))
        #expect(try peer.received().isEmpty)
    }

    private func call(for parameters: String) -> String {
        #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":\#(parameters)}|"#
    }

    private func answer(to text: String) throws -> String {
        let peer = try RawPeer()
        try peer.send(text)
        let call = try #require(try peer.server.nextCall())
        #expect(ServiceInterface.answer(call, on: peer.server, version: "1.2"))
        return try peer.received()
    }
}
