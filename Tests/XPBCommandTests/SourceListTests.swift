import PasteboardWire
import Testing

@testable import XPBCommand

@Suite struct SourceListTests {
    private func items(_ arguments: String...) throws -> [[Source]]? {
        try SetOptions(quick: arguments)?.items
    }

    private func text(_ text: String, _ types: String...) -> Source { Source(origin: .text(text), types: types) }

    private func message(_ arguments: String...) -> String {
        let failure = #expect(throws: Failure.self) { _ = try SetOptions(quick: arguments) }
        #expect(failure?.status == .usage)
        return failure?.message ?? ""
    }

    @Test(
        "A secret comes from standard input or a file only",
        arguments: [
            ["--concealed", "word"], ["--concealed", "--text=word"], ["--concealed", "-c", "date"],
            ["--concealed", "--files", "a"], ["--concealed", "-f", "a", "--next", "-f", "b"],
        ])
    func concealed(arguments: [String]) throws {
        let failure = #expect(throws: Failure.self) { _ = try SetOptions(quick: arguments) }
        #expect(failure?.status == .usage && failure?.message.contains("--concealed") == true)
        #expect(try SetOptions(quick: ["--concealed"])?.items == [[Source(origin: .standardInput, types: [])]])
        #expect(try SetOptions(quick: ["-f", "a", "--concealed"])?.wire == WireOptions(concealed: true))
    }

    @Test("Words are one text, until something stands between them")
    func words() throws {
        #expect(try items("a", "b") == [[text("a b")]])
        #expect(try items("a", "-n", "b") == [[text("a b")]])
        #expect(try items("a", "-t", "html", "b") == [[text("a"), text("b", "html")]])
        #expect(try items("a", "--text", "b", "c") == [[text("a"), text("b"), text("c")]])
        #expect(try items("a", "--next", "b") == [[text("a")], [text("b")]])
        #expect(try items("") == [[text("")]])
    }

    @Test("A type names the next source, several give it several names")
    func types() throws {
        #expect(
            try items("-t", "html", "-f", "a", "-t", "x/y", "-t", "text", "--text", "b", "-f", "c") == [
                [
                    Source(origin: .file("a"), types: ["html"]), text("b", "x/y", "text"),
                    Source(origin: .file("c"), types: []),
                ]
            ])
    }

    @Test("Standard input is read when it is named, or nothing else is")
    func standardInput() throws {
        #expect(try items() == [[Source(origin: .standardInput, types: [])]])
        #expect(try items("-t", "png") == [[Source(origin: .standardInput, types: ["png"])]])
        #expect(
            try items("-t", "png", "-f", "-", "--text", "b")
                == [[Source(origin: .standardInput, types: ["png"]), text("b")]])
        #expect(message("-f", "-", "-f", "-").contains("twice"))
    }

    @Test("Each file of --files is an item, the first of them the present one")
    func files() throws {
        func url(_ path: String) -> Source { Source(origin: .fileURL(path), types: []) }
        #expect(try items("--files", "a", "b") == [[url("a")], [url("b")]])
        #expect(try items("--text", "x", "--files", "a", "b") == [[text("x"), url("a")], [url("b")]])
        #expect(try items("--files", "a", "--text", "x") == [[url("a"), text("x")]])
        #expect(try items("--files", "a", "--next", "b") == [[url("a")], [text("b")]])
        #expect(message("-t", "png", "--files", "a").contains("public.file-url"))
    }

    @Test("A command is a source, several types name one, and several commands are several")
    func commands() throws {
        func command(_ text: String, _ types: String...) -> Source { Source(origin: .command(text), types: types) }
        #expect(
            try items("-t", "png", "-t", "x/y", "-c", "a b", "-c", "c", "--next", "-c=d") == [
                [command("a b", "png", "x/y"), command("c")], [command("d")],
            ])
        #expect(message("-c", "").contains("-c"))
        #expect(message("--tee", "-c", "date").contains("--tee"))
        #expect(message("--no-empty", "-c", "date").contains("--no-empty"))
        #expect(message("-t", "html", "a", "-c", "date", "--no-empty").contains("--no-empty"))
        #expect(try SetOptions(quick: ["--tee", "a", "-t", "html", "-c", "date"])?.items[0].count == 2)
    }

    @Test("An item to add to takes the sources of one item")
    func item() throws {
        func item(_ arguments: String...) throws -> Int? {
            try SetOptions(quick: arguments, forms: SetOptions.addForms)?.item
        }
        #expect(try item("--item", "2", "a", "-t", "html", "b") == 2)
        #expect(throws: Failure.self) { try item("--item", "2", "a", "--next", "b") }
        #expect(throws: Failure.self) { try item("--item=-1", "a") }
        #expect(try SetOptions(quick: ["--item", "2", "a"]) == nil)
    }

    @Test("A type without a source and an item without one are slips")
    func slips() {
        #expect(message("a", "-t", "html").contains("-t html"))
        #expect(message("-t", "html", "--next", "a").contains("-t html"))
        #expect(message("--next", "a").contains("--next"))
        #expect(message("a", "--next").contains("--next"))
        #expect(message("a", "--next", "--next", "b").contains("--next"))
        #expect(message("--tee", "--json", "a").contains("--json"))
    }
}
