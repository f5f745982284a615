import FormatConversion
import LinuxSystem
import Testing

@Suite struct TextDecodingTests {
    private func decode(_ bytes: [UInt8], target: String, type: String? = nil) throws -> [UInt8] {
        let sent = EncodedBytes(try MemoryFile.containing(bytes), target: target, propertyType: type ?? target)
        return try TextDecoding.utf8(sent).bytes()
    }

    @Test("UTF-8 is unchanged, even if it is invalid", arguments: [[], [0x61], [0xC3, 0xA9], [0xFF, 0x00, 0xFE]])
    func utf8(bytes: [UInt8]) throws {
        #expect(try decode(bytes, target: "UTF8_STRING") == bytes)
    }

    @Test("Text that needs no change stays in its file")
    func uncopied() throws {
        let file = try MemoryFile.containing(Array("héllo".utf8))
        for target in ["UTF8_STRING", "text/plain", "text/plain;charset=utf-8", "STRING"] {
            #expect(try TextDecoding.utf8(EncodedBytes(file, target: target)).held.file === file)
        }
    }

    @Test("STRING is Latin-1, or the UTF-8 that some programs send")
    func latin() throws {
        #expect(try decode([0x68, 0xE9], target: "STRING") == Array("hé".utf8))
        #expect(try decode(Array("hé€".utf8), target: "STRING") == Array("hé€".utf8))
        #expect(try decode(Array("plain".utf8), target: "TEXT", type: "STRING") == Array("plain".utf8))
    }

    @Test("UTF-16 is recognized by its byte order mark, by its name, and by the NULs next to its ASCII characters")
    func wide() throws {
        #expect(try decode([0xFF, 0xFE, 0x61, 0], target: "text/plain;charset=utf-16") == [0x61])
        #expect(try decode([0xFE, 0xFF, 0, 0x61], target: "text/plain;charset=utf-16") == [0x61])
        #expect(try decode([0, 0x61], target: "text/plain;charset=utf-16be") == [0x61])
        #expect(try decode([0x61, 0, 0x62, 0], target: "text/plain") == [0x61, 0x62])
    }

    @Test("A charset is decoded by its name, in any spelling")
    func charsets() throws {
        #expect(try decode([0xC1], target: "text/plain; charset=KOI8-R") == Array("а".utf8))
        #expect(try decode([0x82, 0xA0], target: "text/plain;charset=\"shift_jis\"") == Array("あ".utf8))
        #expect(try decode([0xE9], target: "text/plain;charset=iso-8859-1") == Array("é".utf8))
        #expect(try decode([0xA4], target: "text/plain;charset=iso-8859-15") == Array("€".utf8))
    }

    @Test("Text with an unknown charset, or with invalid bytes, is not decoded")
    func undecodable() throws {
        #expect(throws: ConversionFailure.self) { try decode([0x61], target: "text/plain;charset=x-none") }
        #expect(throws: ConversionFailure.self) { try decode([0x81], target: "text/plain;charset=shift_jis") }
    }

    @Test("The CRLF of GTK's text/plain becomes LF; a lone CR stays")
    func newlines() throws {
        let sent = Array("a\r\nb\rc\r\n\r\n\r".utf8)
        #expect(try decode(sent, target: "text/plain;charset=utf-8") == Array("a\nb\rc\n\n\r".utf8))
        #expect(try decode(sent, target: "UTF8_STRING") == sent)
    }

    @Test("One NUL at the end of text is removed, but not in binary data")
    func terminator() throws {
        #expect(try decode([0x61, 0], target: "UTF8_STRING") == [0x61])
        #expect(try decode([0x61, 0, 0], target: "UTF8_STRING") == [0x61, 0, 0])
        #expect(try decode([0xFF, 0], target: "UTF8_STRING") == [0xFF, 0])
        #expect(try decode([0], target: "UTF8_STRING") == [0])
    }

    @Test("Compound text that is too long for Xlib is decoded if it is simple, and refused otherwise")
    func longCompoundText() throws {
        #expect(try decode([0x68, 0xE9], target: "COMPOUND_TEXT") == Array("hé".utf8))
        let segment = [0x1B, 0x25, 0x47] + Array("日本".utf8) + [0x1B, 0x25, 0x40]
        #expect(try decode(segment, target: "TEXT", type: "COMPOUND_TEXT") == Array("日本".utf8))
        #expect(throws: ConversionFailure.self) { try decode([0x1B, 0x24, 0x28, 0x42, 0x46], target: "COMPOUND_TEXT") }
    }
}
