import ArgumentParser
import CommandCore
import Testing
import XPBCommand

@Suite struct HelpPageTests {
    /// Every command, with the words that name it.
    private static let commands: [(words: [String], type: any ParsableCommand.Type)] = leaves(of: XPB.self, after: [])

    private static func leaves(
        of command: any ParsableCommand.Type, after words: [String]
    ) -> [(words: [String], type: any ParsableCommand.Type)] {
        let inner = command.configuration.subcommands
        return inner.isEmpty ? [(words, command)] : inner.flatMap { leaves(of: $0, after: words + [$0.names[0]]) }
    }

    private func page(_ command: any ParsableCommand.Type) -> String {
        HelpPage.page(XPB.helpMessage(for: command, columns: 80))
    }

    @Test("The page of each command has an example of the command, and no line is longer than a terminal is wide")
    func examples() {
        #expect(Self.commands.count > 30)
        for (words, type) in Self.commands {
            let lines = page(type).split(separator: "\n")
            let name = (["xpb"] + words).joined(separator: " ")
            let isList = words == ["history", "list"]
            #expect(
                lines.contains { $0.hasPrefix("  ") && $0.contains(isList ? "xpb history" : name) }, "\(name)")
            #expect(lines.allSatisfy { $0.count <= 80 }, "\(name)")
        }
    }

    @Test("The options of all commands have their own page, and the other pages refer to it")
    func commonOptions() {
        let options = HelpPage.commonOptions(from: XPB.helpMessage(for: XPB.self, columns: 80))
        #expect(!options.contains("--display"))
        for (words, type) in Self.commands where type is any Subcommand.Type || words == ["set"] {
            let page = page(type)
            #expect(page.hasSuffix("\n\n  All commands also take the options of 'xpb help options'.\n"), "\(words)")
            #expect(!page.contains("--quiet") && !page.contains("--display "), "\(words)")
            let own = HelpPage.commonOptions(from: XPB.helpMessage(for: type, columns: 80))
            for name in ["--display", "--timeout", "--json", "-q, --quiet", "-v, --verbose", "--version", "-h, --help"]
            {
                #expect(own.contains("\n  \(name)"), "\(words) \(name)")
            }
        }
    }

    @Test("Only commands that act on pasteboards take -p")
    func pasteboards() {
        for (words, type) in Self.commands {
            let takes = type is any PasteboardSubcommand.Type || ["set", "add"].contains(words.last)
            #expect(page(type).contains("-p, --pasteboard") == takes, "\(words)")
        }
        for line in [
            "status", "doctor", "list", "config", "declare a.b", "history show 1", "history pause", "bridge start",
        ] {
            #expect(
                Invocation.run(line.split(separator: " ").map(String.init) + ["-p", "find", "-q"]) == .usage, "\(line)")
        }
    }

    @Test("On a narrow terminal, no part of an option is left over")
    func narrow() {
        for columns in [40, 50] {
            for (_, type) in Self.commands where type is any Subcommand.Type {
                let library = XPB.helpMessage(for: type, columns: columns)
                let page = HelpPage.page(library, columns: columns)
                #expect(!page.contains("information."), "\(page)")
                #expect(HelpPage.commonOptions(from: library).contains("information."))
            }
        }
    }

    @Test("A long usage is wrapped between its parts")
    func usage() {
        let text = """
            OVERVIEW: x

            USAGE: xpb x [--one <ONE>] [--two <TWO>] [--display <DISPLAY>] [--timeout <SECONDS>] [--json] [--quiet] \
            [--verbose]

            COMMON OPTIONS:
              --display <DISPLAY>     y

            OPTIONS:
              --one <ONE>             z
              -h, --help              Show help information.

            """
        #expect(
            HelpPage.page(text, columns: 30)
                == """
                OVERVIEW: x

                USAGE: xpb x [--one <ONE>]
                           [--two <TWO>]

                OPTIONS:
                  --one <ONE>             z

                  All commands also take the options of 'xpb help options'.

                """)
    }
}
