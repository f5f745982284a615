import BridgeClient
import BridgeFixture
import LinuxSystem
import PasteboardWire
import Synchronization
import Testing

/// Tests of calls to a bridge that ends.
@Suite struct RepeatTests {
    private static let refusal = BridgeError(.refused, "the bridge is ending", reason: BridgeError.endReason)

    /// Runs `body` with a client of a bridge whose first connections end in a certain way.
    ///
    /// - Parameters:
    ///   - failures: The number of connections that end.
    ///   - end: The function that is called for each call on these connections before they are closed.
    private func withClient<Result>(
        failures: Int = 1, _ end: @escaping @Sendable (ServerConnection) throws -> Void,
        _ body: (BridgeClient) throws -> Result
    ) throws -> (result: Result, calls: Int) {
        let place = try Place(display: ":1")
        let calls = Mutex(0)
        let bridge = try place.bridge(":1") {
            { call, connection in
                let count = calls.withLock { count in
                    count += 1
                    return count
                }
                guard count > failures else {
                    try end(connection)
                    throw HangUp()
                }
                if call.isCall(of: Methods.Count.self) {
                    connection.reply(Methods.Count.Reply(count: 7))
                } else {
                    connection.reply(Methods.Counts(counts: [7]))
                }
            }
        }
        let result = try withExtendedLifetime(bridge) {
            try body(try BridgeClient.connect(environment: place.environment, timeout: .seconds(60), start: .never))
        }
        return (result, calls.withLock { $0 })
    }

    private func count(_ client: BridgeClient) throws -> Int {
        try client.call(Methods.Count.self, .init(pasteboard: "general")).reply.count
    }

    private func clear(_ client: BridgeClient) throws -> [Int] {
        try client.call(Methods.Clear.self, .init(pasteboards: ["general"])).reply.counts
    }

    @Test("A read whose bridge ends is repeated with the next bridge")
    func read() throws {
        let (found, calls) = try withClient({ _ in }, count)
        #expect(found == 7 && calls == 2)
    }

    @Test("A read whose bridges keep dying is not repeated forever")
    func deadlyRead() throws {
        let (error, calls) = try withClient(failures: .max, { _ in }) { client in
            #expect(throws: BridgeClientError.self) { try count(client) }
        }
        #expect(error?.code == .unavailable && calls == RepeatBudget.maxAttempts)
    }

    @Test("A change that a bridge read before it ended is not repeated, and the error says it may have been made")
    func write() throws {
        let (error, calls) = try withClient({ _ in }) { client in
            #expect(throws: BridgeClientError.self) { try clear(client) }
        }
        #expect(error?.code == .unavailable && calls == 1)
        #expect(error?.message.contains("the change may have been made") == true)
    }

    @Test(
        "A change that an ending bridge refuses is sent to the next bridge, however many bridges end",
        arguments: [1, 2 * RepeatBudget.maxAttempts])
    func refused(bridges: Int) throws {
        let (counts, calls) = try withClient(failures: bridges) {
            $0.fail(Self.refusal)
            try $0.flush()
        } _: { client in
            try clear(client)
        }
        #expect(counts == [7] && calls == bridges + 1)
    }

    @Test("A change that a bridge did not read before it ended is sent to the next bridge")
    func undelivered() throws {
        let place = try Place(display: ":1")
        // The connection waits to be accepted, and ends with its listener.
        let path = try place.runtimeDirectory.socketPath(":1")
        var listener: Descriptor? = try UnixSocket.listen(at: path)
        let client = try BridgeClient.connect(environment: place.environment, timeout: .seconds(60), start: .never)
        UnixSocket.remove(path, UnixSocket.identity(of: path))
        withExtendedLifetime(listener) {}
        listener = nil
        let bridge = try place.bridge(":1") { { _, connection in connection.reply(Methods.Counts(counts: [7])) } }
        #expect(try withExtendedLifetime(bridge) { try clear(client) } == [7])
    }

    @Test("A bridge that dies while it starts is started again")
    func start() throws {
        let place = try Place(display: ":1")
        // The first two daemons report nothing; the third reports a fault.
        try place.install(
            daemon: """
                echo x >>"$0.starts"
                [ "$(wc -l <"$0.starts")" -lt 3 ] && exit 1
                echo error 4 third >&3
                """)
        let error = #expect(throws: BridgeClientError.self) {
            try BridgeClient.connect(environment: place.environment, timeout: .seconds(60), start: .forDisplay)
        }
        #expect(error?.message.contains("third") == true, "\(String(describing: error))")
    }
}
