import BridgeClient
import BridgeFixture
import LinuxSystem
import PasteboardWire
import SystemPackage
import Testing

@Suite struct BridgeClientFetchTests {
    /// Fetches the contents of a bridge whose calls `handler` answers.
    private func fetch(
        timeout: Duration = .seconds(60), _ handler: @escaping @Sendable () -> FakeBridge.Handler
    ) throws -> FetchedContents {
        let place = try Place(display: ":1")
        let bridge = try place.bridge(":1", handler: handler)
        return try withExtendedLifetime((place, bridge)) {
            let client = try BridgeClient.connect(environment: place.environment, timeout: timeout, start: .never)
            return try client.fetch(pasteboard: "general")
        }
    }

    private static func found(_ item: Int, _ type: String?, _ offset: Int, _ length: Int) -> WireFound {
        WireFound(
            item: item, type: type, target: nil, exact: item == 1 ? true : nil,
            bytes: WireBytes(descriptor: 0, offset: offset, length: length))
    }

    @Test("The representations of several replies are joined, and a file that is passed twice is kept once")
    func several() throws {
        let contents = try fetch {
            { call, connection in
                let asked = try call.parameters(Methods.Fetch.Parameters.self)
                guard call.more, asked.types == nil, asked.items == nil else { throw HangUp() }
                let file = try MemoryFile.containing(Array("abcdef".utf8))
                connection.reply(
                    Methods.Fetch.Reply(count: 3, found: [Self.found(0, "public.png", 0, 2), WireFound(item: 0)]),
                    descriptors: [file.descriptor], continues: true)
                let gone = WireFound(item: 1, type: "public.html", target: "text/html", missing: "the reason")
                connection.reply(
                    Methods.Fetch.Reply(count: 3, found: [Self.found(1, "public.rtf", 2, 4), gone]),
                    descriptors: [file.descriptor])
            }
        }
        #expect(contents.count == 3)
        #expect(contents.representations.map(\.item) == [0, 1, 1])
        #expect(contents.representations.map(\.type) == ["public.png", "public.rtf", "public.html"])
        #expect(
            contents.representations.map(\.exact) == [false, true, false]
                && contents.representations[2].target == "text/html")
        guard case .range(let first, let range) = contents.representations[0].bytes,
            case .range(let second, let other) = contents.representations[1].bytes,
            case .missing("the reason") = contents.representations[2].bytes
        else {
            Issue.record("unexpected representations: \(contents.representations)")
            return
        }
        #expect(first.file === second.file)
        #expect(try first.bytes(in: range) == Array("ab".utf8) && second.bytes(in: other) == Array("cdef".utf8))
    }

    @Test("A range outside of its file is an incomplete transfer", arguments: [(0, 7), (-1, 1), (3, .max)])
    func badRange(offset: Int, length: Int) throws {
        let error = #expect(throws: BridgeClientError.self) {
            try fetch {
                { _, connection in
                    let file = try MemoryFile.containing(Array("abcdef".utf8))
                    connection.reply(
                        Methods.Fetch.Reply(count: 1, found: [Self.found(0, "public.png", offset, length)]),
                        descriptors: [file.descriptor])
                }
            }
        }
        #expect(error?.code == .transferBroken)
    }

    @Test("An error of the bridge keeps its code, and a bridge that ends midway is reported as unavailable")
    func errors() throws {
        let empty = #expect(throws: BridgeClientError.self) {
            try fetch { { _, connection in connection.fail(BridgeError(.empty, "nothing")) } }
        }
        #expect(empty?.code == .empty)
        let ended = #expect(throws: BridgeClientError.self) { try fetch { { _, _ in throw HangUp() } } }
        #expect(ended?.code == .unavailable)
    }

    @Test("A call with several replies times out if no reply comes")
    func idleTimeout() throws {
        let place = try Place(display: ":1")
        let bridge = try place.bridge(":1") { { _, _ in } }
        try withExtendedLifetime((place, bridge)) {
            let client = try BridgeClient.connect(
                environment: place.environment, timeout: .milliseconds(1), start: .never)
            let error = #expect(throws: BridgeClientError.self) {
                try client.stream(Methods.Set.self, .init(pasteboards: ["general"], items: []), timeoutFor: .firstReply)
                {
                    _, _ in true
                }
            }
            #expect(error?.code == .unavailable)
        }
    }
}
