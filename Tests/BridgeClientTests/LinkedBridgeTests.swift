import BridgeClient
import LinuxSystem
import PasteboardWire
import Synchronization
import TestSupport
import Testing

/// Tests of a client whose connection passes no descriptors, with the real bridge.
@Suite(.timeLimit(.minutes(10))) struct LinkedBridgeTests {
    private static let lengths = [1, 65_537, 16 << 20, 0]

    private static func client(of path: String) throws -> BridgeClient {
        BridgeClient(
            adopting: try ClientConnection.connect(path: path), path: path, timeout: .seconds(60),
            passesDescriptors: false)
    }

    /// Starts a bridge, and runs `body` with a client whose connection to that bridge passes no descriptors.
    private func withClient(_ body: (BridgeClient) throws -> Void) async throws {
        try await Sandbox.with(display: nil) { sandbox in
            let started = try await sandbox.xpb("bridge", "start")
            #expect(started.status == 0, "\(started)")
            try body(try Self.client(of: "\(sandbox.runtimeFolder)/xpb/none.sock"))
        }
    }

    @Test("Items of any length are written and read unchanged")
    func items() async throws {
        try await withClient { client in
            // The first item is a range within its file.
            let contents = Self.lengths.map { Payload.random($0) }
            let files = try contents.enumerated().map { index, bytes in
                try MemoryFile.containing(index == 0 ? [1, 2] + bytes + [3] : bytes)
            }
            let items = contents.enumerated().map { index, bytes in
                WireNewItem(representations: [
                    WireNewRepresentation(
                        type: "public.data",
                        bytes: WireBytes(descriptor: index, offset: index == 0 ? 2 : 0, length: bytes.count))
                ])
            }
            let set = Methods.Set.Parameters(pasteboards: ["general"], items: items)
            let counts = try client.call(Methods.Set.self, set, descriptors: files.map(\.descriptor)).reply.counts
            let whole = try client.fetch(pasteboard: "general")
            #expect([whole.count] == counts && whole.representations.map(\.item) == [0, 1, 2, 3])
            for (index, expected) in contents.enumerated() {
                let found = try client.get(pasteboard: "general", item: index)
                #expect(Payload.difference(try found.bytes.bytes(in: found.range), expected) == nil)
                guard case .range(let bytes, let range) = whole.representations[index].bytes else {
                    Issue.record("item \(index) is missing")
                    continue
                }
                #expect(Payload.difference(try bytes.bytes(in: range), expected) == nil)
            }
            let limits = try client.call(Methods.Status.self, .init()).reply.limits
            #expect(limits.first { $0.name == "limit-handles" }?.used == 0, "some handles were not released")
        }
    }

    @Test("A promise from a call with uploaded bytes can be kept with uploaded bytes")
    func promise() async throws {
        try await withClient { client in
            let provider = try Self.client(of: client.path)
            let text = try MemoryFile.containing(Array("text".utf8))
            let set = Methods.Set.Parameters(
                pasteboards: ["general"],
                items: [
                    WireNewItem(representations: [
                        WireNewRepresentation(
                            type: "public.utf8-plain-text", bytes: WireBytes(descriptor: 0, offset: 0, length: 4)),
                        WireNewRepresentation(type: "public.png", promise: "1"),
                    ])
                ])
            let reader = Reader(of: client.path)
            try provider.stream(
                Methods.Set.self, set, descriptors: [text.descriptor], timeoutFor: .firstReply
            ) { reply, _ in
                if let wanted = reply.wanted {
                    let bytes = try MemoryFile.containing([1, 2, 3])
                    let keep = Methods.Keep.Parameters(
                        ticket: wanted.ticket, bytes: WireBytes(descriptor: 0, offset: 1, length: 2))
                    _ = try client.call(Methods.Keep.self, keep, descriptors: [bytes.descriptor])
                } else if reply.ended == nil {
                    try reader.start()
                }
                return reply.ended == nil
            }
            #expect(reader.result() == [2, 3])
        }
    }

    /// A thread that reads the promised type.
    private final class Reader: Sendable {
        private let path: String
        private let state = Mutex<(thread: WorkerThread?, bytes: [UInt8]?)>((nil, nil))

        init(of path: String) { self.path = path }

        func start() throws {
            let thread = try WorkerThread.start(name: "reader") { [self] in
                let found = try? LinkedBridgeTests.client(of: path).get(pasteboard: "general", types: ["public.png"])
                let bytes = found.flatMap { try? $0.bytes.bytes(in: $0.range) }
                state.withLock { $0.bytes = bytes }
            }
            state.withLock { $0.thread = thread }
        }

        func result() -> [UInt8]? {
            state.withLock { $0.thread }?.join()
            return state.withLock { $0.bytes }
        }
    }
}
