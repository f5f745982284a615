import Formats
import TestRandom
import Testing

@Suite struct UTF8TextTests {
    @Test(
        "CRLF becomes LF; a CR on its own is kept",
        arguments: [
            ("a\r\nb\rc\r\n\r\n\r", "a\nb\rc\n\n\r"), ("", ""), ("\r", "\r"), ("\r\n", "\n"), ("\r\r\n", "\r\n"),
            ("a\n", "a\n"), ("\n\r", "\n\r"),
        ])
    func newlines(text: String, normal: String) {
        #expect(UTF8Text.normalizedNewlines(Array(text.utf8)) == Array(normal.utf8))
    }

    @Test(
        "One NUL at the end of text is removed; in binary data it is kept",
        arguments: [
            ([0x61, 0], [0x61]), ([0x61, 0, 0], [0x61, 0, 0]), ([0xFF, 0], [0xFF, 0]), ([0], [0]), ([], []),
            ([0x61], [0x61]), ([0, 0x61], [0, 0x61]), ([0xC3, 0xA9, 0], [0xC3, 0xA9]),
        ] as [([UInt8], [UInt8])])
    func terminator(bytes: [UInt8], text: [UInt8]) {
        #expect(UTF8Text.withoutTerminator(bytes) == text)
    }

    @Test(
        "A truncated last character does not count",
        arguments: [
            ([], 0), ([0x61], 1), ([0x61, 0xC3], 1), ([0x61, 0xC3, 0xA9], 3), ([0x61, 0xE2, 0x82], 1),
            ([0xF0, 0x9D, 0x84], 0), ([0xF0, 0x9D, 0x84, 0x9E], 4), ([0xFF, 0x61, 0x61, 0x61], nil),
        ] as [([UInt8], Int?)])
    func completePrefixLength(bytes: [UInt8], length: Int?) {
        #expect(UTF8Text.completePrefixLength(of: bytes) == length)
    }

    @Test("Latin-1 can encode 256 characters and no others")
    func latin1() {
        let all = String(String.UnicodeScalarView((UInt8.min...UInt8.max).map { Unicode.Scalar($0) }))
        #expect(UTF8Text.latin1(from: Array(all.utf8)) == Array(UInt8.min...UInt8.max))
        #expect(UTF8Text.latin1(from: Array("plain".utf8)) == Array("plain".utf8))
        #expect(UTF8Text.latin1(from: []) == [])
        for text in ["é€", "Ā", "日", "𝄞", "e\u{301}"] {
            #expect(UTF8Text.latin1(from: Array(text.utf8)) == nil, "\(text)")
        }
        for bytes: [UInt8] in [
            [0xC3], [0xC3, 0x41], [0xA9], [0xC0, 0x80], [0xC1, 0xBF], [0xC3, 0xC3], [0xC4, 0x80],
        ] {
            #expect(UTF8Text.latin1(from: bytes) == nil, "\(bytes)")
        }
    }

    @Test(
        "A character that is not in Latin-1 becomes a question mark",
        arguments: [("aé€b", [0x61, 0xE9, 0x3F, 0x62]), ("日", [0x3F]), ("é", [0xE9]), ("", [])] as [(String, [UInt8])])
    func replacing(text: String, latin: [UInt8]) {
        #expect(UTF8Text.latin1(replacing: Array(text.utf8)) == latin)
        #expect(UTF8Text.latin1(replacing: Array(text.utf8) + [0xFF]) == latin + [0x3F])
    }

    @Test(
        "In mixed text, bytes that are not UTF-8 are read as Latin-1",
        arguments: [
            ([0x63, 0xE9], "cé"), ([0xC3, 0xA9, 0xE9, 0x41], "ééA"), ([0xE2, 0x82, 0xAC, 0xE2, 0x82], "€\u{E2}\u{82}"),
            ([0xC0, 0x80], "\u{C0}\u{80}"), ([0xED, 0xA0, 0x80], "\u{ED}\u{A0}\u{80}"), ([0xFF], "\u{FF}"), ([], ""),
            ([0xF0, 0x9F, 0x98, 0x80, 0xF0], "😀\u{F0}"),
        ] as [([UInt8], String)])
    func mixed(bytes: [UInt8], text: String) {
        #expect(UTF8Text.mixed(bytes) == Array(text.utf8))
    }

    @Test(
        "Random bytes are restored from Latin-1, and are UTF-8 exactly if the standard library accepts them",
        arguments: 0..<4 as Range<UInt64>)
    func anyBytes(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let bytes = generator.bytes(upTo: 40)
            #expect(UTF8Text.latin1(from: try TextEncoding.latin1.utf8(from: bytes)) == bytes, "seed \(seed)")
            let some = generator.bytes(upTo: 6, from: [0x41, 0x80, 0xBF, 0xC2, 0xC3, 0xC4, 0xE0, 0xF0])
            let text = String(validating: some, as: UTF8.self)
            #expect(UTF8Text.isValid(some) == (text != nil), "seed \(seed): \(some)")
            let latin = text.flatMap { text in
                text.unicodeScalars.allSatisfy { $0.value < 256 } ? text.unicodeScalars.map { UInt8($0.value) } : nil
            }
            #expect(UTF8Text.latin1(from: some) == latin, "seed \(seed): \(some)")
        }
    }

    @Test("Each CRLF of random text becomes LF, and nothing else changes")
    func everyPair() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<500 {
            let bytes = generator.bytes(upTo: 30, from: Array("ab\r\n".utf8))
            let normal = UTF8Text.normalizedNewlines(bytes)
            let expected = String(decoding: bytes, as: UTF8.self).unicodeScalars.split(
                separator: "\r\n".unicodeScalars, omittingEmptySubsequences: false
            ).map(String.init).joined(separator: "\n")
            #expect(normal == Array(expected.utf8), "\(bytes)")
        }
    }
}
