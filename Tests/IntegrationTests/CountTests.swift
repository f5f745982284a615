import CopyingSupport
import TestSupport
import Testing

extension Integration {
    /// The change count: one step for each change of contents or of owner, none for reading.
    @Suite("The change count", .requiresXvfb)
    struct CountTests {
        @Test("The same text copied twice by xclip is two changes")
        func sameTextTwice() async throws {
            try await Sandbox.with { sandbox in
                try sandbox.write(Array("text".utf8), to: "in")
                let before = try await sandbox.count()
                try await sandbox.xclipCopies("in")
                try await sandbox.xclipCopies("in")
                #expect(try await sandbox.count() == before + 2)
            }
        }

        @Test("Alternating copies from two programs are all counted, and the last copy is pasted")
        func byTurns() async throws {
            try await Sandbox.with { sandbox in
                let before = try await sandbox.count()
                for turn in 1...20 {
                    try sandbox.write(Array("xclip \(turn)".utf8), to: "in")
                    try await sandbox.xclipCopies("in")
                    try await sandbox.require("set", "xpb \(turn)")
                }
                #expect(try await sandbox.count() == before + 40)
                #expect(try await sandbox.xclipPastes().text == "xpb 20")
                #expect(try await sandbox.require("get").text == "xpb 20")
            }
        }

        @Test("Three representations in one set are one change")
        func threeRepresentations() async throws {
            try await Sandbox.with { sandbox in
                let before = try await sandbox.count()
                try await sandbox.require(
                    "set", "-t", "text/html", "--text", "<b>x</b>", "-t", "image/png", "--text", "not really",
                    "-t", "text", "--text", "x")
                #expect(try await sandbox.count() == before + 1)
                // A late event would be a second step, and would come before the event of this copy to another
                // selection.
                try await sandbox.require("set", "-p", "find", "needle")
                #expect(try await sandbox.count() == before + 1)
                #expect(try await sandbox.xclipPastes("text/html").text == "<b>x</b>")
                #expect(try await sandbox.xclipPastes("image/png").text == "not really")
                #expect(try await sandbox.xclipPastes().text == "x")
            }
        }

        @Test("Reading is not a change")
        func reading() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "text")
                let before = try await sandbox.count()
                _ = try await sandbox.xclipPastes()
                try await sandbox.require("get")
                try await sandbox.require("types")
                #expect(try await sandbox.count() == before)
            }
        }

        @Test("Clearing is a change, and leaves neither contents nor an owner of the selection")
        func clear() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "text")
                let before = try await sandbox.count()
                try await sandbox.require("clear")
                #expect(try await sandbox.count() == before + 1)
                let empty = try await sandbox.xpb("get")
                #expect(empty.status == 1, "\(empty)")
                #expect(try await sandbox.ask("--target", "TARGETS").event == "refused")
            }
        }

        @Test("The death of an owner that was not captured is a change, and leaves no contents")
        func ownerDies() async throws {
            try await Sandbox.with { sandbox in
                let file = try sandbox.write(Array("text".utf8), to: "in")
                let before = try await sandbox.count("find")
                try await sandbox.withPeer(["own", "--selection", "PRIMARY", "--offer", "UTF8_STRING", file]) { peer in
                    _ = try await peer.await("owned")
                    #expect(try await sandbox.require("get", "-p", "find").text == "text")
                }
                try await sandbox.require("wait", "-p", "find", "--since", "\(before + 1)", "--timeout", "60")
                #expect(try await sandbox.xpb("get", "-p", "find").status == 1)
            }
        }

        @Test("A set with --if-count is refused with status 6 if the count differs")
        func ifCount() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "first")
                let count = try await sandbox.count()
                let refused = try await sandbox.xpb("set", "--if-count", "\(count + 7)", "second")
                #expect(refused.status == 6, "\(refused)")
                #expect(try await sandbox.require("get").text == "first")
                try await sandbox.require("set", "--if-count", "\(count)", "second")
                #expect(try await sandbox.require("get").text == "second")
            }
        }

        @Test("A set on several pasteboards changes none of them if one count differs, even with promises")
        func ifCountOfSeveral() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "kept")
                let count = try await sandbox.count()
                let several = ["-p", "general", "-p", "find", "--if-count", "\(count)"]
                for source in [["new"], ["-c", "echo new"]] {
                    let refused = try await sandbox.run(["xpb", "set"] + several + source)
                    #expect(refused.status == 6 && refused.error.contains("'find'"), "\(refused)")
                    #expect(try await sandbox.require("get").text == "kept")
                    #expect(try await sandbox.count() == count)
                }
            }
        }

        @Test("wait returns the new count after a copy, at once if the copy came first")
        func wait() async throws {
            try await Sandbox.with { sandbox in
                let before = try await sandbox.count()
                async let waiting = sandbox.xpb("wait", "--since", "\(before)", "--timeout", "120")
                try await sandbox.require("set", "text")
                #expect(try await waiting.number == before + 1)
                #expect(try await sandbox.require("wait", "--since", "\(before)").number == before + 1)
            }
        }

        @Test("wait continues with the next bridge")
        func waitBeyondRestart() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "first")
                let before = try await sandbox.count()
                async let waiting = sandbox.xpb("wait", "--since", "\(before)", "--timeout", "120")
                try await WatchTests.awaitWatcher(in: sandbox)
                try await sandbox.require("bridge", "restart")
                try await WatchTests.awaitWatcher(in: sandbox)
                try await sandbox.require("set", "second")
                #expect(try await waiting.number == before + 1)
            }
        }

        @Test("wait ends with status 3 after its timeout")
        func waitTimesOut() async throws {
            try await Sandbox.with { sandbox in
                let before = try await sandbox.count()
                let outcome = try await sandbox.xpb("wait", "--since", "\(before)", "--timeout", "0.2")
                #expect(outcome.status == 3, "\(outcome)")
                #expect(outcome.output.isEmpty)
            }
        }
    }
}
