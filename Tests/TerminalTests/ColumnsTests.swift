import Terminal
import Testing

@Suite struct ColumnsTests {
    @Test(
        "Wide characters and emoji take two columns, and other characters one",
        arguments: [
            ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("한", 2), ("👩‍👩‍👧", 2), ("❤️", 2), ("Ω→", 2),
        ])
    func widths(text: String, columns: Int) {
        #expect(Columns.count(text) == columns)
    }

    @Test("Text that does not fit is cut at a character, with an ellipsis within the columns")
    func cut() {
        #expect(Columns.cut("abc", to: 3) == "abc")
        #expect(Columns.cut("abcd", to: 3) == "ab…")
        #expect(Columns.cut("日本語", to: 6) == "日本語")
        #expect(Columns.cut("日本語", to: 5) == "日本…")
        #expect(Columns.cut("日本語", to: 4) == "日…")
        for columns in 1...12 {
            #expect(Columns.count(Columns.cut("a日b本c語d👩‍👩‍👧", to: columns)) <= columns)
        }
    }

    @Test("Text is padded to a number of columns, or left as it is")
    func padding() {
        #expect(Columns.padded("ab", to: 4) == "ab  ")
        #expect(Columns.padded("日", to: 4) == "日  ")
        #expect(Columns.padded("abcde", to: 4) == "abcde")
    }
}
