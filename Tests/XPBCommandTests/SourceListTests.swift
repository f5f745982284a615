import ArgumentParser
import CommandCore
import Commands
import PasteboardWire
import TestRandom
import Testing
import XPBCommand

/// Parses a line of `set` or `add` in the ordinary way.
func sourceCommand(_ arguments: [String]) throws -> (command: any SourceCommand, options: SetOptions) {
    let line = SourceLine(Invocation.normalized(arguments))
    let command = try #require(try XPB.parseAsRoot(line.arguments) as? any SourceCommand, "\(arguments)")
    return (command, try SetOptions(command, line.sources))
}

func sourceOptions(_ arguments: [String]) throws -> SetOptions { try sourceCommand(arguments).options }

@Suite struct SourceListTests {
    private func items(_ arguments: String...) throws -> [[Source]] { try sourceOptions(["set"] + arguments).items }

    private func text(_ text: String, _ types: String...) -> Source { Source(origin: .text(text), types: types) }

    private func message(_ arguments: String...) -> String {
        let failure = #expect(throws: Failure.self) { _ = try sourceOptions(["set"] + arguments) }
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
        let failure = #expect(throws: Failure.self) { _ = try sourceOptions(["set"] + arguments) }
        #expect(failure?.status == .usage && failure?.message.contains("--concealed") == true)
        #expect(try items("--concealed") == [[Source(origin: .standardInput, types: [])]])
        #expect(try sourceOptions(["set", "-f", "a", "--concealed"]).wire == WireOptions(concealed: true))
    }

    @Test("Words are one source, unless another source stands between them")
    func words() throws {
        #expect(try items("a", "b") == [[text("a b")]])
        #expect(try items("a", "-n", "b") == [[text("a b")]])
        #expect(try items("a", "-t", "html", "b") == [[text("a"), text("b", "html")]])
        #expect(try items("a", "--text", "b", "c") == [[text("a"), text("b"), text("c")]])
        #expect(try items("a", "--next", "b") == [[text("a")], [text("b")]])
        #expect(try items("") == [[text("")]])
    }

    @Test("A type belongs to the next source, which may have several")
    func types() throws {
        #expect(
            try items("-t", "html", "-f", "a", "-t", "x/y", "-t", "text", "--text", "b", "-f", "c") == [
                [
                    Source(origin: .file("a"), types: ["html"]), text("b", "x/y", "text"),
                    Source(origin: .file("c"), types: []),
                ]
            ])
    }

    @Test("Standard input is read if it is named, or if no source is named")
    func standardInput() throws {
        #expect(try items() == [[Source(origin: .standardInput, types: [])]])
        #expect(try items("-t", "png") == [[Source(origin: .standardInput, types: [".png"])]])
        #expect(
            try items("-t", "png", "-f", "-", "--text", "b")
                == [[Source(origin: .standardInput, types: [".png"]), text("b")]])
        #expect(message("-f", "-", "-f", "-").contains("twice"))
    }

    @Test("A dash alone is standard input, and is text after -- or next to other words")
    func dash() throws {
        let standardInput = Source(origin: .standardInput, types: [])
        #expect(try items("-") == [[standardInput]])
        #expect(try items("-n", "-", "--exact") == [[standardInput]])
        #expect(
            try items("-t", "html", "-", "--text", "a") == [
                [Source(origin: .standardInput, types: ["html"]), text("a")]
            ])
        #expect(try items("--", "-") == [[text("-")]])
        #expect(try items("a", "-", "b") == [[text("a - b")]])
        #expect(try items("--text", "-") == [[text("-")]])
    }

    @Test("Two files without types for one item are an error, whatever is in them")
    func untypedFiles() throws {
        #expect(message("-f", "a", "-f", "b").contains("--next"))
        #expect(message("-f", "a", "-t", "html", "--text", "x", "-f", "-").contains("--next"))
        #expect(try items("-f", "a", "--next", "-f", "b").count == 2)
        #expect(try items("-f", "a", "-t", "html", "-f", "b").count == 1)
    }

    @Test("The names of files as words after -f are refused, and other words there are text")
    func filesAfterFile() throws {
        func options(_ arguments: String...) throws -> SetOptions {
            let line = SourceLine(["set"] + arguments)
            let command = try #require(try XPB.parseAsRoot(line.arguments) as? any SourceCommand)
            return try SetOptions(command, line.sources) { ["a.png", "b.png"].contains($0) }
        }
        let failure = #expect(throws: Failure.self) { try options("-f", "a.png", "b.png") }
        #expect(failure?.message.contains("--files") == true && failure?.status == .usage)
        #expect(try options("-f", "a.png", "b.png", "caption").items.joined().count == 2)
        #expect(try options("-f", "a.png", "--text", "b.png").items.joined().count == 2)
        #expect(try options("a.png", "b.png").filesAsText == ["a.png", "b.png"])
        #expect(try options("a.png", "caption").filesAsText == [])
        #expect(try options("--cut", "a.png").filesAsText == [])
        #expect(try options("--text", "a.png").filesAsText == [])
    }

    @Test("The message on names copied as text shows the commands that copy the files")
    func filesAsText() {
        func hint(_ files: String..., isFolder: Bool = false) -> String {
            SetCommand.hint(onFiles: files, command: "xpb add -p find", isFolder: isFolder)
        }
        #expect(
            hint("a b").hasSuffix(": xpb add -p find --files 'a b'; for its contents: xpb add -p find -f 'a b'"))
        #expect(hint("src/", isFolder: true).hasSuffix("for the file: xpb add -p find --files src/"))
        #expect(hint("a", "-b").hasSuffix("for the files: xpb add -p find --files a ./-b"))
        #expect(hint("1", "2", "3", "4", "5", "6", "7", "8", "9").hasSuffix(" 7 8 …"))
    }

    @Test("Each file of --files is an item, and the first belongs to the current one")
    func files() throws {
        func url(_ path: String) -> Source { Source(origin: .fileURL(path), types: []) }
        #expect(try items("--files", "a", "b") == [[url("a")], [url("b")]])
        #expect(try items("--text", "x", "--files", "a", "b") == [[text("x"), url("a")], [url("b")]])
        #expect(try items("--files", "a", "--text", "x") == [[url("a"), text("x")]])
        #expect(try items("--files", "a", "--next", "b") == [[url("a")], [text("b")]])
        #expect(message("-t", "png", "--files", "a").contains("public.file-url"))
    }

    @Test("Words with --cut are files, and options may stand between --files and its paths")
    func cutFiles() throws {
        func url(_ path: String) -> Source { Source(origin: .fileURL(path), types: []) }
        let mark = Source(origin: .text("1"), types: ["application/x-kde-cutselection"])
        for line in [
            ["--files", "--cut", "a", "b"], ["--cut", "a", "b"], ["a", "--cut", "b"], ["--cut", "--", "a", "b"],
        ] {
            #expect(try sourceOptions(["set"] + line).items == [[url("a"), mark], [url("b")]], "\(line)")
        }
        #expect(try items("--files", "-q", "a", "--text", "x", "b") == [[url("a"), text("x"), text("b")]])
        #expect(try items("--files", "--", "-x") == [[url("-x")]])
        for line in [["--files"], ["--files", "--cut"], ["--files", "--text", "x"], ["--cut"]] {
            #expect(throws: (any Error).self, "\(line)") { try sourceOptions(["set"] + line) }
        }
    }

    @Test("Text under the type of an image is refused if there is a pipe, with the intended command")
    func unreadPipe() throws {
        func message(_ arguments: String..., isPiped: Bool = true) -> String? {
            do {
                try sourceOptions(arguments).checkStandardInput { isPiped }
                return nil
            } catch {
                return (error as? Failure)?.message
            }
        }
        #expect(
            message("set", "-t", "image/png", "--text", "shot")?.hasSuffix("xpb set -t image/png -f - --text shot")
                == true)
        #expect(message("add", "-t", ".png", "a b")?.hasSuffix("xpb add -t .png -f - --text 'a b'") == true)
        #expect(message("set", "-t", "image/png", "--text", "shot", isPiped: false) == nil)
        // A shell's loop over the lines of a pipe.
        #expect(message("set", "word") == nil)
        #expect(message("set", "-t", "html", "--text", "<b>x</b>") == nil)
        #expect(message("set", "-t", "image/svg+xml", "--text", "<svg/>") == nil)
        #expect(message("set", "-t", "image/png", "-f", "-", "--text", "shot") == nil)
    }

    @Test("A command is a source, and may have several types")
    func commands() throws {
        func command(_ text: String, _ types: String...) -> Source { Source(origin: .command(text), types: types) }
        #expect(
            try items("-t", "png", "-t", "x/y", "-c", "a b", "-c", "c", "--next", "-c=d") == [
                [command("a b", ".png", "x/y"), command("c")], [command("d")],
            ])
        #expect(message("-c", "").contains("-c"))
        #expect(message("--tee", "-c", "date").contains("--tee"))
        #expect(message("--no-empty", "-c", "date").contains("--no-empty"))
        #expect(message("-t", "html", "a", "-c", "date", "--no-empty").contains("--no-empty"))
        #expect(try items("--tee", "a", "-t", "html", "-c", "date")[0].count == 2)
    }

    @Test("--item takes the sources of one item")
    func item() throws {
        func item(_ arguments: String...) throws -> Int? { try sourceOptions(["add"] + arguments).item }
        #expect(try item("--item", "2", "a", "-t", "html", "b") == 2)
        #expect(throws: Failure.self) { try item("--item", "2", "a", "--next", "b") }
        #expect(throws: Failure.self) { try item("--item=-1", "a") }
        #expect(throws: (any Error).self) { try sourceOptions(["set", "--item", "2", "a"]) }
        #expect(try sourceOptions(["add", "a"]).appends && !sourceOptions(["add", "--item", "0", "a"]).appends)
    }

    @Test("A type or an item without a source is an error")
    func slips() {
        #expect(message("a", "-t", "html").contains("-t html"))
        #expect(message("-t", "html", "--next", "a").contains("-t html"))
        #expect(message("--next", "a").contains("--next"))
        #expect(message("a", "--next").contains("--next"))
        #expect(message("a", "--next", "--next", "b").contains("--next"))
        #expect(message("--tee", "--json", "a").contains("--json"))
    }

    @Test("A value of --text may look like an option, and may be empty")
    func values() throws {
        for value in ["-n", "--", "---", "--help", "-=x", "", "=", "a=b", "\u{301}x"] {
            #expect(try items("--text", value, "b") == [[text(value), text("b")]])
        }
        #expect(try items("--text=", "--type=", "b") == [[text(""), text("b", "")]])
        #expect(try items("--", "--text", "-n") == [[text("--text -n")]])
        #expect(throws: (any Error).self) { try items("a", "---b") }
    }

    @Test("Short options can be combined, each with its value")
    func together() throws {
        let options = try sourceOptions(["set", "-ntf", "html", "a", "-qc", "date", "b"])
        #expect(options.trim)
        #expect(
            options.items == [
                [
                    Source(origin: .file("a"), types: ["html"]), Source(origin: .command("date"), types: []),
                    text("b"),
                ]
            ])
    }

    @Test("Thousands of words and files are read in linear time")
    func many() throws {
        let words = (0..<100_000).map { "w\($0)" }
        #expect(try sourceOptions(["set", "--exact"] + words).items == [[text(words.joined(separator: " "))]])
        #expect(try sourceOptions(["set", "-v", "--files"] + words + ["-n"]).items.count == words.count)
    }

    @Test("Sources are in the order of the line, with any spelling and any options between them")
    func order() throws {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<200 {
            let line = RandomLine(using: &generator)
            let options = try sourceOptions(line.arguments)
            #expect(options.items == line.items, "\(line.arguments)")
            #expect(options.ifCount == line.ifCount && options.trim == line.trim, "\(line.arguments)")
        }
    }
}

/// Sources, and a line that names them among options about other things.
private struct RandomLine {
    private(set) var arguments = ["set"]
    private(set) var items: [[Source]] = []
    private(set) var ifCount: Int?
    private(set) var trim = false
    private var generator: SeededGenerator

    init(using generator: inout SeededGenerator) {
        self.generator = generator
        for item in 0..<Int.random(in: 1...3, using: &self.generator) {
            if item > 0 { arguments.append("--next") }
            items.append([])
            for _ in 0..<Int.random(in: 1...3, using: &self.generator) { appendSource() }
        }
        appendOther()
        generator = self.generator
    }

    private mutating func random(_ values: String...) -> String { values.randomElement(using: &generator) ?? "" }

    private mutating func value() -> String { random("a", "b c", "", "-", "x=y", "set", "5", "=", "ä") }

    private mutating func appendSource() {
        var types: [String] = []
        for _ in 0..<Int.random(in: 0...2, using: &generator) {
            types.append(value())
            append("type", "t", types[types.count - 1])
        }
        appendOther()
        var value = value()
        var origin = Source.Origin.text(value)
        // Adjacent words would be one source, and an item has at most one file without a type.
        let hasFile = items.last?.contains { if case .file = $0.origin { $0.types.isEmpty } else { false } } == true
        var kind = Int.random(in: types.isEmpty ? 1...3 : 0...3, using: &generator)
        if kind == 2, types.isEmpty, hasFile { kind = 3 }
        switch kind {
        case 0:
            arguments.append(value)
            appendOther()
            arguments.append("word")
            origin = .text(value + " word")
        case 1:
            value = random(value, "-n", "--", "--next", "---")
            append("text", nil, value)
            origin = .text(value)
        case 2:
            if value == "-" { value = "file" }
            append("file", "f", value)
            origin = .file(value)
        default:
            if value.isEmpty { value = "date" }
            append("command", "c", value)
            origin = .command(value)
        }
        items[items.count - 1].append(Source(origin: origin, types: types))
    }

    /// Appends an option that does not concern sources, or nothing.
    private mutating func appendOther() {
        switch Int.random(in: 0..<9, using: &generator) {
        case 0: append("pasteboard", "p", "find")
        case 1: append("timeout", nil, "5")
        case 2: append("display", nil, ":1")
        case 3: append("expires", nil, "1h")
        case 4: arguments.append(random("-q", "--exact", "--once", "-qv", "--memory"))
        case 5:
            ifCount = 3
            append("if-count", nil, "3")
        case 6:
            trim = true
            arguments.append(random("-n", "--trim", "-nq"))
        default: break
        }
    }

    /// Appends an option in one of its spellings.
    private mutating func append(_ name: String, _ short: Character?, _ value: String) {
        switch (short, Int.random(in: 0..<5, using: &generator)) {
        case (let short?, 0): arguments += ["-\(short)", value]
        case (let short?, 1): arguments.append("-\(short)=\(value)")
        case (let short?, 2):
            trim = true
            arguments += ["-n\(short)", value]
        case (_, 3): arguments.append("--\(name)=\(value)")
        default: arguments += ["--\(name)", value]
        }
    }
}
