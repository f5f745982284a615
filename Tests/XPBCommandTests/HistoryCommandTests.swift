import ArgumentParser
import Testing

@testable import XPBCommand

@Suite struct HistoryCommandTests {
    @Test("Without a command the history is listed")
    func list() throws {
        let list = try #require(
            try XPB.parseAsRoot(["history", "-n", "5", "--pinned", "-p", "find", "-0"]) as? HistoryCommand.List)
        #expect(list.listing.limit == 5 && list.listing.pinned && list.listing.endsWithNUL && !list.listing.all)
        #expect(list.common.pasteboard == ["find"] && list.words.isEmpty)
        let same = try #require(try XPB.parseAsRoot(["history", "list", "--limit", "5"]) as? HistoryCommand.List)
        #expect(same.listing.limit == 5)
    }

    @Test("A command that is misspelt is no listing, and the one that was meant is told")
    func slips() throws {
        let list = try #require(try XPB.parseAsRoot(["history", "restor", "5"]) as? HistoryCommand.List)
        let failure = #expect(throws: Failure.self) { try list.perform(in: Session(CommonOptions())) }
        #expect(failure?.status == .usage && failure?.message.contains("'restore'") == true)
    }

    @Test(
        "What contradicts itself is refused before a bridge is asked",
        arguments: [
            ["list", "-n", "0"], ["list", "--all", "-p", "find"], ["search", " "],
            ["show", "1", "--json", "-t", "text"],
            ["show", "1", "-p", "find"], ["delete", "1", "-p", "find"], ["clear", "--all", "-p", "find"],
            ["pause", "-p", "find"], ["restore", "1", "2"], ["pin", "x"],
        ])
    func contradictions(line: [String]) throws {
        let command = try #require(try XPB.parseAsRoot(["history"] + line) as? any Subcommand)
        let session = Session(command.common.options, environment: [:])
        let failure = #expect(throws: Failure.self) { try command.perform(in: session) }
        #expect(failure?.status == .usage, "\(line)")
    }
}
