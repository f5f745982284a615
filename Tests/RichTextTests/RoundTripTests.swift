import TestRandom
import Testing

@testable import RichText

@Suite struct RoundTripTests {
    private static func string(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test("What is written as HTML reads as it was", arguments: 0..<20)
    func html(batch: UInt64) throws {
        for seed in batch * 100..<batch * 100 + 100 {
            var generator = SeededGenerator(seed: seed)
            let text = generator.styledText(.html)
            let isSame = RichText.styledText(fromHTML: text.html) == text
            try #require(isSame, "seed \(seed), written \(Self.string(text.html))")
        }
    }

    @Test("What is written as RTF reads as it was", arguments: 0..<20)
    func rtf(batch: UInt64) throws {
        for seed in batch * 100..<batch * 100 + 100 {
            var generator = SeededGenerator(seed: seed)
            let text = generator.styledText(.rtf)
            let isSame = RichText.styledText(fromRTF: text.rtf) == text
            try #require(isSame, "seed \(seed), written \(Self.string(text.rtf))")
        }
    }

    @Test("The text of what is written as HTML is the styled text's own", arguments: 0..<10)
    func plain(batch: UInt64) throws {
        for seed in batch * 100..<batch * 100 + 100 {
            var generator = SeededGenerator(seed: seed)
            let text = generator.styledText(.html)
            let own = Self.string(text.plainText).unicodeScalars.flatMap {
                $0 == "\u{A0}" ? [0x20] : Array(String($0).utf8)
            }
            let read = RichText.plainText(fromHTML: text.html)
            try #require(Self.string(read) == Self.string(own), "seed \(seed), written \(Self.string(text.html))")
        }
    }
}
