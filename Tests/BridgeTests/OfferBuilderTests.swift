import LinuxSystem
import PasteboardModel
import SelectionProtocol
import Testing
import UniformTypes

@testable import Bridge

@Suite struct OfferBuilderTests {
    private static let writer = Board.Writer(process: 1, program: "test")

    private func offer(_ representations: [(String, [UInt8])], exact: Bool = false) throws -> Offer {
        var files: [MemoryFile] = []
        let items = try representations.map { name, bytes in
            files.append(try MemoryFile.containing(bytes))
            let (type, target) = try #require(SourceType.concrete(named: name))
            return Representation(
                type: type, target: target, exact: exact, source: files.count - 1, range: 0..<bytes.count)
        }
        let version = Board.Version(
            id: OfferID(1), contents: Contents(items: [Item(representations: items)]), files: files,
            writer: Self.writer)
        return OfferBuilder.offer(for: version, on: "CLIPBOARD")
    }

    private func bytes(_ target: String, of offer: Offer) throws -> [UInt8] {
        let body = offer.bodies[try #require(offer.targets.first { $0.name == target }).body]
        return try body.file.bytes(in: body.range)
    }

    @Test("A text is offered under all the names a text has, UTF8_STRING first")
    func names() throws {
        let offer = try offer([("text", Array("héllo".utf8))])
        #expect(
            offer.targets.map(\.name) == [
                "UTF8_STRING", "text/plain;charset=utf-8", "text/plain", "STRING", "TEXT", "COMPOUND_TEXT",
            ])
        #expect(try bytes("STRING", of: offer) == [0x68, 0xE9, 0x6C, 0x6C, 0x6F])
        #expect(try bytes("COMPOUND_TEXT", of: offer) == [0x68, 0xE9, 0x6C, 0x6C, 0x6F])
        #expect(try bytes("UTF8_STRING", of: offer) == Array("héllo".utf8))
    }

    @Test("TEXT answers with the type UTF8_STRING, all others with their own")
    func types() throws {
        for target in try offer([("text", [0x61])]).targets {
            #expect(target.type == (target.name == "TEXT" ? "UTF8_STRING" : target.name))
        }
    }

    @Test("An ASCII text has one body under all its names")
    func oneBody() throws {
        #expect(try offer([("text", Array("plain".utf8))]).bodies.count == 1)
    }

    @Test(
        "STRING and COMPOUND_TEXT are not offered where they cannot hold the text",
        arguments: [Array("10 €".utf8), Array("漢字".utf8), [0x61, 0xFF]])
    func beyondLatin(bytes: [UInt8]) throws {
        let names = try offer([("text", bytes)]).targets.map(\.name)
        #expect(!names.contains("STRING"))
        #expect(!names.contains("COMPOUND_TEXT"))
        #expect(names.contains("UTF8_STRING"))
    }

    @Test("Control characters fit into STRING and not into compound text")
    func controls() throws {
        let names = try offer([("text", Array("a\u{1B}b\r\n".utf8))]).targets.map(\.name)
        #expect(names.contains("STRING"))
        #expect(!names.contains("COMPOUND_TEXT"))
    }

    @Test("A name that the writer gave stands for the writer's bytes")
    func given() throws {
        let offer = try offer([("STRING", [0xE9])])
        #expect(try bytes("STRING", of: offer) == [0xE9])
    }

    @Test("An exact representation is offered under its name alone")
    func exact() throws {
        #expect(try offer([("text/plain", [0x61])], exact: true).targets.map(\.name) == ["text/plain"])
    }

    @Test(
        "An unknown name is offered as it was given",
        arguments: ["application/x-Foo; bar=1", "_MY_TARGET", "com.example.note"])
    func unknown(name: String) throws {
        #expect(try offer([(name, [1, 2])]).targets.map(\.name) == [name])
    }

    @Test("Of two representations with one name the first answers")
    func first() throws {
        let offer = try offer([("text/html", [1]), ("text/html", [2])])
        #expect(try bytes("text/html", of: offer) == [1])
    }

    @Test("A text in Latin-1 is never another text's")
    func latinOfItsOwn() throws {
        let offer = try offer([("text", Array("é\u{1}".utf8)), ("text/plain", Array("ü".utf8))])
        #expect(try bytes("STRING", of: offer) == [0xE9, 1])
        #expect(try bytes("COMPOUND_TEXT", of: offer) == [0xFC])
    }

    @Test("Each type of several keeps its place")
    func order() throws {
        let names = try offer([("image/png", [1]), ("text", [0x61])]).targets.map(\.name)
        #expect(names.first == "image/png")
        #expect(names.contains("UTF8_STRING"))
    }
}
