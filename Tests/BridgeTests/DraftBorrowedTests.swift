import Bridge
import FormatConversion
import LinuxSystem
import PasteboardStore
import PasteboardWire
import SystemPackage
import Testing

/// Contents that a client passes as a file which it may change.
@Suite struct DraftBorrowedTests {
    private let stored: StoredService
    private var client: ServiceClient { stored.client }
    private let file: Descriptor
    private static let text = String(repeating: "borrowed ", count: 200_000)

    init() throws {
        stored = try StoredService()
        file = try stored.makeFile(Self.text)
    }

    /// - Returns: What came of it.
    @discardableResult
    private func set(
        on name: String = "general", offset: Int = 0, options: WireOptions? = nil, append: Bool? = nil,
        _ file: Descriptor? = nil
    ) throws -> [Int]? {
        let bytes = WireBytes(descriptor: 0, offset: offset, length: Self.text.utf8.count - offset)
        let item = WireNewItem(representations: [.init(type: "public.utf8-plain-text", bytes: bytes)])
        try client.call(
            Methods.Set.self, .init(pasteboards: [name], items: [item], append: append, options: options),
            descriptors: [file ?? self.file])
        stored.fixture.catchUp()
        try stored.settle()
        return try client.replies(to: Methods.Set.self).first?.counts
    }

    private func error(_ body: () throws -> Void) throws -> BridgeError {
        try #require(#expect(throws: BridgeError.self) { try body() })
    }

    @Test("It is copied into the store, and what becomes of it later is nothing to the pasteboard")
    func copied() throws {
        #expect(try set() == [1])
        try file.fileDescriptor.writeAll(Array("CHANGED".utf8))
        try file.fileDescriptor.resize(to: 100)
        #expect(try stored.text() == Self.text)
        #expect(try stored.pasteboard().version?.backings.map(\.file?.kind) == [.stored])
        #expect(try stored.killed().text() == Self.text)
    }

    @Test("A range of it is what is written, alone and behind what is there")
    func ranges() throws {
        #expect(try set(offset: 9) == [1])
        #expect(try stored.text() == String(Self.text.dropFirst(9)))
        try stored.set("a")
        #expect(try set(offset: 18, append: true) == [3])
        let version = try #require(try stored.pasteboard().version)
        let texts = try version.sources.map { String(decoding: try #require($0.bytes).bytes(), as: UTF8.self) }
        #expect(texts == ["a", String(Self.text.dropFirst(18))])
    }

    @Test("It is undone and redone like any other contents")
    func undone() throws {
        try stored.set("a")
        try set()
        _ = try stored.call(Methods.Undo.self, .init(pasteboard: "general"))
        #expect(try stored.text() == "a")
        _ = try stored.call(Methods.Redo.self, .init(pasteboard: "general"))
        #expect(try stored.text() == Self.text)
    }

    @Test("Where it does not go to the disk it is refused, and nothing has changed")
    func notStored() throws {
        try stored.set("a")
        for options in [WireOptions(memory: true), WireOptions(once: true)] {
            #expect(try error { try set(options: options) }.code == .invalidBytes)
        }
        #expect(try stored.text() == "a" && stored.pasteboard().count == 1)
    }

    @Test("A file of another file system is refused")
    func elsewhere() throws {
        let other = Descriptor(adopting: try FileDescriptor.open(FilePath("/proc/self/maps"), .readOnly))
        #expect(try error { try set(other) }.message.contains("cannot be used"))
        #expect(try stored.pasteboard().version == nil)
    }

    @Test("One that has become shorter meanwhile is told, and nothing has changed")
    func cut() throws {
        try stored.set("a")
        stored.halt()
        let bytes = WireBytes(descriptor: 0, offset: 0, length: Self.text.utf8.count)
        let item = WireNewItem(representations: [.init(type: "public.utf8-plain-text", bytes: bytes)])
        try client.call(Methods.Set.self, .init(pasteboards: ["general"], items: [item]), descriptors: [file])
        stored.fixture.catchUp()
        try file.fileDescriptor.resize(to: 1 << 20)
        try stored.proceed()
        let error = try error { _ = try client.replies(to: Methods.Set.self) }
        #expect(error.code == .transferBroken && error.message.contains("shorter"))
        #expect(try stored.text() == "a" && stored.pasteboard().count == 1)
        #expect(try stored.history().map(\.preview) == ["a"])
    }

    @Test("A promise is not kept with one")
    func promise() throws {
        #expect(throws: BridgeError.self) {
            try Draft.bytes(
                WireBytes(descriptor: 0, offset: 0, length: 1), uploads: ClientTransfers(limits: WireLimits()),
                descriptors: [file])
        }
    }
}
