import Terminal
import TestRandom
import Testing

@Suite struct KeyDecoderTests {
    private func keys(_ text: String) -> [Key] {
        var decoder = KeyDecoder()
        return decoder.feed(text.utf8) + decoder.flush()
    }

    @Test("Text arrives as whole characters, even if a read ends within a character")
    func text() {
        #expect(keys("aé日😀") == [.text("a"), .text("é"), .text("日"), .text("😀")])
        var decoder = KeyDecoder()
        let bytes = Array("日".utf8)
        #expect(decoder.feed(bytes[..<1]).isEmpty && decoder.isPending)
        #expect(decoder.feed(bytes[1...]) == [.text("日")] && !decoder.isPending)
    }

    @Test(
        "The keys of xterm and the Linux console are decoded, with or without modifiers",
        arguments: [
            ("\u{1B}[A", Key.up), ("\u{1B}OB", .down), ("\u{1B}[1;5C", .right), ("\u{1B}[D", .left),
            ("\u{1B}[H", .home), ("\u{1B}[1~", .home), ("\u{1B}[7~", .home), ("\u{1B}OF", .end), ("\u{1B}[4~", .end),
            ("\u{1B}[5~", .pageUp), ("\u{1B}[6;2~", .pageDown), ("\u{1B}[3~", .delete), ("\r", .enter), ("\n", .enter),
            ("\u{1B}OM", .enter), ("\u{7F}", .backspace), ("\u{8}", .backspace), ("\t", .tab), ("\u{1B}", .escape),
            ("\u{3}", .control("c")), ("\u{1A}", .control("z")), ("\u{1F}", .control("_")),
        ])
    func named(bytes: String, key: Key) {
        #expect(keys(bytes) == [key])
    }

    @Test("A lone Escape is a key only after the wait for a sequence has ended")
    func escape() {
        var decoder = KeyDecoder()
        #expect(decoder.feed([0x1B]).isEmpty && decoder.isPending)
        #expect(decoder.feed("[A".utf8) == [.up])
        #expect(decoder.feed([0x1B, 0x1B]) == [.escape] && decoder.isPending)
        #expect(decoder.flush() == [.escape] && !decoder.isPending)
    }

    @Test("Pasted text is one key, in which newlines and escape sequences are not keys")
    func paste() {
        #expect(keys("\u{1B}[200~two\nlines\u{1B}[A\u{3}\u{1B}[201~x") == [.text("two lines "), .text("x")])
        let long = String(repeating: "a", count: 3 * KeyDecoder.maxPasted)
        #expect(keys("\u{1B}[200~\(long)\u{1B}[201~") == [.text(String(long.prefix(KeyDecoder.maxPasted)))])
    }

    @Test(
        "Replies to queries, and sequences that no key sends, are not keys",
        arguments: [
            "\u{1B}[?62;4;22c", "\u{1B}_Gi=1;OK\u{1B}\\", "\u{1B}]1337;ReportCellSize=20;10\u{7}", "\u{1B}[6;20;10t",
            "\u{1B}P>|XTerm(379)\u{1B}\\", "\u{1B}[?1;0;256S", "\u{1B}x", "\u{1B}[99~",
        ])
    func replies(bytes: String) {
        #expect(keys(bytes + "a") == [.text("a")])
    }

    @Test("Bytes that are not UTF-8 are dropped, and the bytes after them are keys")
    func invalid() {
        var decoder = KeyDecoder()
        let bytes: [UInt8] = [0xFF, 0x61, 0xC3, 0x62, 0xE0, 0x80, 0x80, 0x63, 0xC2, 0x9B]
        #expect(decoder.feed(bytes) == ["a", "b", "c"].map { .text($0) })
    }

    @Test("After random bytes, the decoder still decodes, and text never has a control character")
    func random() {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<2_000 {
            var decoder = KeyDecoder()
            let introducers = Array("\u{1B}[];~20_P\\".utf8)
            let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ -> UInt8 in
                let introducer = introducers[Int.random(in: 0..<introducers.count, using: &random)]
                return Bool.random(using: &random) ? .random(in: 0...255, using: &random) : introducer
            }
            for case .text(let text) in decoder.feed(bytes) + decoder.flush() {
                #expect(text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }, "\(bytes)")
            }
            #expect(!decoder.isPending)
        }
    }
}
