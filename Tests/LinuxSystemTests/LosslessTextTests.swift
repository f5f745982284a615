import LinuxSystem
import Testing

@Suite struct LosslessTextTests {
    @Test("UTF-8 is its own string", arguments: ["CLIPBOARD", "text/plain;charset=utf-8", "é", "e\u{301}", "日本", ""])
    func text(text: String) {
        #expect(Array(LosslessText.string(of: Array(text.utf8)).utf8) == Array(text.utf8))
        #expect(LosslessText.bytes(of: text) == Array(text.utf8))
    }

    @Test(
        "Bytes that are no UTF-8 come back",
        arguments: [
            [0xE9], [0x61, 0xFF, 0x62], [0xC3], [0xC3, 0xA9, 0xE9], [0xF0, 0x9F, 0x98], [0xED, 0xA0, 0x80],
            [0xF4, 0x8F, 0xBA, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82, 0x41],
        ])
    func bytes(bytes: [UInt8]) {
        #expect(LosslessText.bytes(of: LosslessText.string(of: bytes)) == bytes)
    }

    @Test("Random bytes come back")
    func random() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<5_000 {
            let bytes = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                UInt8.random(in: Bool.random(using: &generator) ? 1...255 : 0x80...0xF4, using: &generator)
            }
            #expect(LosslessText.bytes(of: LosslessText.string(of: bytes)) == bytes, "\(bytes)")
        }
    }
}
