import ArgumentParser
import CommandCore
import Commands
import PasteboardWire
import Testing
import XPBCommand

@Suite struct UndoCommandTests {
    @Test(
        "The message has the name of the last action and the number of steps",
        arguments: [
            (1, "Copy from Firefox", "undid Copy from Firefox"), (1, nil, "undid a change"),
            (3, "Copy from Tk", "undid 3 changes, the last one Copy from Tk"), (2, nil, "undid 2 changes"),
        ] as [(Int, String?, String)])
    func message(steps: Int, action: String?, message: String) {
        #expect(Methods.Stepped(count: 9, steps: steps, action: action).message("undid") == message)
    }

    @Test("Fewer than one step is an error", arguments: [["undo", "0"], ["redo", "0"], ["undo", "--", "-1"]])
    func steps(line: [String]) throws {
        let command = try #require(try XPB.parseAsRoot(line) as? any Subcommand)
        let failure = #expect(throws: Failure.self) {
            try command.perform(in: Session(CommonOptions(), environment: [:]))
        }
        #expect(failure?.status == .usage)
    }
}
