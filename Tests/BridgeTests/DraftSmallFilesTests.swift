import Bridge
import BridgeServer
import BridgeState
import FoundationEssentials
import LinuxSystem
import PasteboardModel
import PasteboardWire
import Testing

/// Contents made of many small files, which would cost a descriptor each.
@Suite struct DraftSmallFilesTests {
    private let uploads: ClientTransfers

    init() {
        var limits = WireLimits()
        limits.handles = 100_000
        uploads = ClientTransfers(limits: limits)
    }

    private func upload(_ bytes: [UInt8]) throws -> WireBytes {
        let handle = try uploads.begin().handle
        for start in stride(from: 0, to: bytes.count, by: 200_000) {
            let piece = Data(bytes[start..<min(start + 200_000, bytes.count)])
            _ = try uploads.append(.init(handle: handle, data: piece.base64EncodedString()))
        }
        _ = try uploads.commit(handle)
        return WireBytes(handle: handle, offset: 0, length: bytes.count)
    }

    /// Returns a draft with an item for each element.
    private func draft(_ all: [[UInt8]], promising: Bool = false) throws -> Draft {
        var items = try all.map {
            WireNewItem(representations: [WireNewRepresentation(type: "text/plain", bytes: try upload($0))])
        }
        if promising {
            items.insert(WireNewItem(representations: [WireNewRepresentation(type: "text/plain", promise: "1")]), at: 0)
        }
        return try Draft(items, uploads: uploads, descriptors: []) { name in
            Promise(name: name, ask: { _ in }, onEnd: { _ in })
        }
    }

    /// Returns the bytes of the representations; nil for promises.
    private func bytes(of draft: Draft) throws -> [[UInt8]?] {
        try draft.contents.items.flatMap(\.representations).map { representation in
            try representation.range.flatMap { range in
                try draft.backings[representation.source].file?.bytes(in: range)
            }
        }
    }

    private func small(_ count: Int, from first: Int = 0) -> [[UInt8]] {
        (first..<first + count).map { Array("number \($0)".utf8) }
    }

    @Test("Many small uploads become one file with all their bytes")
    func many() throws {
        let all = small(500) + [[]]
        let draft = try draft(all)
        #expect(draft.backings.count == 1)
        #expect(try bytes(of: draft) == all)
    }

    @Test("Long files and promises stay as they are")
    func others() throws {
        let long = [UInt8](repeating: 7, count: 65_537)
        let all = small(40) + [long] + small(40, from: 40) + [[UInt8](repeating: 8, count: 65_536)]
        let draft = try draft(all, promising: true)
        #expect(draft.backings.count == 3)
        #expect(draft.backings[draft.contents.items[0].representations[0].source].promise != nil)
        #expect(draft.backings[draft.contents.items[41].representations[0].source].file?.length == 65_537)
        #expect(try bytes(of: draft) == [nil] + all)
    }

    @Test("A few files are not copied")
    func few() throws {
        let draft = try draft(small(64))
        #expect(draft.backings.count == 64)
    }

    @Test("Files that are appended repeatedly are merged too, and no bytes are lost")
    func appended() throws {
        let long = [UInt8](repeating: 7, count: 70_000)
        var whole = try draft([long])
        for round in 0..<100 {
            whole = try whole.appending(try draft(small(30, from: round * 30)))
            #expect(whole.backings.count <= 66)
        }
        #expect(try bytes(of: whole) == [long] + small(3_000))
    }

    @Test("Ranges of a merged file keep their bytes")
    func ranges() throws {
        let file = try MemoryFile.containing(Array("first second".utf8))
        func item(_ bytes: WireBytes) -> WireNewItem {
            WireNewItem(representations: [WireNewRepresentation(type: "text/plain", bytes: bytes)])
        }
        let parts = [(0, 5), (6, 6)].map { item(WireBytes(descriptor: 0, offset: $0.0, length: $0.1)) }
        let items = try small(100).map { item(try upload($0)) } + parts
        let draft = try Draft(items, uploads: uploads, descriptors: [file.descriptor]) { _ in fatalError() }
        #expect(draft.backings.count == 1)
        #expect(try bytes(of: draft) == small(100) + [Array("first".utf8), Array("second".utf8)])
    }
}
