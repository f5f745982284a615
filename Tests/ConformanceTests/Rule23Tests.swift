import CopyingSupport
import TestSupport
import Testing

extension Conformance {
    /// PromiseTests tests promises that are read by a hundred clients, broken or not kept. HabitTargets tests expensive
    /// targets, and SelectionOwnerTests tests contents over 4 GiB.
    @Suite("Rule 23: promises", .requiresXvfb)
    struct Rule23 {
        @Test("While a promised command is running, the other contents can be pasted a hundred times in a row")
        func slowBesideFast() async throws {
            try await Sandbox.with { sandbox in
                // The promised command ends when the test writes to the pipe.
                let gate = sandbox.path("gate")
                let made = try await sandbox.shell("mkfifo \"$1\"", gate)
                try #require(made.status == 0)
                try await sandbox.require(
                    "set", "-t", "text", "--text", "fast", "-t", "image/png", "-c", "echo ran >>ran; cat '\(gate)'")
                let slow = ["\(Binaries.folder)/xpb", "get", "-t", "image/png", "--timeout", "600"]
                async let first = sandbox.run(slow)
                async let second = sandbox.run(slow)
                let pasted = try await sandbox.shell(
                    "for _ in $(seq 100); do xclip -o -selection clipboard || exit; done")
                #expect(pasted.status == 0 && pasted.text == String(repeating: "fast", count: 100), "\(pasted.status)")
                let opened = try await sandbox.shell("printf slow >\"$1\"", gate)
                #expect(opened.status == 0)
                let (one, two) = try await (first, second)
                #expect(one.text == "slow" && two.text == "slow")
                #expect(try await sandbox.xclipPastes("image/png").text == "slow")
                #expect(try sandbox.read("ran") == Array("ran\n".utf8))
            }
        }
    }
}
