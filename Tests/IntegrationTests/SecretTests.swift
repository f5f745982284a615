import CopyingSupport
import TestSupport
import Testing

extension Integration {
    /// Concealed contents, which can be pasted like other contents and leave no trace.
    @Suite("Secrets", .requiresXvfb)
    struct SecretTests {
        /// Returns random text that occurs nowhere else.
        private static func random(_ length: Int = 40) -> String {
            let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
            return String(decoding: (0..<length).map { _ in letters.randomElement() ?? 0x61 }, as: UTF8.self)
        }

        @Test("A password that a tool copies with xpb under the name xclip is in no file if capture-except names xclip")
        func dropIn() async throws {
            try await Sandbox.with { sandbox in
                _ = try sandbox.writeConfiguration(#"{ "capture-except": ["xclip"] }"#)
                let secret = Self.random()
                _ = try await sandbox.shell("mkdir names && ln -s \"$(command -v xpb)\" names/xclip")
                let xclip = [sandbox.path("names/xclip"), "-selection", "clipboard"]
                _ = try await sandbox.run(xclip, input: Array(secret.utf8))
                #expect(try await sandbox.require("get").text == secret)
                #expect(try Search(for: secret).files(in: sandbox.folder) == [])
                #expect(try await sandbox.xpb("history").status == 1)
            }
        }

        @Test("Empty text that xpb itself copies removes nothing from the history")
        func emptyCopy() async throws {
            try await Sandbox.with { sandbox in
                try sandbox.write("of a program".utf8, to: "in")
                try await sandbox.xclipCopies("in")
                while try await sandbox.xpb("history").status != 0 { try Task.checkCancellation() }
                try await sandbox.require("set", "--text", "")
                #expect(try await sandbox.require("history").text.contains("of a program"))
                try await sandbox.require("undo")
                #expect(try await sandbox.require("get").text == "of a program")
            }
        }

        /// Sets a secret, and pastes it in every possible way.
        private static func setAndPaste(_ secret: String, in sandbox: Sandbox) async throws {
            try await sandbox.require("set", "--concealed", input: Array(secret.utf8))
            for target in ["UTF8_STRING", "STRING", "text/plain", "TEXT"] {
                #expect(try await sandbox.xclipPastes(target).text == secret)
            }
            #expect(try await sandbox.ask("--multiple", "UTF8_STRING", "STRING").event == "reply")
            #expect(try await sandbox.require("get").text == secret)
            #expect(try await sandbox.require("get", "-t", "text/plain;charset=utf-8").text == secret)
            #expect(try await sandbox.require("get", "--json").text.contains(secret))
            try await sandbox.require("items", "--json")
            try await sandbox.require("types", "--sizes", "--targets")
            try await sandbox.require("with", "--", "/bin/sh", "-c", "echo other | xpb set")
            #expect(try await sandbox.require("get").text == secret)
        }

        @Test("A secret can be pasted and is in no file, even after the bridge is killed")
        func files() async throws {
            try await Sandbox.with { sandbox in
                let secret = Self.random()
                try await Self.setAndPaste(secret, in: sandbox)
                let search = Search(for: secret)
                #expect(try search.files(in: sandbox.folder) == [])
                let bridge = try sandbox.bridge()
                await ProcessTable.end(bridge)
                // The secret was only in memory, which ended with the bridge.
                #expect(try await sandbox.xpb("get").status == 1)
                #expect(try search.files(in: sandbox.folder) == [])
                try await sandbox.require("set", "other")
                #expect(try search.files(in: sandbox.folder) == [])
            }
        }

        @Test(
            "A replaced secret leaves nothing in the bridge's memory",
            .enabled(if: !Binaries.areSanitized, "a sanitizer keeps freed memory"),
            arguments: [40, 60_000])
        func memory(length: Int) async throws {
            try await Sandbox.with { sandbox in
                let secret = Self.random(length)
                let search = Search(for: String(secret.suffix(40)))
                try await Self.setAndPaste(secret, in: sandbox)
                let bridge = try sandbox.bridge()
                // The search finds the secret while it is present, so it would also find remains.
                #expect(try search.mappings(of: bridge).count == 1)
                try await sandbox.require("set", "other")
                try await search.awaitForgotten(by: bridge, in: sandbox)
            }
        }

        @Test(
            "Temporary contents have the mark that keeps clipboard managers from bringing them back",
            arguments: [["--once"], ["--expires", "1h"]])
        func temporary(options: [String]) async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "lasting")
                #expect(try await sandbox.run(["xclip", "-o", "-t", "x-kde-passwordManagerHint"]).status != 0)
                try await sandbox.require(["set"] + options + ["for a while"])
                #expect(try await sandbox.xclipPastes("x-kde-passwordManagerHint").text == "secret")
                // The mark is only for other programs, and reading the mark is not a paste.
                #expect(try await sandbox.require("types").lines.contains("public.utf8-plain-text"))
                #expect(try await !sandbox.require("types").text.contains("oncealed"))
                #expect(try await sandbox.require("get").text == "for a while")
            }
        }

        @Test("A secret is marked for other programs, and nothing is derived from it")
        func hint() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "--concealed", "-t", "html", input: Array("<b>x</b>".utf8))
                #expect(try await sandbox.xclipPastes("x-kde-passwordManagerHint").text == "secret")
                let types = try await sandbox.require("types").lines
                #expect(types == ["public.html", "org.nspasteboard.ConcealedType"])
                let targets = try await sandbox.require("types", "--targets").lines
                #expect(targets.contains("text/html") && !targets.contains("UTF8_STRING"))
            }
        }

        @Test("A secret is refused if it is an argument or too long, and dump refuses a secret")
        func refusals() async throws {
            try await Sandbox.with { sandbox in
                let words = try await sandbox.xpb("set", "--concealed", "word")
                #expect(words.status == 2 && words.error.contains("standard input"))
                let long = try await sandbox.xpb(
                    "set", "--concealed", input: [UInt8](repeating: 0x61, count: 65_537))
                #expect(long.status == 6 && long.error.contains("65536"))
                #expect(try await sandbox.xpb("get").status == 1)
                try await sandbox.require("set", "--concealed", "-n", input: Array("s3cret\n".utf8))
                let dump = try await sandbox.xpb("dump")
                #expect(dump.status == 6 && dump.output.isEmpty && dump.error.contains("xpb get"))
                #expect(try await sandbox.require("get").output == Array("s3cret".utf8))
            }
        }

        @Test("Contents added to a secret become secret")
        func added() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "--concealed", input: Array("s3cret".utf8))
                try await sandbox.require("add", "open")
                #expect(try await sandbox.require("get", "--item", "1").text == "open")
                #expect(try await sandbox.xpb("dump").status == 6)
                #expect(try await sandbox.xpb("add", input: .init(repeating: 0x61, count: 65_536)).status == 6)
            }
        }

        @Test(
            "A secret is removed when its program clears it or dies", arguments: [false, true])
        func passwordManager(dies: Bool) async throws {
            try await Sandbox.with { sandbox in
                let secret = Self.random()
                let text = try sandbox.write(secret.utf8, to: "text")
                let hint = try sandbox.write("secret".utf8, to: "hint")
                _ = try await sandbox.count()
                let offers = ["--offer", "UTF8_STRING", text, "--offer", "x-kde-passwordManagerHint", hint]
                try await sandbox.withPeer(["own"] + offers) { peer in
                    _ = try await peer.await("owned")
                    #expect(try await sandbox.require("get").text == secret)
                    #expect(try await sandbox.require("types").lines.contains("org.nspasteboard.ConcealedType"))
                    try await sandbox.awaitingChange {
                        if dies { try await peer.process.kill() } else { try await peer.send("disown") }
                    }
                }
                #expect(try await sandbox.xpb("get").status == 1)
                let files = try Search(for: secret).files(in: sandbox.folder)
                #expect(files == [text])
            }
        }

        @Test("The mark that a program sets keeps its contents from the disk")
        func marked() async throws {
            try await Sandbox.with { sandbox in
                let secret = Self.random()
                try await sandbox.require("set", secret, "-t", "org.nspasteboard.ConcealedType", "--text=")
                #expect(try await sandbox.xclipPastes().text == secret)
                let dump = try await sandbox.xpb("dump")
                #expect(dump.status == 6 && dump.output.isEmpty, "\(dump)")
                let search = Search(for: secret)
                #expect(try search.files(in: sandbox.folder) == [])
                await ProcessTable.end(try sandbox.bridge())
                #expect(try await sandbox.xpb("get").status == 1)
                #expect(try search.files(in: sandbox.folder) == [])
            }
        }
    }
}

extension Search {
    /// Waits until the text is nowhere in the bridge's memory: the display's thread releases contents only when no
    /// requestor can still ask for them.
    func awaitForgotten(by bridge: Int32, in sandbox: Sandbox) async throws {
        try await sandbox.awaitStatus { _ in try mappings(of: bridge).isEmpty }
    }
}
