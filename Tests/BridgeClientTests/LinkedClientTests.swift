import BridgeClient
import BridgeFixture
import LinuxSystem
import PasteboardWire
import Synchronization
import SystemPackage
import Testing

/// Tests of a client whose connection passes no descriptors, with a bridge that keeps uploads.
@Suite struct LinkedClientTests {
    /// The calls that a bridge receives, and the uploads it keeps.
    private final class Record: Sendable {
        private let state = Mutex<(calls: [String], uploads: [[UInt8]])>(([], []))

        var calls: [String] { state.withLock { $0.calls } }
        var uploads: [[UInt8]] { state.withLock { $0.uploads } }

        func add(_ call: String) { state.withLock { $0.calls.append(call) } }

        /// Keeps an upload, and returns its handle.
        func keep(_ bytes: [UInt8]) -> String {
            state.withLock { state in
                state.uploads.append(bytes)
                return "u\(state.uploads.count)"
            }
        }
    }

    /// Runs `body` with a client of a bridge whose calls `handler` answers, except for uploads, downloads and releases.
    private func withClient<Result>(
        _ handler: @escaping @Sendable (IncomingCall, ServerConnection) throws -> Void,
        _ body: (BridgeClient, Record) throws -> Result
    ) throws -> Result {
        let place = try Place(display: ":1")
        let record = Record()
        let bridge = try place.bridge(":1") {
            { call, connection in
                guard call.descriptors.isEmpty else { throw HangUp() }
                switch call.method.split(separator: ".").last {
                case "Upload": try Self.receive(call, on: connection, record)
                case "Download": try Self.send(call, on: connection, record)
                case "Release":
                    record.add("Release \(try call.parameters(Methods.Release.Parameters.self).handle)")
                    connection.reply(NoParameters())
                default:
                    record.add(String(call.method.split(separator: ".").last ?? ""))
                    try handler(call, connection)
                }
            }
        }
        return try withExtendedLifetime((place, bridge)) {
            let path = try place.runtimeDirectory.socketPath(":1")
            let client = BridgeClient(
                adopting: try ClientConnection.connect(path: path), path: path, timeout: .seconds(60),
                passesDescriptors: false)
            return try body(client, record)
        }
    }

    private static func receive(_ call: IncomingCall, on connection: ServerConnection, _ record: Record) throws {
        let length = try call.parameters(Methods.Upload.Parameters.self).length
        record.add("Upload \(length)")
        var received: [UInt8] = []
        connection.receiveBytes(length) { bytes throws(BridgeError) in
            received += bytes
        } end: { [unowned connection] () throws(BridgeError) in
            connection.reply(Methods.Upload.Reply(handle: record.keep(received)))
        }
    }

    /// Sends the handle's text, repeated to the requested length.
    private static func send(_ call: IncomingCall, on connection: ServerConnection, _ record: Record) throws {
        let wanted = try call.parameters(Methods.Download.Parameters.self)
        record.add("Download \(wanted.handle) \(wanted.offset) \(wanted.length)")
        guard wanted.handle != "gone" else { return connection.fail(BridgeError(.invalidBytes, "unknown")) }
        let end = wanted.handle == "short" ? 3 : Int.max
        let length = max(0, min(wanted.length, end - wanted.offset))
        let bytes = Self.content(of: wanted.handle, wanted.offset..<wanted.offset + length)
        connection.reply(
            Methods.Download.Reply(length: length), followedBy: try MemoryFile.containing(bytes), 0..<length)
    }

    private static func content(of handle: String, _ range: Range<Int>) -> [UInt8] {
        let text = Array(handle.utf8)
        return range.map { text[$0 % text.count] }
    }

    private static func item(_ parts: WireBytes...) -> WireNewItem {
        WireNewItem(representations: parts.map { WireNewRepresentation(type: "public.data", bytes: $0) })
    }

    // MARK: Outgoing

    @Test("The used bytes of each descriptor are uploaded before the call, which names them by handle")
    func outgoing() throws {
        let files = try ["abcdef", "unused", "xyz"].map { try MemoryFile.containing(Array($0.utf8)) }
        try withClient { call, connection in
            let parts = try call.parameters(Methods.Set.Parameters.self).items.flatMap(\.representations).map(\.bytes)
            if !parts.isEmpty {
                guard parts.map({ $0?.handle }) == ["u1", "u2", "u1", nil],
                    parts.map({ $0?.offset }) == [1, 0, 0, nil], parts.map({ $0?.length }) == [3, 3, 2, nil],
                    parts.allSatisfy({ $0?.descriptor == nil })
                else { throw HangUp() }
            }
            connection.reply(Methods.Set.Reply(counts: [4]))
        } _: { client, record in
            var parameters = Methods.Set.Parameters(
                pasteboards: ["general"],
                items: [
                    Self.item(WireBytes(descriptor: 0, offset: 1, length: 3)),
                    Self.item(
                        WireBytes(descriptor: 2, offset: 0, length: 3), WireBytes(descriptor: 0, offset: 0, length: 2)),
                ])
            parameters.items[1].representations.append(WireNewRepresentation(type: "public.png", promise: "1"))
            let reply = try client.call(Methods.Set.self, parameters, descriptors: files.map(\.descriptor)).reply
            #expect(reply.counts == [4])
            // The answer to another call shows that the releases have been received.
            _ = try client.call(Methods.Set.self, .init(pasteboards: [], items: []))
            #expect(record.uploads == [Array("abcd".utf8), Array("xyz".utf8)])
            #expect(
                record.calls == ["Upload 4", "Upload 3", "Set", "Release u1", "Release u2", "Set"])
        }
    }

    @Test("Only the named part of a file on disk is uploaded, and it is released if the call fails")
    func keep() throws {
        let place = try Place()
        let disk = try withExtendedLifetime(place) {
            Descriptor(
                adopting: try FileDescriptor.open(
                    FilePath(place.file("a")), .readWrite, options: .create, permissions: .ownerReadWrite))
        }
        try disk.fileDescriptor.writeBytes([1, 2, 3])
        try withClient { call, connection in
            guard call.isCall(of: Methods.Keep.self) else { return connection.reply(Methods.Count.Reply(count: 1)) }
            let bytes = try call.parameters(Methods.Keep.Parameters.self).bytes
            guard bytes.handle == "u1", bytes.offset == 0, bytes.length == 2 else { throw HangUp() }
            connection.fail(BridgeError(.invalidBytes, "nobody waits"))
        } _: { client, record in
            let parameters = Methods.Keep.Parameters(
                ticket: "t", bytes: WireBytes(descriptor: 0, offset: 1, length: 2))
            let error = #expect(throws: BridgeClientError.self) {
                try client.call(Methods.Keep.self, parameters, descriptors: [disk])
            }
            #expect(error?.code == .transferBroken && error?.message == "nobody waits")
            _ = try client.call(Methods.Count.self, .init(pasteboard: "general"))
            // The byte before that part is not for the other machine.
            #expect(record.uploads == [[2, 3]])
            #expect(record.calls == ["Upload 2", "Keep", "Release u1", "Count"])
        }
    }

    @Test("The bytes of a call with promises are released when its replies have ended")
    func promises() throws {
        let file = try MemoryFile.containing([1, 2])
        try withClient { call, connection in
            guard call.isCall(of: Methods.Set.self) else { return connection.reply(Methods.Count.Reply(count: 1)) }
            connection.reply(Methods.Set.Reply(counts: [1]), continues: true)
            connection.reply(Methods.Set.Reply(counts: [], ended: .kept))
        } _: { client, record in
            var replies = 0
            let parameters = Methods.Set.Parameters(
                pasteboards: ["general"], items: [Self.item(WireBytes(descriptor: 0, offset: 0, length: 2))])
            try client.stream(
                Methods.Set.self, parameters, descriptors: [file.descriptor], timeoutFor: .firstReply
            ) { reply, _ in
                replies += 1
                return reply.ended == nil
            }
            _ = try client.call(Methods.Count.self, .init(pasteboard: "general"))
            #expect(replies == 2 && record.calls == ["Upload 2", "Set", "Release u1", "Count"])
        }
    }

    @Test("A secret is refused before anything is sent")
    func concealed() throws {
        let file = try MemoryFile.containing([1])
        let pipe = try FileDescriptor.pipe(options: .closeOnExec)
        let (secret, writer) = (Descriptor(adopting: pipe.readEnd), Descriptor(adopting: pipe.writeEnd))
        try writer.fileDescriptor.writeBytes([7, 7])
        try withClient { _, connection in
            connection.reply(Methods.Count.Reply(count: 1))
        } _: { client, record in
            let parameters = Methods.Set.Parameters(
                pasteboards: ["general"],
                items: [
                    Self.item(
                        WireBytes(descriptor: 0, offset: 0, length: 1), WireBytes(descriptor: 1, offset: 0, length: 2))
                ])
            let error = #expect(throws: BridgeClientError.self) {
                try client.call(Methods.Set.self, parameters, descriptors: [file.descriptor, secret])
            }
            #expect(
                error
                    == BridgeClientError(
                        code: .refused, message: "concealed contents are not sent over a link to another machine"))
            #expect(record.calls.isEmpty)
            let count = try client.call(Methods.Count.self, .init(pasteboard: "general")).reply.count
            #expect(count == 1)
        }
    }

    // MARK: Incoming

    private static func reply(_ bytes: WireBytes) -> Methods.Get.Reply {
        Methods.Get.Reply(count: 3, item: 1, type: "public.png", target: "image/png", bytes: bytes)
    }

    @Test("Bytes that are read are downloaded from a handle, which is then released")
    func get() throws {
        try withClient { call, connection in
            guard call.isCall(of: Methods.Get.self) else { return connection.reply(Methods.Count.Reply(count: 1)) }
            guard try call.parameters(Methods.Get.Parameters.self).descriptors == nil else { throw HangUp() }
            connection.reply(Self.reply(WireBytes(handle: "abc", offset: 100, length: 65_537)))
        } _: { client, record in
            let found = try client.get(pasteboard: "general")
            let isSame =
                try found.bytes.bytes(in: found.range) == Self.content(of: "abc", 100..<65_637)
            #expect(isSame)
            #expect(found.type == "public.png" && found.target == "image/png" && found.count == 3 && found.item == 1)
            _ = try client.call(Methods.Count.self, .init(pasteboard: "general"))
            #expect(record.calls == ["Get", "Download abc 100 65537", "Release abc", "Count"])
        }
    }

    @Test("Empty contents are not downloaded")
    func empty() throws {
        try withClient { call, connection in
            guard call.isCall(of: Methods.Get.self) else { return connection.reply(Methods.Count.Reply(count: 1)) }
            connection.reply(Self.reply(WireBytes(handle: "abc", offset: 0, length: 0)))
        } _: { client, record in
            #expect(try client.get(pasteboard: "general").range.isEmpty)
            _ = try client.call(Methods.Count.self, .init(pasteboard: "general"))
            #expect(record.calls == ["Get", "Release abc", "Count"])
        }
    }

    @Test("Each handle that several replies name is downloaded once, and only in the range that they cover")
    func fetch() throws {
        @Sendable func found(_ item: Int, _ handle: String, _ offset: Int, _ length: Int) -> WireFound {
            WireFound(
                item: item, type: "public.data", bytes: WireBytes(handle: handle, offset: offset, length: length))
        }
        try withClient { call, connection in
            guard call.isCall(of: Methods.Fetch.self) else { return connection.reply(Methods.Count.Reply(count: 1)) }
            guard try call.parameters(Methods.Fetch.Parameters.self).descriptors == nil else { throw HangUp() }
            connection.reply(
                Methods.Fetch.Reply(count: 2, found: [found(0, "abc", 5, 3), WireFound(item: 1)]), continues: true)
            let missing = WireFound(item: 2, type: "public.png", missing: "the reason")
            connection.reply(
                Methods.Fetch.Reply(
                    count: 2, found: [found(2, "abc", 2, 4), missing, found(2, "de", 0, 7), found(3, "abc", 1, 0)]))
        } _: { client, record in
            let contents = try client.fetch(pasteboard: "general")
            #expect(contents.count == 2 && contents.representations.map(\.item) == [0, 2, 2, 2, 3])
            let texts = try contents.representations.map { representation in
                switch representation.bytes {
                case .range(let bytes, let range): String(decoding: try bytes.bytes(in: range), as: UTF8.self)
                case .missing(let reason): reason
                }
            }
            #expect(texts == ["cab", "cabc", "the reason", "dededed", ""])
            _ = try client.call(Methods.Count.self, .init(pasteboard: "general"))
            #expect(
                Set(record.calls.dropFirst().dropLast())
                    == ["Download abc 2 6", "Download de 0 7", "Release abc", "Release de"])
        }
    }

    @Test("A handle that is gone, or sends fewer bytes than announced, is an incomplete transfer")
    func broken() throws {
        let messages = ["short": "the bridge sent fewer bytes than it said; try again", "gone": "unknown"]
        for (handle, message) in messages {
            try withClient { call, connection in
                guard call.isCall(of: Methods.Get.self) else {
                    return connection.reply(Methods.Count.Reply(count: 1))
                }
                connection.reply(Self.reply(WireBytes(handle: handle, offset: 0, length: 10)))
            } _: { client, record in
                let error = #expect(throws: BridgeClientError.self) { _ = try client.get(pasteboard: "general") }
                #expect(error?.code == .transferBroken && error?.message == message)
                _ = try client.call(Methods.Count.self, .init(pasteboard: "general"))
                #expect(record.calls.contains("Release \(handle)"))
            }
        }
    }
}
