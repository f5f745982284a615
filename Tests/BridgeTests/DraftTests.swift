import Bridge
import BridgeServer
import BridgeState
import LinuxSystem
import PasteboardModel
import PasteboardWire
import Testing
import UniformTypes

@Suite struct DraftTests {
    private let uploads = ClientTransfers(limits: WireLimits())

    private func draft(_ bytes: WireBytes, type: String = "text/plain", descriptors: [Descriptor] = []) throws -> Draft
    {
        try draft(
            [WireNewItem(representations: [WireNewRepresentation(type: type, bytes: bytes)])], descriptors: descriptors)
    }

    private func draft(
        _ items: [WireNewItem], options: WireOptions? = nil, descriptors: [Descriptor] = []
    ) throws -> Draft {
        try Draft(items, options: options, uploads: uploads, descriptors: descriptors) { name in
            Promise(name: name, ask: { _ in }, onEnd: { _ in })
        }
    }

    private func code(_ body: () throws -> Draft) -> BridgeError.Code? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? BridgeError)?.code
        }
    }

    @Test("Two representations of one descriptor share its file")
    func shared() throws {
        let file = try MemoryFile.containing([1, 2, 3, 4])
        let items = [
            WireNewItem(representations: [
                WireNewRepresentation(type: "image/png", bytes: WireBytes(descriptor: 0, offset: 0, length: 1)),
                WireNewRepresentation(type: "text/plain", bytes: WireBytes(descriptor: 0, offset: 1, length: 3)),
            ])
        ]
        let draft = try draft(items, descriptors: [file.descriptor])
        #expect(draft.backings.count == 1)
        #expect(draft.contents.items[0].representations.map(\.range) == [0..<1, 1..<4])
    }

    @Test(
        "A range outside the bytes is refused",
        arguments: [(0, 5), (4, 1), (5, 0), (-1, 1), (1, -1), (Int.max, 1), (1, Int.max)])
    func outside(offset: Int, length: Int) throws {
        let file = try MemoryFile.containing([1, 2, 3, 4])
        #expect(
            code { try draft(WireBytes(descriptor: 0, offset: offset, length: length), descriptors: [file.descriptor]) }
                == .invalidBytes)
    }

    @Test("An empty range at the end of the bytes is valid")
    func emptyAtTheEnd() throws {
        let file = try MemoryFile.containing([1, 2, 3, 4])
        #expect(
            code { try draft(WireBytes(descriptor: 0, offset: 4, length: 0), descriptors: [file.descriptor]) } == nil)
    }

    @Test("Bytes with two sources, without a source, or with a missing source are refused")
    func unnamed() throws {
        #expect(code { try draft(WireBytes(offset: 0, length: 0)) } == .invalidBytes)
        #expect(code { try draft(WireBytes(descriptor: 0, handle: "1", offset: 0, length: 0)) } == .invalidBytes)
        #expect(code { try draft(WireBytes(descriptor: 0, offset: 0, length: 0)) } == .invalidBytes)
        #expect(code { try draft(WireBytes(handle: "9", offset: 0, length: 0)) } == .invalidBytes)
    }

    @Test("A descriptor that is not a memory file is refused")
    func wrongKind() throws {
        let (socket, _) = try UnixSocket.pair()
        #expect(
            code { try draft(WireBytes(descriptor: 0, offset: 0, length: 0), descriptors: [socket]) } == .invalidBytes)
    }

    @Test("A type that bytes cannot have is refused", arguments: ["", "image", "a\nb", "image/*"])
    func impossibleType(type: String) throws {
        let file = try MemoryFile.containing([1])
        #expect(
            code {
                try draft(WireBytes(descriptor: 0, offset: 0, length: 1), type: type, descriptors: [file.descriptor])
            } == .invalidType)
    }

    @Test("Appended items follow the present items, with their own files")
    func appending() throws {
        let (one, two) = (try MemoryFile.containing([1]), try MemoryFile.containing([2, 2]))
        let first = try draft(WireBytes(descriptor: 0, offset: 0, length: 1), descriptors: [one.descriptor])
        let second = try draft(WireBytes(descriptor: 0, offset: 0, length: 2), descriptors: [two.descriptor])
        let both = try first.appending(second)
        #expect(both.contents.items.map { $0.representations[0].source } == [0, 1])
        #expect(both.backings.map(\.file?.length) == [1, 2])
    }

    @Test("A list of links does not become a list of files")
    func links() throws {
        for (text, type) in [("https://a.example/\r\n", UniformType.url), ("file:///a\r\n", .fileURL), ("", .fileURL)] {
            let file = try MemoryFile.containing(Array(text.utf8))
            let bytes = WireBytes(descriptor: 0, offset: 0, length: text.utf8.count)
            let draft = try draft(bytes, type: "text/uri-list", descriptors: [file.descriptor])
            #expect(draft.contents.items[0].representations[0].type == type)
        }
    }

    @Test("The limit on representations also applies to appended items")
    func tooMany() throws {
        let one = try MemoryFile.containing([1])
        let piece = try draft(WireBytes(descriptor: 0, offset: 0, length: 1), descriptors: [one.descriptor])
        var whole = piece
        while whole.contents.items.count < Contents.maxRepresentations { whole = try whole.appending(whole) }
        #expect(throws: BridgeError.self) { try whole.appending(piece) }
    }

    @Test("The number of different types is limited, because the X server keeps their names")
    func tooManyNames() throws {
        let one = try MemoryFile.containing([1])
        func items(_ count: Int) -> [WireNewItem] {
            (0..<count).map { number in
                WireNewItem(representations: [
                    WireNewRepresentation(
                        type: "com.example.type\(number)", bytes: WireBytes(descriptor: 0, offset: 0, length: 1))
                ])
            }
        }
        _ = try draft(items(Contents.maxNames), descriptors: [one.descriptor])
        #expect(throws: BridgeError.self) { try draft(items(Contents.maxNames + 1), descriptors: [one.descriptor]) }
    }

    @Test(
        "Representations added to an item replace those of the same type, or follow the present ones")
    func added() throws {
        let file = try MemoryFile.containing([1, 2])
        func item(_ types: [String], at offset: Int) -> WireNewItem {
            WireNewItem(
                representations: types.map {
                    WireNewRepresentation(type: $0, bytes: WireBytes(descriptor: 0, offset: offset, length: 1))
                })
        }
        let first = item(["com.example.a", "com.example.b"], at: 0)
        let present = try draft([first, first], descriptors: [file.descriptor])
        let more = try draft([item(["com.example.b", "com.example.c"], at: 1)], descriptors: [file.descriptor])
        let whole = try present.adding(more, toItem: 1)
        #expect(
            whole.contents.items.map { $0.representations.map(\.type.identifier) } == [
                ["com.example.a", "com.example.b"], ["com.example.a", "com.example.b", "com.example.c"],
            ])
        #expect(whole.contents.items[1].representations.map(\.range) == [0..<1, 1..<2, 1..<2])
        #expect(throws: BridgeError.self) { try present.adding(more, toItem: 2) }
        #expect(throws: BridgeError.self) { try more.adding(present, toItem: 0) }
    }

    @Test("Clients cannot write the target of an archive of items as a type")
    func archive() throws {
        let file = try MemoryFile.containing([1])
        let bytes = WireBytes(descriptor: 0, offset: 0, length: 1)
        #expect(
            code { try draft(bytes, type: ItemArchive.mediaType, descriptors: [file.descriptor]) } == .invalidType)
    }

    @Test("Combined contents have the stricter of their options")
    func options() throws {
        let file = try MemoryFile.containing([1])
        let item = WireNewItem(representations: [
            WireNewRepresentation(type: "com.example.a", bytes: WireBytes(descriptor: 0, offset: 0, length: 1))
        ])
        func draft(_ options: WireOptions?) throws -> Draft {
            try self.draft([item], options: options, descriptors: [file.descriptor])
        }
        let plain = try draft(nil)
        let strict = try draft(WireOptions(expires: 60_000, localOnly: true))
        let later = try draft(WireOptions(expires: 120_000))
        for whole in [try plain.appending(strict), try strict.appending(plain), try later.appending(strict)] {
            #expect(whole.options.localOnly && whole.expiry == strict.expiry)
        }
        #expect(throws: BridgeError.self) { try draft(WireOptions(expires: 0)) }
    }
}
