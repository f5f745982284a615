import BridgeClient
import BridgeFixture
import LinuxSystem
import PasteboardWire
import SystemPackage
import Testing

@Suite struct BridgeClientTests {
    /// Runs `body` with a client of a bridge whose calls `handler` answers.
    private func withClient<Result>(
        timeout: Duration = .seconds(60), _ handler: @escaping @Sendable () -> FakeBridge.Handler,
        _ body: (BridgeClient) throws -> Result
    ) throws -> Result {
        let place = try Place(display: ":1")
        let bridge = try place.bridge(":1", handler: handler)
        return try withExtendedLifetime((place, bridge)) {
            try body(try BridgeClient.connect(environment: place.environment, timeout: timeout, start: .never))
        }
    }

    private static func reply(offset: Int, length: Int) -> Methods.Get.Reply {
        Methods.Get.Reply(
            count: 3, item: 1, type: "public.png", target: "image/png",
            bytes: WireBytes(descriptor: 0, offset: offset, length: length))
    }

    private func failure(
        _ handler: @escaping @Sendable () -> FakeBridge.Handler
    ) throws -> BridgeClientError? {
        try withClient(handler) { client in
            #expect(throws: BridgeClientError.self) { _ = try client.get(pasteboard: "general") }
        }
    }

    @Test("The bytes read are a range of a sealed file")
    func get() throws {
        let found = try withClient {
            { call, connection in
                let asked = try call.parameters(Methods.Get.Parameters.self)
                guard asked.types == ["image/png"], asked.item == 1, asked.timeout == 60_000 else { throw HangUp() }
                let file = try MemoryFile.containing(Array("..bytes..".utf8))
                connection.reply(Self.reply(offset: 2, length: 5), descriptors: [file.descriptor])
            }
        } _: { client in
            try client.get(pasteboard: "general", types: ["image/png"], item: 1)
        }
        #expect(try found.bytes.bytes(in: found.range) == Array("bytes".utf8))
        #expect(found.type == "public.png" && found.target == "image/png" && found.count == 3 && found.item == 1)
    }

    @Test(
        "A range outside of the file is an incomplete transfer", arguments: [(0, 10), (10, 0), (-1, 1), (8, .max)])
    func badRange(offset: Int, length: Int) throws {
        let error = try failure {
            { _, connection in
                let file = try MemoryFile.containing(Array("nine byte".utf8))
                connection.reply(Self.reply(offset: offset, length: length), descriptors: [file.descriptor])
            }
        }
        #expect(error?.code == .transferBroken)
    }

    @Test("A file that could change or shrink while it is read is refused")
    func unsealed() throws {
        let error = try failure {
            { _, connection in
                let null = Descriptor(adopting: try FileDescriptor.open(FilePath("/dev/null"), .readOnly))
                connection.reply(Self.reply(offset: 0, length: 0), descriptors: [null])
            }
        }
        #expect(error?.code == .transferBroken)
    }

    @Test("Errors of the bridge keep their code, message and context")
    func errors() throws {
        let error = try failure {
            { _, connection in
                connection.fail(BridgeError(.noSuchType, "there is no such thing", types: ["public.png"]))
            }
        }
        #expect(
            error
                == BridgeClientError(
                    code: .noSuchType, message: "there is no such thing", context: .init(types: ["public.png"])))
    }

    @Test("A bridge that ends in the middle of a call is reported as unavailable")
    func ends() throws {
        let error = try failure { { _, _ in throw HangUp() } }
        #expect(error?.code == .unavailable)
        #expect(error?.message.contains("ended before it had answered") == true)
    }

    @Test("A call that is too long is refused, however it is made")
    func tooLong() throws {
        let name = String(repeating: "x", count: WireLimits().messageBytes)
        let monitoring = Methods.Monitor.Parameters(pasteboards: [name])
        let ways: [(BridgeClient) throws -> Void] = [
            { _ = try $0.get(pasteboard: name) }, { _ = try $0.fetch(pasteboard: name) },
            { _ = try $0.stream(Methods.Monitor.self, monitoring) { _ in true } },
            { try $0.stream(Methods.Monitor.self, monitoring, timeoutFor: .firstReply) { _, _ in true } },
        ]
        for way in ways {
            let error = #expect(throws: BridgeClientError.self) {
                try withClient({ { _, _ in throw HangUp() } }) { try way($0) }
            }
            #expect(error?.code == .refused && error?.message.contains("4194304") == true)
        }
    }

    @Test("A long read has no timeout as long as the bridge is alive")
    func long() throws {
        // The answer comes once the client has asked whether the bridge is alive.
        let count = try withClient(timeout: .zero) {
            var waiting: ServerConnection?
            return { call, connection in
                if call.isCall(of: Methods.Get.self) {
                    waiting = connection
                } else {
                    let file = try MemoryFile.containing([])
                    waiting?.reply(Self.reply(offset: 0, length: 0), descriptors: [file.descriptor])
                    _ = ServiceInterface.answer(call, on: connection, version: "0")
                }
            }
        } _: { client in
            try client.get(pasteboard: "general").count
        }
        #expect(count == 3)
    }

    @Test("The first reply of a stream has no timeout as long as the bridge is alive")
    func longFirstReply() throws {
        var counts: [Int] = []
        try withClient(timeout: .zero) {
            var waiting: ServerConnection?
            return { call, connection in
                if call.isCall(of: Methods.Set.self) {
                    waiting = connection
                } else {
                    waiting?.reply(Methods.Set.Reply(counts: [3]))
                    _ = ServiceInterface.answer(call, on: connection, version: "0")
                }
            }
        } _: { client in
            let parameters = Methods.Set.Parameters(pasteboards: ["general"], items: [])
            try client.stream(Methods.Set.self, parameters, timeoutFor: .firstReply) { reply, _ in
                counts = reply.counts
                return true
            }
        }
        #expect(counts == [3])
    }

    @Test("A stream ends when its reader returns false, and at its deadline")
    func stream() throws {
        try withClient {
            { _, connection in
                for count in 1...3 {
                    connection.reply(
                        Methods.Monitor.Reply(
                            pasteboard: "general", count: count, owner: .init(kind: .none), types: []),
                        continues: true)
                }
            }
        } _: { client in
            var counts: [Int] = []
            let isEnded = try client.stream(Methods.Monitor.self, .init(pasteboards: ["general"])) { change in
                counts.append(change.count)
                return change.count < 2
            }
            #expect(isEnded && counts == [1, 2])
        }
        try withClient({ { _, _ in } }) { client in
            let isEnded = try client.stream(
                Methods.Monitor.self, .init(pasteboards: ["general"]), until: .now
            ) { _ in true }
            #expect(!isEnded)
        }
    }
}
