import TestSupport
import Testing

/// Tests/EmbeddedHost under way: a program with the bridge inside.
struct Host {
    let process: Running

    /// Has it do something, and returns what it says.
    func ask(_ command: String) async throws -> String {
        try await process.send(command)
        return try await process.line()
    }

    /// Has it do something, which is to end well.
    func tell(_ command: String) async throws {
        let answer = try await ask(command)
        #expect(!answer.hasPrefix("error"), "\(command)")
    }

    /// How many descriptors and threads it has once its bridge has come and gone.
    func used() async throws -> [Int] {
        #expect(try await ask("cycle 1") == "ok")
        return try await counts()
    }

    /// Returns when it has no more of them; those of the library come and go.
    func awaitUse(_ most: [Int]) async throws {
        while zip(try await counts(), most).contains(where: { $0 > $1 }) {}
    }

    private func counts() async throws -> [Int] {
        [Int(try await ask("descriptors")) ?? .max, Int(try await ask("threads")) ?? .max]
    }

    /// Starts its bridge.
    func start(_ display: String = "") async throws {
        let answer = try await ask("start \(display)")
        #expect(answer == "ok")
    }
}

extension Sandbox {
    /// Runs the program while `body` runs.
    func withHost(_ body: (Host) async throws -> Void) async throws {
        _ = try await running(["\(Binaries.folder)/EmbeddedHost"]) { try await body(Host(process: $0)) }
    }

    /// Runs `xpb`, and requires success.
    @discardableResult
    func require(_ arguments: String...) async throws -> Outcome {
        let outcome = try await run(["\(Binaries.folder)/xpb"] + arguments)
        try #require(outcome.status == 0, "\(outcome)")
        return outcome
    }

    func xclipPastes() async throws -> String {
        try await run(["xclip", "-o", "-selection", "clipboard", "-t", "UTF8_STRING"]).text
    }

    /// Returns when the bridge has seen that xclip owns the selection; xclip goes on in the background.
    func xclipCopies(_ text: String) async throws {
        let before = try await require("count").text
        let copied = try await shell(
            "printf %s \"$1\" | xclip -i -selection clipboard >/dev/null 2>&1", text)
        try #require(copied.status == 0, "\(copied)")
        // It returns before it has asked for the selection.
        try await require("wait", "--since", before, "--timeout", "60")
    }
}
