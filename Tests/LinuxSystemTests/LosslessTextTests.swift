import LinuxSystem
import TestRandom
import Testing

@Suite struct LosslessTextTests {
    @Test("Valid UTF-8 is unchanged", arguments: ["CLIPBOARD", "text/plain;charset=utf-8", "é", "e\u{301}", "日本", ""])
    func text(text: String) {
        #expect(Array(LosslessText.string(of: Array(text.utf8)).utf8) == Array(text.utf8))
        #expect(LosslessText.bytes(of: text) == Array(text.utf8))
    }

    @Test(
        "Bytes that are not valid UTF-8 survive a round trip",
        arguments: [
            [0xE9], [0x61, 0xFF, 0x62], [0xC3], [0xC3, 0xA9, 0xE9], [0xF0, 0x9F, 0x98], [0xED, 0xA0, 0x80],
            [0xF4, 0x8F, 0xBA, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82, 0x41],
        ])
    func bytes(bytes: [UInt8]) {
        #expect(LosslessText.bytes(of: LosslessText.string(of: bytes)) == bytes)
    }

    @Test("Random bytes survive a round trip", arguments: 0..<UInt64(8))
    func random(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<1_000 {
            let bytes = generator.bytes(atMost: 12)
            #expect(LosslessText.bytes(of: LosslessText.string(of: bytes)) == bytes, "seed \(seed): \(bytes)")
        }
    }
}
