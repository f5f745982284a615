import Formats
import TestRandom
import Testing

@Suite struct TextEncodingTests {
    @Test(
        "A charset is found by each of its names, in any case",
        arguments: [
            ("UTF-8", .utf8), ("utf8", .utf8), ("US-ASCII", .ascii), ("ISO-8859-1", .latin1), ("Latin1", .latin1),
            ("Windows-1252", .windows1252), ("UTF-16", .utf16(nil)), ("UTF-16LE", .utf16(.little)),
            ("utf-16be", .utf16(.big)), ("UTF-32", .utf32(nil)), ("koi8-r", nil), ("iso-8859-15", nil), ("", nil),
        ] as [(String, TextEncoding?)])
    func charsets(name: String, encoding: TextEncoding?) {
        #expect(TextEncoding(charset: name) == encoding)
    }

    @Test("Valid UTF-8 is unchanged, including its byte order mark", arguments: ["", "a\0", "é日𝄞", "\u{FEFF}a"])
    func utf8(text: String) throws {
        #expect(try TextEncoding.utf8.utf8(from: Array(text.utf8)) == Array(text.utf8))
    }

    @Test(
        "An error contains the offset of the first invalid character",
        arguments: [
            (.utf8, [0x61, 0xFF], 1), (.utf8, [0x61, 0x62, 0xE2, 0x82], 2), (.utf8, [0xED, 0xA0, 0x80], 0),
            (.utf8, [0xC0, 0x80], 0), (.ascii, [0x61, 0x7F, 0x80], 2),
            (.utf16(.little), [0x61, 0, 0x62], 2), (.utf16(.little), [0x61, 0, 0, 0xDC], 2),
            (.utf16(.little), [0x61, 0, 0, 0xD8], 2), (.utf16(.little), [0, 0xD8, 0x61, 0], 0),
            (.utf16(.big), [0, 0x61, 0xD8, 0, 0xD8, 0], 2), (.utf16(.little), [0xFF, 0xFE, 0, 0xDC], 2),
            (.utf16(.little), [0x61], 0), (.utf32(.little), [0x61, 0, 0, 0, 0, 0, 0x11, 0], 4),
            (.utf32(.big), [0, 0, 0xD8, 0], 0), (.utf32(.big), [0, 0, 0, 0x61, 0, 0], 4),
        ] as [(TextEncoding, [UInt8], Int)])
    func invalid(encoding: TextEncoding, bytes: [UInt8], offset: Int) {
        #expect(throws: InvalidTextError(offset: offset)) { try encoding.utf8(from: bytes) }
    }

    @Test("Latin-1 has a character for every byte, and windows-1252 replaces some of the characters")
    func singleBytes() throws {
        let bytes = Array(UInt8.min...UInt8.max)
        let latin = String(decoding: try TextEncoding.latin1.utf8(from: bytes), as: UTF8.self)
        #expect(latin.unicodeScalars.map(\.value) == bytes.map(UInt32.init))
        let windows = String(decoding: try TextEncoding.windows1252.utf8(from: bytes), as: UTF8.self)
        #expect(windows.unicodeScalars.count == 256)
        #expect(Array(windows.unicodeScalars)[0x80..<0x85].map(\.value) == [0x20AC, 0x81, 0x201A, 0x192, 0x201E])
        #expect(Array(windows.unicodeScalars)[0x9F].value == 0x178)
        #expect(Array(windows.unicodeScalars)[0xA0...] == Array(latin.unicodeScalars)[0xA0...])
        #expect(try TextEncoding.windows1252.utf8(from: [0x61, 0xE9]) == Array("aé".utf8))
    }

    @Test(
        "The byte order of UTF-16 is determined by its mark, else by the name, else by NULs",
        arguments: [
            (.utf16(nil), [0xFF, 0xFE, 0x61, 0], "a"), (.utf16(nil), [0xFE, 0xFF, 0, 0x61], "a"),
            (.utf16(.big), [0xFF, 0xFE, 0x61, 0], "a"), (.utf16(.little), [0xFE, 0xFF, 0, 0x61], "a"),
            (.utf16(.big), [0x61, 0], "\u{6100}"), (.utf16(.little), [0, 0x61], "\u{6100}"),
            (.utf16(nil), [0x61, 0], "a"), (.utf16(nil), [0, 0x61], "a"), (.utf16(nil), [], ""),
            (.utf16(nil), [0xFF, 0xFE], ""), (.utf16(.little), [0x34, 0xD8, 0x1E, 0xDD], "𝄞"),
            (.utf32(nil), [0xFF, 0xFE, 0, 0, 0x61, 0, 0, 0], "a"),
            (.utf32(nil), [0, 0, 0xFE, 0xFF, 0, 0, 0, 0x61], "a"),
            (.utf32(nil), [0x61, 0, 0, 0], "a"), (.utf32(nil), [0, 0, 0, 0x61], "a"), (.utf32(nil), [], ""),
        ] as [(TextEncoding, [UInt8], String)])
    func orders(encoding: TextEncoding, bytes: [UInt8], text: String) throws {
        #expect(String(decoding: try encoding.utf8(from: bytes), as: UTF8.self) == text)
    }

    @Test("UTF-16 without any indication has the byte order of the machine")
    func nativeOrder() throws {
        let bytes = "日本".utf16Bytes(littleEndian: ByteOrder.native == .little)
        #expect(try TextEncoding.utf16(nil).utf8(from: bytes) == Array("日本".utf8))
    }

    @Test(
        "A byte order mark or NULs reveal the encoding",
        arguments: [
            ([0xEF, 0xBB, 0xBF, 0x61], .utf8), ([0xFF, 0xFE, 0x61, 0], .utf16(.little)),
            ([0xFE, 0xFF, 0, 0x61], .utf16(.big)), ([0xFF, 0xFE, 0, 0, 0x61, 0, 0, 0], .utf32(.little)),
            ([0, 0, 0xFE, 0xFF], .utf32(.big)), ("<p>日本".utf16Bytes(), .utf16(.little)),
            ("<p>日本".utf16Bytes(littleEndian: false), .utf16(.big)), ("<p>一".utf16Bytes(), .utf16(.little)),
            (Array("a\0bc".utf8), nil), (Array("./a\0./b\0".utf8), nil),
            (Array("abc".utf8), nil), (Array("abc\0".utf8), nil), (Array("c\0".utf8), nil), ([], nil), ([0], nil),
            ([0, 0, 0, 0], nil), ("<p>".utf16Bytes() + [0], nil), ("日本".utf16Bytes(), nil),
        ] as [([UInt8], TextEncoding?)])
    func detection(bytes: [UInt8], encoding: TextEncoding?) {
        #expect(TextEncoding.detected(in: bytes) == encoding)
    }

    @Test("Random text is restored from each encoding", arguments: 0..<4 as Range<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            // Text that begins with a byte order mark would lose it.
            let text = "x" + generator.text(upTo: 40)
            let utf8 = Array(text.utf8)
            for isLittle in [true, false] {
                let order: ByteOrder = isLittle ? .little : .big
                let wide = text.utf16Bytes(littleEndian: isLittle)
                #expect(try TextEncoding.utf16(order).utf8(from: wide) == utf8, "seed \(seed)")
                let marked = "\u{FEFF}".utf16Bytes(littleEndian: isLittle) + wide
                #expect(try TextEncoding.utf16(nil).utf8(from: marked) == utf8, "seed \(seed)")
                let wider = text.utf32Bytes(littleEndian: isLittle)
                #expect(try TextEncoding.utf32(order).utf8(from: wider) == utf8, "seed \(seed)")
            }
        }
    }

    @Test("Random bytes are decoded or rejected just as in the standard library", arguments: 0..<4 as Range<UInt64>)
    func anyBytes(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let alphabet: [UInt8] = [0, 0x41, 0x80, 0xD8, 0xDB, 0xDC, 0xDF, 0xE2, 0xFF, 0xFE, 0x10]
        for _ in 0..<2000 {
            let bytes = [0x41, 0] + generator.bytes(upTo: 12, from: alphabet)
            #expect(
                (try? TextEncoding.utf8.utf8(from: bytes))
                    == String(validating: bytes, as: UTF8.self).map { Array($0.utf8) })
            let units = stride(from: 0, to: bytes.count - 1, by: 2).map {
                UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8
            }
            let text = bytes.count.isMultiple(of: 2) ? String(validating: units, as: UTF16.self) : nil
            #expect((try? TextEncoding.utf16(.little).utf8(from: bytes)) == text.map { Array($0.utf8) }, "seed \(seed)")
            do throws(InvalidTextError) {
                _ = try TextEncoding.utf32(nil).utf8(from: bytes)
            } catch {
                #expect(error.offset < bytes.count, "seed \(seed)")
            }
        }
    }
}
