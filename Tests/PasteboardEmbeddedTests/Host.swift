import TestSupport
import Testing

/// A running Tests/EmbeddedHost: a program with the bridge inside.
struct Host {
    let process: Running

    /// Sends a command, and returns the answer.
    func ask(_ command: String) async throws -> String {
        try await process.send(command)
        return try await process.line()
    }

    /// Sends a command that must succeed.
    func require(_ command: String) async throws {
        let answer = try await ask(command)
        #expect(!answer.hasPrefix("error"), "\(command)")
    }

    /// Returns the host's numbers of descriptors and threads after its bridge has started and stopped.
    func used() async throws -> [Int] {
        #expect(try await ask("cycle 1") == "ok")
        return try await counts()
    }

    /// Waits until the host has at most these numbers of descriptors and threads. The library's descriptors and threads
    /// come and go.
    func awaitUse(_ max: [Int]) async throws {
        while zip(try await counts(), max).contains(where: { $0 > $1 }) {}
    }

    private func counts() async throws -> [Int] {
        [Int(try await ask("descriptors")) ?? .max, Int(try await ask("threads")) ?? .max]
    }

    /// Starts the host's bridge.
    func start(_ display: String = "") async throws {
        let answer = try await ask("start \(display)")
        #expect(answer == "ok")
    }
}

extension Sandbox {
    /// Runs the host program during `body`.
    func withHost(_ body: (Host) async throws -> Void) async throws {
        _ = try await running(["\(Binaries.built)/EmbeddedHost"]) { try await body(Host(process: $0)) }
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

    /// Copies with xclip, and returns once the bridge has noticed the copy. xclip continues in the background.
    func xclipCopies(_ text: String) async throws {
        let before = try await require("count").text
        let copied = try await shell(
            "printf %s \"$1\" | xclip -i -selection clipboard >/dev/null 2>&1", text)
        try #require(copied.status == 0, "\(copied)")
        // xclip returns before it has requested the selection.
        try await require("wait", "--since", before, "--timeout", "60")
    }
}
