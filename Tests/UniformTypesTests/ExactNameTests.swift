import Testing

@testable import UniformTypes

@Suite struct ExactNameTests {
    @Test(
        "Strings that Swift takes for the same are told apart by their bytes",
        arguments: [
            ("K", "\u{212A}"), (";", "\u{37E}"), ("\u{E9}", "e\u{301}"), ("\u{C5}", "\u{212B}"),
        ])
    func bytes(left: String, right: String) {
        #expect(left == right && !left.isExactly(right) && ExactName(left) != ExactName(right))
        #expect(left.isExactly(left) && ExactName(left) == ExactName(left))
        #expect(Set([ExactName(left), ExactName(right), ExactName(left)]).count == 2)
    }

    @Test("Only ASCII capitals are made small")
    func letters() {
        #expect("AbZ[@é".asciiLowercased.isExactly("abz[@é"))
        #expect("\u{212A}É".asciiLowercased.isExactly("\u{212A}É"))
    }
}
