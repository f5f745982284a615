import LinuxSystem
import Testing

struct MemoryFileTextTests {
    @Test(
        "Text is valid UTF-8 without a NUL",
        arguments: [
            ([], true), (Array("Ünïcode\n".utf8), true), ([0x61, 0, 0x62], false), ([0xFF], false), ([0xC3], false),
            ([0xED, 0xA0, 0x80], false),
        ] as [([UInt8], Bool)])
    func text(bytes: [UInt8], isText: Bool) throws {
        let file = try MemoryFile.containing([0xFF] + bytes + [0xFF])
        #expect(try file.isUTF8Text(in: 1..<1 + bytes.count) == isText)
    }
}
