import LinuxSystem
import PasteboardWire
import Synchronization
import SystemPackage
import Testing

struct ClientConnectionTests {
    static let soon = Duration.milliseconds(20)

    @Test("A reply is received, whether it arrives whole or in many pieces")
    func calls() throws {
        for pieces in [1, 10] {
            let requests = Mutex("")
            let service = try FakeService(pieces: pieces) { request in
                requests.withLock { $0 += request }
                return (#"{"parameters":{"count":3}}|"#, [])
            }
            let reply = try service.client.call(Methods.Count.self, .init(pasteboard: "find"), idleTimeout: nil).reply
            #expect(reply.count == 3)
            try expectMessages(
                requests.withLock { $0 },
                #"{"method":"org.xpb.Pasteboard.Count","parameters":{"pasteboard":"find"}}"#)
        }
    }

    @Test("One connection serves several calls in a row, with errors among the replies")
    func sequence() throws {
        let answers = [
            #"{"parameters":{"count":1}}|"#,
            #"{"error":"org.xpb.Pasteboard.NoSuchType","parameters":{"message":"m","types":["a.b"]}}|"#,
            #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"p"}}|"#,
            #"{"parameters":{"count":2}}|"#,
        ]
        let next = Mutex(0)
        let service = try FakeService { _ in
            let index = next.withLock { next in
                defer { next += 1 }
                return next
            }
            return (answers[index], [])
        }
        #expect(try service.count() == 1)
        #expect(throws: BridgeError(.noSuchType, "m", types: ["a.b"])) { try service.count() }
        #expect(throws: VarlinkError.invalidParameter("p")) { try service.count() }
        #expect(try service.count() == 2)
    }

    @Test("A oneway call gets no reply, and the next call gets its own reply")
    func oneway() throws {
        let requests = Mutex<[String]>([])
        let service = try FakeService { request in
            let isFirst = requests.withLock { requests in
                requests.append(request)
                return requests.count == 1
            }
            return (isFirst ? "" : #"{"parameters":{"count":3}}|"#, [])
        }
        try service.client.callOneway(
            Methods.Attach.self, .init(display: ":1", authority: "/a"), idleTimeout: .seconds(3_600))
        #expect(try service.count() == 3)
        try expectMessages(
            requests.withLock { $0[0] },
            #"{"method":"org.xpb.Pasteboard.Attach","oneway":true,"parameters":{"display":":1","authority":"/a"}}"#)
    }

    @Test("Descriptors are sent with a call, and received with its reply")
    func descriptors() throws {
        let service = try FakeService { _, descriptors in
            let lengths = descriptors.map { (try? MemoryFile(adopting: $0).length) ?? -1 }
            let bytes = #"{"descriptor":0,"offset":0,"length":\#(lengths[0])}"#
            return (
                #"{"parameters":{"count":1,"item":0,"type":"a.b","bytes":\#(bytes)}}|"#, [try memoryDescriptor([5])]
            )
        }
        let (reply, descriptors) = try service.client.call(
            Methods.Get.self, .init(pasteboard: "general"), descriptors: [try memoryDescriptor([1, 2, 3])],
            idleTimeout: nil)
        #expect(reply.bytes.length == 3)
        let file = try MemoryFile(adopting: try #require(descriptors.first))
        #expect(try file.bytes(in: 0..<1) == [5])
    }

    @Test("A long call is sent to a service that reads slowly")
    func longCall() throws {
        let service = try FakeService { request in
            (#"{"parameters":{"length":\#(request.utf8.count)}}|"#, [])
        }
        let data = String(repeating: "x", count: 900_000)
        let reply = try service.client.call(Methods.Append.self, .init(handle: "h", data: data), idleTimeout: nil).reply
        #expect(reply.length > 900_000)
    }

    @Test("The service, not the client, limits the length of a call")
    func long() throws {
        let usual = WireLimits().messageBytes
        let parameters = Methods.Count.Parameters(pasteboard: String(repeating: "x", count: usual))
        for limit in [usual, 2 * usual] {
            let (near, far) = try UnixSocket.pair()
            let client = ClientConnection(socket: near)
            // The call exceeds the buffer of the socket, so the service must read while it is sent.
            let thread = try WorkerThread.start(name: "service") { try? Self.count(7, on: far, limit: limit) }
            defer { thread.join() }
            if limit > usual {
                #expect(try client.call(Methods.Count.self, parameters, idleTimeout: nil).reply.count == 7)
            } else {
                let error = #expect(throws: BridgeError.self) {
                    try client.call(Methods.Count.self, parameters, idleTimeout: nil)
                }
                #expect(error?.message.contains("'limit-message'") == true)
            }
        }
    }

    /// Replies to one call, or rejects it.
    private static func count(_ count: Int, on socket: Descriptor, limit: Int) throws {
        var limits = WireLimits()
        limits.messageBytes = limit
        let service = try ServerConnection(socket: socket, limits: limits)
        repeat {
            _ = try waitReadable(service.fileDescriptor, until: nil)
            try service.receive()
        } while try service.nextCall() == nil
        service.reply(Methods.Count.Reply(count: count))
        try service.flush()
    }

    @Test("A rejected client receives the reason, whether or not it had sent its call")
    func rejected() throws {
        for isSent in [false, true] {
            let near: Descriptor
            var service: ServerConnection?
            do {
                let (mine, other) = try UnixSocket.pair()
                near = mine
                service = try ServerConnection(socket: other)
            }
            let client = ClientConnection(socket: near)
            if isSent {
                try client.callOneway(Methods.Count.self, .init(pasteboard: "general"), idleTimeout: .seconds(3_600))
            }
            service?.reject(BridgeError(.refused, "enough"))
            // This closes the connection, with the call unread if it was sent.
            service = nil
            try awaitHangup(near.fileDescriptor)
            #expect(throws: BridgeError(.refused, "enough")) {
                try client.call(Methods.Count.self, .init(pasteboard: "general"), idleTimeout: nil)
            }
            #expect(throws: ClientFault.closed) { try client.call(Methods.Stop.self, .init(), idleTimeout: nil) }
        }
    }

    @Test("A call to a silent service times out, and the connection becomes unusable")
    func silent() throws {
        let (near, far) = try UnixSocket.pair()
        let client = ClientConnection(socket: near)
        #expect(throws: ClientFault.timedOut) {
            try client.call(Methods.Stop.self, .init(), idleTimeout: Self.soon)
        }
        #expect(throws: ClientFault.closed) { try client.call(Methods.Stop.self, .init(), idleTimeout: Self.soon) }
        withExtendedLifetime(far) {}
    }

    @Test("A call to a service that does not read times out")
    func fullSocket() throws {
        let (near, far) = try UnixSocket.pair()
        let client = ClientConnection(socket: near)
        let data = String(repeating: "x", count: 4_000_000)
        #expect(throws: ClientFault.timedOut) {
            try client.call(Methods.Append.self, .init(handle: "h", data: data), idleTimeout: Self.soon)
        }
        withExtendedLifetime(far) {}
    }

    @Test("If a service ends before the call or in the middle of its reply, the connection is closed")
    func closed() throws {
        let near: Descriptor
        do { near = try UnixSocket.pair().0 }
        #expect(throws: ClientFault.closed) {
            try ClientConnection(socket: near).call(Methods.Stop.self, .init(), idleTimeout: nil)
        }
        let service = try FakeService(answers: 1) { _ in (#"{"parameters":"#, []) }
        #expect(throws: ClientFault.closed) { try service.count() }
    }

    @Test(
        "An invalid reply is a fault, and makes the connection unusable",
        arguments: [
            "|", "x|", "[]|", "{}|", #"{"parameters":{"count":"1"}}|"#,
            #"{"parameters":{"count":1},"continues":true}|"#, #"{"error":"a.b.C","parameters":{}}|"#,
            #"{"error":"org.xpb.Pasteboard.Other","parameters":{"message":"m"}}|"#,
            #"{"error":"org.xpb.Pasteboard.Empty"}|"#, String(repeating: "[", count: 4 << 20) + "[|",
        ])
    func malformed(answer: String) throws {
        let service = try FakeService { _ in (answer, []) }
        let fault = #expect(throws: ClientFault.self) { try service.count() }
        guard case .malformed = fault else {
            Issue.record("unexpected fault: \(String(describing: fault))")
            return
        }
        #expect(throws: ClientFault.closed) { try service.count() }
    }

    @Test("Descriptors that the reply does not name are a fault")
    func strayDescriptors() throws {
        let service = try FakeService { _ in (#"{"parameters":{"count":1}}|"#, [try memoryDescriptor([1])]) }
        #expect(throws: ClientFault.malformed("descriptors that no reply names")) { try service.count() }
    }

    @Test("Connecting fails if no bridge listens")
    func nobody() throws {
        let folder = try TemporaryFolder()
        #expect(throws: Errno.noSuchFileOrDirectory) { try ClientConnection.connect(path: folder.file("a.sock")) }
    }
}
