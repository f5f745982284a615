import CopyingSupport
import FoundationEssentials
import TestSupport
import Testing

extension Integration {
    /// The scripts that `xpb completions` writes, and the values that the scripts request from xpb.
    @Suite("Completions", .requiresXvfb)
    struct CompletionTests {
        @Test(
            "completions offer pasteboards, types and entries of the history, with a description where the shell shows one"
        )
        func completedValues() async throws {
            try await Sandbox.with { sandbox in
                func complete(_ shell: String, _ path: String, _ words: String...) async throws -> [String] {
                    let line = ["xpb", "---completion"] + path.split(separator: " ").map(String.init) + words
                    let outcome = try await sandbox.changing(["SAP_SHELL": shell]).run(line)
                    #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome)")
                    return outcome.text.split(separator: "\n").map(String.init)
                }
                #expect(try await complete("bash", "get -- --pasteboard", "2", "0", "xpb", "get", "-p", "").isEmpty)
                #expect(sandbox.bridges().isEmpty)
                try await sandbox.require("create", "com.example.notes")
                try await sandbox.require("set", "-t", "text/html", "--text", "<b>first: one</b>")
                try await sandbox.require("set", "-p", "find", "-t", "image/png", "--text", "$(touch made)")
                let boards = try await complete("bash", "get -- --pasteboard", "3", "0", "xpb", "get", "-p", "")
                #expect(Set(boards).isSuperset(of: ["general", "find", "com.example.notes"]), "\(boards)")
                let types = try await complete("fish", "get -- --type", "3", "0", "xpb", "get", "-t", "")
                #expect(types.first == "public.html\t", "\(types)")
                let found = try await complete(
                    "bash", "get -- --type", "5", "0", "xpb", "get", "-p", "find", "-t", "")
                #expect(found.first == "public.png", "\(found)")
                let empty = try await complete("bash", "set -- --type", "3", "0", "xpb", "set", "-t", "")
                #expect(empty.prefix(3) == ["text", "html", ".png"] && empty.count < 20, "\(empty)")
                let begun = try await complete("bash", "set -- --type", "3", "0", "xpb", "set", "-t", "public.h")
                #expect(begun.contains("public.html"))
                let entries = "history show -- positional@0"
                let fish = try await complete("fish", entries, "3", "0", "xpb", "history", "show", "")
                #expect(fish.contains { $0.hasSuffix("\tfirst: one") }, "\(fish)")
                let zsh = try await complete("zsh", entries, "3", "0", "xpb", "history", "show", "")
                #expect(zsh.contains { $0.hasSuffix(":first: one") }, "\(zsh)")
                let bash = try await complete("bash", entries, "3", "0", "xpb", "history", "show", "")
                #expect(!bash.isEmpty && bash.allSatisfy { Int($0) != nil }, "\(bash)")
            }
        }

        @Test("bash completes the options of an alias, the commands after help, and pasteboards that can be removed")
        func bash() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("create", "com.example.notes")
                func complete(_ words: String...) async throws -> [String] {
                    let line = words.joined(separator: " ")
                    let quoted = words.map { "'\($0)'" }.joined(separator: " ")
                    let script = """
                        eval "$(xpb completions bash)"
                        COMP_WORDS=(\(quoted)) COMP_CWORD=\(words.count - 1) COMP_LINE='\(line)' COMP_POINT=\(line.count)
                        _xpb xpb '\(words.last ?? "")' '\(words.dropLast().last ?? "")'
                        printf '%s\\n' "${COMPREPLY[@]}"
                        """
                    return try await sandbox.run(["bash", "-c", script]).lines
                }
                #expect(try await complete("xpb", "paste", "--exa") == ["--exact"])
                #expect(try await complete("xpb", "copy", "--exp") == ["--expires"])
                #expect(try await complete("xpb", "get", "--exa") == ["--exact"])
                #expect(try await complete("xpb", "help", "h") == ["history"])
                #expect(try await complete("xpb", "remove", "") == ["com.example.notes"])
            }
        }

        @Test("A type's name from another program is not offered to a shell that would run it as a command")
        func completionOfHostileTypes() async throws {
            try await Sandbox.with { sandbox in
                let file = try sandbox.write(Array("a".utf8), to: "offer")
                let names = ["text/$(touch made)", "text/`touch made`", "text/plain"]
                try await sandbox.withPeer(["own"] + names.flatMap { ["--offer", $0, file] }) { peer in
                    _ = try await peer.await("owned")
                    try await sandbox.require("bridge", "start")
                    try await Self.expectNothingRun(in: sandbox)
                }
            }
        }

        private static func expectNothingRun(in sandbox: Sandbox) async throws {
            let script = """
                eval "$(xpb completions bash)"
                COMP_WORDS=(xpb get -t '') COMP_CWORD=3 COMP_LINE='xpb get -t ' COMP_POINT=11
                _xpb xpb '' -t
                printf '%s\\n' "${COMPREPLY[@]}"
                """
            let outcome = try await sandbox.run(["bash", "-c", script])
            #expect(outcome.text.contains("plain-text"), "\(outcome)")
            #expect(!outcome.text.contains("touch"), "\(outcome)")
            #expect(!FileManager.default.fileExists(atPath: sandbox.path("made")))
        }
    }
}
