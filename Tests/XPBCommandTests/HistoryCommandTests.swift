import ArgumentParser
import CommandCore
import Testing
import XPBCommand

@Suite struct HistoryCommandTests {
    private func failure(_ line: [String]) throws -> Failure {
        let command = try #require(try XPB.parseAsRoot(["history"] + line) as? any Subcommand)
        let session = Session(command.commonOptions, environment: [:])
        return try #require(throws: Failure.self) { try command.perform(in: session) }
    }

    @Test("Without a command, the options are those of a listing")
    func list() throws {
        for line in [["-n", "0"], ["--limit=0", "--pinned", "-0", "-p", "find"], ["list", "--limit", "0"]] {
            #expect(try failure(line).message.hasPrefix("--limit 0: "))
        }
    }

    @Test("A misspelled command is an error that suggests the correct one")
    func misspelt() throws {
        let failure = try failure(["restor", "5"])
        #expect(failure.status == .usage && failure.message.contains("'restore'"))
    }

    @Test(
        "Contradictory options are refused before a bridge is called",
        arguments: [
            ["list", "-n", "0"], ["list", "--all", "-p", "find"], ["search", " "],
            ["show", "1", "--json", "-t", "text"],
            ["clear", "--all", "-p", "find"],
            ["pin", "x"],
        ])
    func contradictions(line: [String]) throws {
        #expect(try failure(line).status == .usage, "\(line)")
    }
}
