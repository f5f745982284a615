import Testing

@testable import XPBCommand

@Suite struct ColumnsTests {
    @Test(
        "Wide characters and pictures have two columns, others one",
        arguments: [
            ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("한", 2), ("👩‍👩‍👧", 2), ("❤️", 2), ("Ω→", 2),
        ])
    func widths(text: String, columns: Int) {
        #expect(Columns.count(text) == columns)
    }

    @Test("What does not fit is cut at a character, with an ellipsis within the columns")
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

    @Test("Fields begin at tab stops")
    func tabs() {
        #expect(Columns.after([]) == 0)
        #expect(Columns.after(["1", "2"]) == 16)
        #expect(Columns.after(["1234567"]) == 8)
        #expect(Columns.after(["12345678"]) == 16)
    }
}
