import Configuration
import Testing

@Suite struct SuggestionTests {
    private let names = ["get", "set", "add", "clear", "types", "items", "count", "watch", "wait", "declare"]

    @Test(
        "A slip is understood",
        arguments: [
            ("sett", "set"), ("gte", "get"), ("tpyes", "types"), ("Get", "get"), ("watsh", "watch"),
            ("declair", "declare"),
        ])
    func slips(word: String, meant: String) {
        #expect(Suggestion.nearest(to: word, among: names) == meant)
    }

    @Test("What is like nothing is left alone", arguments: ["", "x", "hello", "clipboard", "12345678"])
    func nothing(word: String) {
        #expect(Suggestion.nearest(to: word, among: names) == nil)
    }
}
