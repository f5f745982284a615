import FoundationEssentials
package import TestSupport
package import Testing

/// Commands that copy, paste and compare, for the tests of the programs.
extension Sandbox {
    /// Runs `xpb` and requires success, however long it takes: see ``PatientLine``.
    @discardableResult
    package func require(_ arguments: String..., input: [UInt8] = []) async throws -> Outcome {
        try await require(arguments, input: input)
    }

    @discardableResult
    package func require(_ arguments: [String], input: [UInt8] = []) async throws -> Outcome {
        let line = PatientLine.of(arguments, isServed: isServed)
        let outcome = try await run([Binaries.folder + "/xpb"] + line, input: input)
        try #require(outcome.status == 0, "\(outcome)")
        return outcome
    }

    /// True if a bridge listens in the runtime folder. A killed bridge leaves its socket behind.
    private var isServed: Bool {
        let folder = "\(environment["XDG_RUNTIME_DIR"] ?? runtimeFolder)/xpb"
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
        return names?.contains { $0.hasSuffix(".sock") } == true && !bridges().isEmpty
    }

    /// Returns the change count of a pasteboard.
    package func count(_ pasteboard: String = "general") async throws -> Int {
        let outcome = try await require("count", "-p", pasteboard)
        return try #require(outcome.number, "\(outcome)")
    }

    /// Performs a change of a pasteboard, and returns the new count once the bridge has seen it.
    @discardableResult
    package func awaitingChange(of pasteboard: String = "general", _ change: () async throws -> Void) async throws
        -> Int
    {
        let before = try await count(pasteboard)
        try await change()
        let outcome = try await require("wait", "-p", pasteboard, "--since", "\(before)")
        return try #require(outcome.number, "\(outcome)")
    }

    /// Performs a change after which a program owns the selection of a pasteboard, and returns once the bridge has seen
    /// the owner. The end of the previous owner is a change too, and the bridge may count it after this function has
    /// begun.
    package func awaitingOwner(of pasteboard: String, _ change: () async throws -> Void) async throws {
        var count = try await count(pasteboard)
        try await change()
        repeat {
            let outcome = try await require("wait", "-p", pasteboard, "--since", "\(count)")
            count = try #require(outcome.number, "\(outcome)")
        } while try await xpb("owner", "-p", pasteboard).status != 0
    }

    /// Copies a file of the folder with xclip, and returns once the bridge has seen the copy.
    package func xclipCopies(_ name: String, as target: String = "UTF8_STRING", to selection: String = "clipboard")
        async throws
    {
        try await awaitingOwner(of: selection) {
            let copied = try await shell(
                "exec xclip -i -selection \"$1\" -t \"$2\" \"$3\" >/dev/null 2>&1", selection, target, name)
            try #require(copied.status == 0)
        }
    }

    /// Pastes with xclip.
    package func xclipPastes(_ target: String = "UTF8_STRING", from selection: String = "clipboard") async throws
        -> Outcome
    {
        try await run(["xclip", "-o", "-selection", selection, "-t", target])
    }

    /// Expects two files of the folder to have the same bytes.
    package func expectSame(_ found: String, _ expected: String, sourceLocation: SourceLocation = #_sourceLocation)
        async throws
    {
        let compared = try await run(["cmp", path(found), path(expected)])
        #expect(compared.status == 0, "\(compared)", sourceLocation: sourceLocation)
    }

    /// Returns the process id of the only bridge of this sandbox.
    package func bridge() throws -> Int32 {
        let found = bridges()
        try #require(found.count == 1, "there are \(found.count) bridges")
        return found[0]
    }
}
