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

    @Test("A long text in a file of a disk is one, wherever a piece of it ends", arguments: 0..<4)
    func pieces(offset: Int) throws {
        let folder = try TemporaryFolder()
        let text =
            Array(repeating: UInt8(ascii: "a"), count: offset) + Array(String(repeating: "😀", count: 300_000).utf8)
        for (change, isText) in [(nil, true), (text.count - 1, false), ((1 << 18) - 1, false), (1 << 18, false)] {
            var bytes = text
            if let change { bytes[change] = 0xFF }
            let file = try MemoryFile(.stored, onDisk: try folder.make("text", bytes))
            #expect(try file.isUTF8Text(in: 0..<bytes.count) == isText, "\(change ?? -1)")
        }
        let endless = Array(repeating: 0x80 as UInt8, count: 2 << 20)
        let file = try MemoryFile(.stored, onDisk: try folder.make("endless", endless))
        #expect(try !file.isUTF8Text(in: 0..<endless.count))
    }
}
