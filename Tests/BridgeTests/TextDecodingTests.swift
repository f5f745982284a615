import LinuxSystem
import Testing

@testable import Bridge

@Suite struct TextDecodingTests {
    private func decode(_ bytes: [UInt8], target: String, type: String? = nil) throws -> [UInt8]? {
        let file = try MemoryFile.containing(bytes)
        return try TextDecoding.utf8(file, target: target, type: type ?? target).map { try $0.bytes(in: 0..<$0.length) }
    }

    @Test("UTF-8 passes, be it valid or not", arguments: [[], [0x61], [0xC3, 0xA9], [0xFF, 0x00, 0xFE]])
    func utf8(bytes: [UInt8]) throws {
        #expect(try decode(bytes, target: "UTF8_STRING") == bytes)
    }

    @Test("A text that needs no change stays in its file")
    func uncopied() throws {
        let file = try MemoryFile.containing(Array("héllo".utf8))
        #expect(try TextDecoding.utf8(file, target: "UTF8_STRING", type: "UTF8_STRING") === file)
    }

    @Test("STRING is Latin-1, or the UTF-8 that some send")
    func latin() throws {
        #expect(try decode([0x68, 0xE9], target: "STRING") == Array("hé".utf8))
        #expect(try decode(Array("hé€".utf8), target: "STRING") == Array("hé€".utf8))
        #expect(try decode(Array("plain".utf8), target: "TEXT", type: "STRING") == Array("plain".utf8))
    }

    @Test("Compound text is Latin-1 until its first escape, which is not decoded")
    func compound() throws {
        #expect(try decode([0x68, 0xE9], target: "COMPOUND_TEXT") == Array("hé".utf8))
        #expect(try decode([0x1B, 0x25, 0x47], target: "TEXT", type: "COMPOUND_TEXT") == nil)
    }

    @Test("The CRLF of GTK's text/plain becomes LF; a lone CR stays")
    func newlines() throws {
        let sent = Array("a\r\nb\rc\r\n\r\n\r".utf8)
        #expect(try decode(sent, target: "text/plain;charset=utf-8") == Array("a\nb\rc\n\n\r".utf8))
        #expect(try decode(sent, target: "UTF8_STRING") == sent)
    }

    @Test("One NUL at the end of a text goes; in binary data it stays")
    func terminator() throws {
        #expect(try decode([0x61, 0], target: "UTF8_STRING") == [0x61])
        #expect(try decode([0x61, 0, 0], target: "UTF8_STRING") == [0x61, 0, 0])
        #expect(try decode([0xFF, 0], target: "UTF8_STRING") == [0xFF, 0])
        #expect(try decode([0], target: "UTF8_STRING") == [0])
    }
}
