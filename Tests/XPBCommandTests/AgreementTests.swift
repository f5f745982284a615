import ArgumentParser
import TestRandom
import Testing

@testable import XPBCommand

/// The parser in front of the argument library may decline a line, and may not understand it otherwise.
@Suite struct AgreementTests {
    private static let common = [
        "-p", "--pasteboard", "--pasteboard=find", "find", "-p=general", "--display", ":1", "--timeout", "2.5",
        "--timeout=x",
        "--json", "-q", "-v", "--quiet", "-qv", "", "-", "--", "word", "5", "-1", "--unknown", "-x", "a=b",
    ]
    private static let getting =
        common + [
            "-t", "--type", "text", "--type=image/png", "-o", "--output", "--output=", "f.png", "--item", "--item=2",
            "0",
            "--newline", "--exact",
            "--trim", "--force", "-qt", "--force=1", "--all", "--all=out", "--stale",
        ]
    private static let setting =
        common + [
            "-t", "--type", "text", "-t=html", "-f", "--file", "--file=x", "--text", "--text=", "--text=-n", "--files",
            "--next", "--cut",
            "-n", "--trim", "-nq", "-nf", "--exact", "--tee", "--no-empty", "--if-count", "--if-count=3", "two words",
            "-c", "--command", "-c=date", "--command=a b", "--expires", "--expires=1.5h", "45s", "--local-only", "-nc",
            "--concealed", "--once", "--memory",
        ]
    private static let adding = setting + ["--item", "--item=1", "0"]

    /// What the library makes of a line.
    private func parsed(_ line: [String]) -> (any ParsableCommand)? {
        try? XPB.parseAsRoot(Invocation.separated(line))
    }

    private func lines(of vocabulary: [String], seed: UInt64, _ count: Int) -> [[String]] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            (0..<Int.random(in: 0...7, using: &generator)).map { _ in
                vocabulary.randomElement(using: &generator) ?? ""
            }
        }
    }

    @Test("Lines of get mean the same to both parsers")
    func get() throws {
        var understood = 0
        for line in lines(of: Self.getting, seed: 1, 700) {
            guard let quick = GetOptions(quick: line) else { continue }
            let command = try #require(parsed(["get"] + line) as? GetCommand, "\(line)")
            #expect(command.options == quick, "\(line)")
            understood += 1
        }
        #expect(understood > 100)
    }

    @Test("Lines of set mean the same to both parsers, the order of their sources too")
    func set() throws {
        var understood = 0
        for line in lines(of: Self.setting, seed: 2, 700) {
            guard let quick = try? SetOptions(quick: line) else { continue }
            let command = try #require(parsed(["set"] + line) as? SetCommand, "\(line)")
            let slow = try? SetOptions(command.common, command.sources, in: line)
            #expect(slow == quick, "\(line)")
            understood += 1
        }
        #expect(understood > 100)
    }

    @Test("Lines of add mean the same to both parsers, with the item they add to")
    func add() throws {
        var understood = 0
        for line in lines(of: Self.adding, seed: 4, 250) {
            guard let quick = try? SetOptions(quick: line, forms: SetOptions.addForms) else { continue }
            let command = try #require(parsed(["add"] + line) as? AddCommand, "\(line)")
            let slow = try? SetOptions(
                command.common, command.sources, item: command.item, forms: SetOptions.addForms, in: line)
            #expect(slow == quick, "\(line)")
            understood += 1
        }
        #expect(understood > 30)
    }

    @Test("What the library understands of set is not declined for the order of its sources")
    func declined() {
        // Every unknown option costs the library a search for a similar one.
        let known = Self.setting.filter { !["--unknown", "-x", "-1", "--timeout=x"].contains($0) }
        for line in lines(of: known, seed: 3, 250) {
            guard let command = parsed(["set"] + line) as? SetCommand else { continue }
            // The library ends the options at a "--" that is a value, too.
            if zip(line, line.dropFirst()).contains(where: { $0 == ("--text", "--") }) { continue }
            do {
                _ = try SetOptions(command.common, command.sources, in: line)
            } catch {
                #expect(!error.message.contains("cannot be told"), "\(line)")
            }
        }
    }
}
