import Testing

@testable import PasteboardStore

struct SearchWordsTests {
    @Test(
        "Every word is a phrase whose last part is a prefix",
        arguments: [
            ("hello", "\"hello\"*"), ("a  b", "\"a\"* \"b\"*"), ("a\"b", "\"a\"\"b\"*"), ("x:y*", "\"x:y*\"*"),
        ])
    func phrases(text: String, expression: String) {
        #expect(SearchWords(text).expression == expression)
        #expect(SearchWords(text).signs == [])
    }

    @Test("What has no letters and digits is looked for as it stands")
    func signs() {
        let words = SearchWords("-> x \u{1F600}")
        #expect(words.expression == "\"x\"*")
        #expect(words.signs == ["->", "\u{1F600}"])
        #expect(SearchWords(" \n").expression == nil)
    }

    @Test("Words beyond a number are left out")
    func many() {
        let words = SearchWords(String(repeating: "a ", count: 1_000))
        #expect(words.expression?.split(separator: " ").count == SearchWords.most)
    }
}
