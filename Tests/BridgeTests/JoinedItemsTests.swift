import LinuxSystem
import PasteboardModel
import SelectionProtocol
import Testing
import UniformTypes

@testable import Bridge

@Suite struct JoinedItemsTests {
    private func bytes(_ target: String, ofItems items: [(String, String)]) throws -> String? {
        var files: [MemoryFile] = []
        let contents = try items.map { name, text in
            files.append(try MemoryFile.containing(Array(text.utf8)))
            let (type, target) = try #require(SourceType.concrete(named: name))
            return Item(representations: [
                Representation(type: type, target: target, source: files.count - 1, range: 0..<text.utf8.count)
            ])
        }
        let version = Board.Version(
            id: OfferID(1), contents: Contents(items: contents), files: files,
            writer: Board.Writer(process: 1, program: nil))
        let offer = OfferBuilder.offer(for: version, on: "CLIPBOARD")
        guard let found = offer.targets.first(where: { $0.name == target }) else { return nil }
        let body = offer.bodies[found.body]
        return String(decoding: try body.file.bytes(in: body.range), as: UTF8.self)
    }

    @Test("Texts of several items are joined by newlines, under all the names of a text")
    func texts() throws {
        let items = [("text", "a"), ("text", "b"), ("image/png", "c")]
        for target in ["UTF8_STRING", "text/plain", "STRING"] {
            #expect(try bytes(target, ofItems: items) == "a\nb")
        }
        #expect(try bytes("image/png", ofItems: items) == "c")
    }

    @Test("Files stand in one list, a line each that ends with CRLF")
    func files() throws {
        let items = [("public.file-url", "file:///a"), ("public.file-url", "file:///b%20c")]
        #expect(try bytes("text/uri-list", ofItems: items) == "file:///a\r\nfile:///b%20c\r\n")
        #expect(try bytes("text/uri-list", ofItems: [items[0]]) == "file:///a\r\n")
    }

    @Test("One text stays as it is, and so does a list that was given")
    func one() throws {
        #expect(try bytes("UTF8_STRING", ofItems: [("text", "a\n")]) == "a\n")
        #expect(try bytes("text/uri-list", ofItems: [("text/uri-list", "file:///a")]) == "file:///a")
    }
}
