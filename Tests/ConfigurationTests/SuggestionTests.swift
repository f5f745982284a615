import Configuration
import Testing

@Suite struct SuggestionTests {
    private let names = ["get", "set", "add", "clear", "types", "items", "count", "watch", "wait", "declare"]

    @Test(
        "A misspelled name is recognized",
        arguments: [
            ("sett", "set"), ("gte", "get"), ("tpyes", "types"), ("Get", "get"), ("watsh", "watch"),
            ("declair", "declare"), ("wat", "watch"), ("CL", "clear"),
        ])
    func slips(word: String, meant: String) {
        #expect(Suggestion.nearest(to: word, among: names) == meant)
    }

    @Test("A word unlike any name has no suggestion", arguments: ["", "x", "hello", "clipboard", "12345678"])
    func nothing(word: String) {
        #expect(Suggestion.nearest(to: word, among: names) == nil)
    }
}
