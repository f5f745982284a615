import ArgumentParser
import CommandCore
import Commands
import LinuxSystem
import SystemPackage
import Testing
import XPBCommand

@Suite struct EntryIDsTests {
    private static let console = Console(isQuiet: true, isVerbose: false)

    private func file(_ text: String) throws -> MemoryFile {
        let file = try MemoryFile.containing(Array(text.utf8))
        // The offset is at the end after writing.
        _ = try file.descriptor.fileDescriptor.seek(offset: 0, from: .start)
        return file
    }

    /// Returns the IDs for a standard input.
    private func ids(_ input: String, arguments: [String] = []) throws -> [Int] {
        let file = try file(input)
        var ids = try EntryIDs.parse([])
        ids.given = arguments
        return try ids.all(console: Self.console, standardInput: file.descriptor.fileDescriptor)
    }

    @Test("With arguments, standard input is not read")
    func arguments() throws {
        #expect(try ids("7\n", arguments: ["5", "3", "5"]) == [5, 3])
    }

    @Test(
        "The first column of each line is an ID",
        arguments: [
            ("12\t7\t5m\tpublic.html\thello 13\n", [12]), ("3\n2\n1", [3, 2, 1]), ("  8 rest\r\n\n9\n", [8, 9]),
            ("4\tone\u{0}5\ttwo\nlines\u{0}", [4, 5]), ("0\n", [0]),
        ])
    func lines(input: String, expected: [Int]) throws {
        #expect(try ids(input) == expected)
    }

    @Test("Without a choice the status is 1, without a message", arguments: ["", "\n", " \r\n\n", "\0"])
    func nothing(input: String) {
        #expect(throws: Failure(.nothing, "")) { try ids(input) }
    }

    @Test(
        "An invalid ID is an error",
        arguments: ["x", "-1", "+1", "1.0", "0x1", "", "٣", "99999999999999999999"])
    func slips(word: String) {
        let failure = #expect(throws: Failure.self) { try ids("", arguments: [word]) }
        #expect(failure?.status == .usage && failure?.message.contains("xpb history") == true)
        let line = #expect(throws: Failure.self) { try ids("1\n\(word)x\n") }
        #expect(line?.status == .usage)
    }

    @Test("A command for one entry refuses a second entry")
    func one() throws {
        let file = try file("1\n2\n")
        let ids = try EntryIDs.parse([])
        let failure = #expect(throws: Failure.self) {
            try ids.one(console: Self.console, standardInput: file.descriptor.fileDescriptor)
        }
        #expect(failure?.status == .usage)
        #expect(try EntryIDs.parse(["9"]).one(console: Self.console) == 9)
    }
}
