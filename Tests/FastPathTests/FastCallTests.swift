import FastPath
import Foundation
import LinuxSystem
import PasteboardWire
import SystemPackage
import Testing

@Suite struct FastCallTests {
    private func decoded<Method: WireMethod>(_ message: [UInt8], _: Method.Type) throws -> WireCall<Method.Parameters> {
        #expect(message.firstIndex(of: 0) == message.count - 1)
        let decoded = try WireJSON.decode(WireCall<Method.Parameters>.self, from: message)
        #expect(decoded.method == Method.fullName)
        return decoded
    }

    private func line(_ words: String...) throws -> FastLine {
        try #require(FastLine(words.map { Array($0.utf8) }))
    }

    @Test("A get has the parameters of the ordinary path")
    func get() throws {
        let plain = try decoded(FastCall.get(line("get")), Methods.Get.self)
        // Long contents of another program come in a stream, which the ordinary path reads.
        #expect(plain.more == true && plain.parameters.stream == true && plain.oneway == nil)
        #expect(plain.parameters.pasteboard == "general")
        #expect(plain.parameters.types == nil)
        #expect(plain.parameters.exact == nil)
        #expect(plain.parameters.timeout == 5_000)
        #expect(plain.parameters.descriptors == true)

        let other = try decoded(
            FastCall.get(line("get", "-p", "primary", "-t", "image/*", "--type=text", "--exact")), Methods.Get.self
        ).parameters
        #expect(other.pasteboard == "find")
        #expect(other.types == ["image/*", "text"])
        #expect(other.exact == true)
        #expect(other.item == nil && other.stale == nil && other.entry == nil && other.watching == nil)
    }

    @Test("A set has one item with the same bytes under every type")
    func set() throws {
        let line = try line("set", "-p", "com.example.a", "x")
        let call = try decoded(
            FastCall.set(line, types: [Array("text/html".utf8), Array("public.data".utf8)], length: 45),
            Methods.Set.self
        ).parameters
        #expect(call.pasteboards == ["com.example.a"])
        #expect(call.append == nil && call.into == nil && call.ifCount == nil && call.options == nil)
        #expect(call.timeout == 5_000)
        #expect(call.items.count == 1)
        let bytes = WireBytes(descriptor: 0, offset: 0, length: 45)
        #expect(
            call.items.first?.representations == [
                WireNewRepresentation(type: "text/html", bytes: bytes),
                WireNewRepresentation(type: "public.data", bytes: bytes),
            ])
    }

    @Test("An add appends")
    func add() throws {
        let call = try decoded(
            FastCall.set(line("add", "x"), types: [Array("text".utf8)], length: 1), Methods.Set.self)
        #expect(call.parameters.append == true)
    }

    @Test("A count names its pasteboard")
    func count() throws {
        #expect(try decoded(FastCall.count(line("count")), Methods.Count.self).parameters.pasteboard == "general")
    }
}

@Suite struct FastSourceTests {
    let folder: RuntimeFolder

    init() throws { folder = try RuntimeFolder() }

    private func file(_ name: String, _ contents: [UInt8]) throws -> [UInt8] {
        let path = folder.path + "/" + name
        try Data(contents).write(to: URL(filePath: path))
        return Array(path.utf8)
    }

    @Test("A file is read whole, up to the limit")
    func contents() throws {
        let path = try file("file", [1, 2, 3, 4])
        #expect(FastSource.contents(ofFile: path, limit: 4) == [1, 2, 3, 4])
        #expect(FastSource.contents(ofFile: path, limit: 3) == nil)
        #expect(FastSource.contents(ofFile: try file("empty", []), limit: 0) == [])
    }

    @Test("A file that is not regular is not opened")
    func others() throws {
        #expect(FastSource.contents(ofFile: Array(folder.path.utf8), limit: 9) == nil)
        #expect(FastSource.contents(ofFile: Array("\(folder.path)/missing".utf8), limit: 9) == nil)
        #expect(FastSource.contents(ofFile: [], limit: 9) == nil)
        #expect(FastSource.contents(ofFile: Array("/dev/zero".utf8), limit: 9) == nil)
        let pipe = "\(folder.path)/pipe"
        try #require(unsafe mkfifo(pipe, 0o600) == 0)
        // If the pipe were opened, a writer would see its reader disappear.
        let writer = try Descriptor.open(toRead: Array(pipe.utf8))
        #expect(FastSource.contents(ofFile: Array(pipe.utf8), limit: 9) == nil)
        withExtendedLifetime(writer) {}
    }

    @Test("Reading a source beyond the limit keeps the bytes read")
    func limit() throws {
        let path = try file("file", Array(repeating: 7, count: 100))
        for (limit, isAll) in [(99, false), (100, true), (101, true)] {
            let file = try Descriptor.open(toRead: path)
            var read: [UInt8] = []
            #expect(FastSource.read(file.fileDescriptor, into: &read, limit: limit) == isAll)
            #expect(read.count == 100)
        }
        let folder = try Descriptor.open(toRead: Array(folder.path.utf8))
        var read: [UInt8] = [1]
        #expect(!FastSource.read(folder.fileDescriptor, into: &read, limit: 10))
        #expect(read == [1])
    }

    @Test(
        "One newline at the end is left out", arguments: [("a\n", 1), ("a\r\n", 1), ("a\n\n", 2), ("\n", 0), ("", 0)])
    func newline(text: String, length: Int) {
        #expect(FastSource.lengthWithoutNewline(of: Array(text.utf8)) == length)
        #expect(FastSource.lengthWithoutNewline(of: Array("a\r".utf8)) == 2)
    }

    @Test("Text gets the type of text, and other bytes get no type")
    func types() throws {
        let text = Array("public.utf8-plain-text".utf8)
        let given = FastLine(.set)
        #expect(FastSource.types(of: given, Array("ä".utf8)[...]) == [text])
        #expect(FastSource.types(of: given, []) == [text])
        #expect(FastSource.types(of: given, [0x61, 0]) == nil)
        #expect(FastSource.types(of: given, [0xFF]) == nil)
        // A word is always text.
        let word = try #require(FastLine([Array("set".utf8), [0xFF]]))
        #expect(FastSource.types(of: word, [0xFF]) == [text])
        let named = try #require(FastLine([Array("set".utf8), Array("--type=image/png".utf8)]))
        #expect(FastSource.types(of: named, [0xFF]) == [Array("image/png".utf8)])
    }
}
