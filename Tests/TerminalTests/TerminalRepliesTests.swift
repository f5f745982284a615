import LinuxSystem
import Terminal
import Testing

@Suite struct TerminalRepliesTests {
    private func replies(_ text: String) -> TerminalReplies {
        var replies = TerminalReplies()
        replies.feed(text.utf8)
        return replies
    }

    private let size = TerminalSize(columns: 80, rows: 24, width: 800, height: 480)

    @Test("Only the reply to the last query completes the replies")
    func completion() {
        #expect(!replies("").isComplete)
        #expect(!replies("\u{1B}_Gi=1;OK\u{1B}\\\u{1B}[6;20;10t").isComplete)
        #expect(!replies("\u{1B}[>41;379;0c").isComplete)
        #expect(replies("\u{1B}[?62c").isComplete)
    }

    @Test("xterm as a VT340 shows sixel, with the colors and the size that it reports")
    func xterm() {
        let found = replies("\u{1B}[6;13;6t\u{1B}[?1;0;256S\u{1B}[?2;0;800;600S\u{1B}[?63;1;2;4;6;9;15;22c")
        #expect(
            PictureSupport(found, size: nil)
                == PictureSupport(
                    way: .sixel(colors: 256, largest: .init(width: 800, height: 600)), cell: .init(width: 6, height: 13)
                ))
    }

    @Test("If a terminal supports sixel but reports no number of colors, sixteen are assumed")
    func fewColors() {
        let support = PictureSupport(replies("\u{1B}[?1;3;0S\u{1B}[?62;4c"), size: size)
        #expect(support == PictureSupport(way: .sixel(colors: 16, largest: nil), cell: .init(width: 10, height: 20)))
    }

    @Test("kitty's protocol is preferred, then iTerm2's")
    func order() {
        let kitty = "\u{1B}_Gi=1;OK\u{1B}\\"
        let inline = "\u{1B}]1337;ReportCellSize=20.0;10.0;2.0\u{1B}\\"
        let cell = "\u{1B}[6;20;10t"
        #expect(PictureSupport(replies(kitty + inline + cell + "\u{1B}[?62;4c"), size: nil)?.way == .kitty)
        #expect(PictureSupport(replies(inline + cell + "\u{1B}[?62;4c"), size: nil)?.way == .inline)
    }

    @Test(
        "A terminal without a reply about pictures, or one that refuses the test picture, shows no pictures",
        arguments: [
            "\u{1B}[?1;2c", "\u{1B}_Gi=1;ENOTSUPPORTED:no\u{1B}\\\u{1B}[?62c", "\u{1B}_Gi=2;OK\u{1B}\\\u{1B}[?62c",
            "\u{1B}]1337;Other=1\u{7}\u{1B}[?1;2c",
        ])
    func none(text: String) {
        #expect(PictureSupport(replies(text), size: size) == nil)
    }

    @Test("A size that is zero, negative or too large is ignored")
    func sizes() {
        for reply in ["6;0;0", "6;-1;10", "6;99999999999999999999;10", "6;70000;10", "4;100;100"] {
            #expect(PictureSupport(replies("\u{1B}[\(reply)t\u{1B}[?62;4c"), size: nil) == nil, "\(reply)")
        }
        #expect(PictureSupport(replies("\u{1B}[?62;4c"), size: TerminalSize(columns: 80, rows: 24)) == nil)
    }

    @Test("Replies may arrive in pieces")
    func pieces() {
        var replies = TerminalReplies()
        for byte in "\u{1B}_Gi=1;OK\u{1B}\\\u{1B}[6;20;10t\u{1B}[?62c".utf8 { replies.feed([byte]) }
        #expect(replies.isComplete && replies.hasKittyPictures && replies.cell == .init(width: 10, height: 20))
    }
}
