import TestRandom
import TestSupport
import Testing
import X11Display

@Suite(.requiresXvfb, .serialized) struct CompoundTextTests {
    @Test(
        "Text survives a round trip through compound text",
        arguments: [
            "", "plain", "a\tb\nc", "hé", "10 €", "Привет", "日本語", "😀 smile", "עברית", "• x", "“quoted” – dash…",
            "a 漢 é € 字 한 ไ", "ﬀ∑ ⌘", "\n",
        ])
    func roundTrip(text: String) throws {
        let display = try openDisplay()
        let compound = try #require(display.compoundText(fromUTF8: Array(text.utf8)))
        #expect(display.utf8(fromCompoundText: compound) == Array(text.utf8))
    }

    @Test("Latin-1 is unchanged in compound text")
    func latin() throws {
        let display = try openDisplay()
        #expect(display.compoundText(fromUTF8: Array("hé".utf8)) == [0x68, 0xE9])
        #expect(display.utf8(fromCompoundText: [0x68, 0xE9]) == Array("hé".utf8))
    }

    @Test("Text that compound text cannot hold is rejected", arguments: ["a\u{1}b", "a\rb", "a\u{0}b", "\u{1B}[1m"])
    func impossible(text: String) throws {
        let display = try openDisplay()
        #expect(display.compoundText(fromUTF8: Array(text.utf8)) == nil)
    }

    @Test("Malformed bytes yield valid UTF-8 or nothing, and the display still works", arguments: 0..<UInt64(4))
    func damaged(seed: UInt64) throws {
        let display = try openDisplay()
        var generator = SeededGenerator(seed: seed)
        let special: [UInt8] = [0x1B, 0x24, 0x25, 0x28, 0x29, 0x2D, 0x2F, 0x42, 0x47, 0x40, 0x9B, 0x02, 0x00]
        var decoded = 0
        for _ in 0..<500 {
            let bytes = (0..<Int.random(in: 1...40, using: &generator)).map { _ in
                let isSpecial = Bool.random(using: &generator)
                return isSpecial
                    ? special[Int.random(in: special.indices, using: &generator)]
                    : UInt8.random(in: 0...255, using: &generator)
            }
            guard let text = display.utf8(fromCompoundText: bytes) else { continue }
            decoded += 1
            #expect(String(validating: text, as: UTF8.self) != nil, "seed \(seed): \(bytes)")
        }
        #expect(decoded > 10, "seed \(seed)")
        #expect(display.utf8(fromCompoundText: [0x61]) == [0x61])
    }
}
