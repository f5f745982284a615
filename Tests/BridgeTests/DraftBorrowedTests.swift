import Bridge
import BridgeServer
import BridgeState
import FormatConversion
import LinuxSystem
import PasteboardStore
import PasteboardWire
import SystemPackage
import Testing

/// Contents in a file that the client may change after passing it.
@Suite(.timeLimit(.minutes(10))) struct DraftBorrowedTests {
    private let stored: StoredService
    private var client: ServiceClient { stored.client }
    private let file: Descriptor
    private static let text = String(repeating: "borrowed ", count: 200_000)

    init() throws {
        stored = try StoredService()
        file = try stored.makeFile(Self.text)
    }

    /// - Returns: The counts of the reply.
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

    @Test("A borrowed file is copied into the store, and later changes to the file do not affect the pasteboard")
    func copied() throws {
        #expect(try set() == [1])
        try file.fileDescriptor.writeAll(Array("CHANGED".utf8))
        try file.fileDescriptor.resize(to: 100)
        #expect(try stored.text() == Self.text)
        #expect(try stored.pasteboard().version?.backings.map(\.file?.kind) == [.stored])
        #expect(try stored.killed().text() == Self.text)
    }

    @Test("A range of a borrowed file can be written alone, or appended to other contents")
    func ranges() throws {
        #expect(try set(offset: 9) == [1])
        #expect(try stored.text() == String(Self.text.dropFirst(9)))
        try stored.set("a")
        #expect(try set(offset: 18, append: true) == [3])
        let version = try #require(try stored.pasteboard().version)
        let texts = try version.sources.map { String(decoding: try #require($0.bytes).bytes(), as: UTF8.self) }
        #expect(texts == ["a", String(Self.text.dropFirst(18))])
    }

    @Test("Contents of a borrowed file are undone and redone like any contents")
    func undone() throws {
        try stored.set("a")
        try set()
        _ = try stored.call(Methods.Undo.self, .init(pasteboard: "general"))
        #expect(try stored.text() == "a")
        _ = try stored.call(Methods.Redo.self, .init(pasteboard: "general"))
        #expect(try stored.text() == Self.text)
    }

    @Test("A borrowed file is refused for contents that are not stored, and nothing changes")
    func notStored() throws {
        try stored.set("a")
        for options in [WireOptions(memory: true), WireOptions(once: true)] {
            #expect(try error { try set(options: options) }.code == .invalidBytes)
        }
        #expect(try stored.text() == "a" && stored.pasteboard().count == 1)
    }

    @Test("A file on another file system is refused")
    func elsewhere() throws {
        let other = Descriptor(adopting: try FileDescriptor.open(FilePath("/proc/version"), .readOnly))
        #expect(try error { try set(other) }.message.contains("cannot be used"))
        #expect(try stored.pasteboard().version == nil)
    }

    @Test("A file that becomes shorter while it is copied is an error, and nothing changes")
    func cut() throws {
        try stored.set("a")
        // After its first piece, of 1 MiB, the copy waits until the file is shorter.
        let (copied, shortened) = (Latch(), Latch())
        defer { shortened.open() }
        stored.thread.afterPiece = {
            copied.open()
            shortened.wait()
        }
        let bytes = WireBytes(descriptor: 0, offset: 0, length: Self.text.utf8.count)
        let item = WireNewItem(representations: [.init(type: "public.utf8-plain-text", bytes: bytes)])
        try client.call(Methods.Set.self, .init(pasteboards: ["general"], items: [item]), descriptors: [file])
        stored.fixture.catchUp()
        copied.wait()
        try file.fileDescriptor.resize(to: 1 << 20)
        shortened.open()
        try stored.settle()
        let error = try error { _ = try client.replies(to: Methods.Set.self) }
        #expect(error.code == .transferBroken && error.message.contains("shorter"))
        #expect(try stored.text() == "a" && stored.pasteboard().count == 1)
        #expect(try stored.history().map(\.preview) == ["a"])
    }

    @Test("A borrowed file does not fulfill a promise")
    func promise() throws {
        #expect(throws: BridgeError.self) {
            try Draft.bytes(
                WireBytes(descriptor: 0, offset: 0, length: 1), uploads: ClientTransfers(limits: WireLimits()),
                descriptors: [file])
        }
    }
}
