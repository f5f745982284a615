import Testing

@testable import XPBCommand

@Suite struct ArgumentWalkTests {
    private let forms = [
        OptionForm("flag", "n"), OptionForm("quiet", "q"), OptionForm("type", "t", .value),
        OptionForm("text", nil, .anything), OptionForm("files", nil, .several),
    ]

    private func steps(_ arguments: String...) -> [ArgumentWalk.Step]? {
        ArgumentWalk.steps(of: arguments, forms: forms)
    }

    @Test("Options and words keep their order")
    func order() {
        #expect(
            steps("a", "-t", "x", "b", "--flag", "--type=y")
                == [.word("a"), .option("type", "x"), .word("b"), .option("flag", nil), .option("type", "y")])
        #expect(steps() == [])
    }

    @Test("Flags may stand together, with an option at the end")
    func together() {
        #expect(steps("-nq") == [.option("flag", nil), .option("quiet", nil)])
        #expect(steps("-nt", "x") == [.option("flag", nil), .option("type", "x")])
        #expect(steps("-t=x") == [.option("type", "x")])
        #expect(steps("-tn", "x") == nil)
    }

    @Test("Behind two dashes all are words, and one dash is a word")
    func terminator() {
        #expect(steps("--", "-t", "--flag") == [.word("-t"), .word("--flag")])
        #expect(steps("-", "", "--", "--") == [.word("-"), .word(""), .word("--")])
        #expect(steps("-t", "--", "x") == nil)
    }

    @Test("A value is no option, unless the option takes anything")
    func values() {
        #expect(steps("-t", "-n") == nil)
        #expect(steps("-t", "-") == [.option("type", "-")])
        #expect(steps("--text", "-n") == [.option("text", "-n")])
        #expect(steps("--text=") == [.option("text", "")])
        #expect(
            steps("--files", "a", "b", "-n", "c") == [
                .option("files", "a"), .option("files", "b"), .option("flag", nil), .word("c"),
            ])
    }

    @Test(
        "What is not of the forms is left to the library",
        arguments: [
            ["--unknown"], ["-x"], ["-nx"], ["--flag=1"], ["-n=1"], ["--t", "x"], ["--n"], ["-type", "x"], ["---flag"],
            ["--type"],
            ["--files"], ["--files", "-n"], ["--=x"], ["-=x"],
        ])
    func unknown(arguments: [String]) {
        #expect(ArgumentWalk.steps(of: arguments, forms: forms) == nil)
    }
}
