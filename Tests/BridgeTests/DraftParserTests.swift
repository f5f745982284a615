import Bridge
import BridgeState
import LinuxSystem
import PasteboardModel
import PasteboardWire
import Testing
import UniformTypes

@Suite struct DraftParserTests {
    private static func representation(_ type: String, _ range: Range<Int>) -> WireNewRepresentation {
        WireNewRepresentation(
            type: type, bytes: WireBytes(descriptor: 0, offset: range.lowerBound, length: range.count))
    }

    @Test("A list that begins with a link is a list of links, up to a total size of all lists")
    func links() throws {
        let link = Array("https://example.org/\r\n".utf8)
        let half = link + [UInt8](repeating: UInt8(ascii: "#"), count: Draft.maxListLength / 2 - link.count)
        let file = try MemoryFile.containing(half)
        var parser = DraftParser()
        let types = try (0..<4).map { _ in
            try parser.parse(
                Self.representation("text/uri-list", 0..<half.count), source: 0, backing: .file(file)
            ).type
        }
        #expect(types == [.url, .url, .fileURL, .fileURL])
    }

    @Test("The number of lists that are examined is limited, however short they are")
    func manyLists() throws {
        let link = Array("https://e.org/".utf8)
        let file = try MemoryFile.containing(link)
        var parser = DraftParser()
        var links = 0
        for _ in 0..<10_000 {
            let parsed = try parser.parse(
                Self.representation("text/uri-list", 0..<link.count), source: 0, backing: .file(file))
            if parsed.type == .url { links += 1 }
        }
        #expect(links == 4_096)
    }

    @Test("The first type beyond the limit ends the parsing, and the error for an invalid type is short")
    func refusals() throws {
        let file = try MemoryFile.containing([1])
        var parser = DraftParser()
        var parsed = 0
        #expect(throws: BridgeError.tooManyNames) {
            while true {
                _ = try parser.parse(
                    Self.representation("com.example.type\(parsed)", 0..<1), source: 0, backing: .file(file))
                parsed += 1
            }
        }
        #expect(parsed == Contents.maxNames)
        let long = String(repeating: "é", count: 1_000_000)
        let error = #expect(throws: BridgeError.self) {
            try parser.parse(Self.representation(long, 0..<1), source: 0, backing: .file(file))
        }
        #expect(error?.code == .invalidType && (error?.message.utf8.count ?? .max) < 1_000)
    }
}
