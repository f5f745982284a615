import TestSupport
import Testing

extension Integration {
    /// Promises, by a client of the socket that is told how to treat them.
    @Suite("Promises", .requiresXvfb)
    struct PromiseTests {
        /// Runs `body` while a client promises a text, and treats the wish for it as `mode` says.
        private static func promising(
            _ mode: String, type: String = "text", _ body: (Sandbox, Running) async throws -> Void
        ) async throws {
            try await VarlinkTests.withClient { sandbox, client in
                let text = try sandbox.write(Array("promised".utf8), to: "promised")
                let command = (client + ["promise", type, mode]).joined(separator: " ")
                _ = try await sandbox.running(["/bin/sh", "-c", "exec \(command) < \(text)"]) { keeper in
                    #expect(try await keeper.line().hasPrefix("set "))
                    try await body(sandbox, keeper)
                }
            }
        }

        @Test("A promise is asked once for a hundred readers, of the bridge and of X11")
        func once() async throws {
            try await Self.promising("keep") { sandbox, keeper async throws in
                try await withThrowingTaskGroup(of: String.self) { group in
                    for number in 0..<100 {
                        group.addTask {
                            // xclip may be refused after half a second, and tells so by another text: none.
                            number < 90
                                ? try await sandbox.require("get").text
                                : try await sandbox.xclipPastes("UTF8_STRING").text
                        }
                    }
                    for try await text in group { #expect(["promised", ""].contains(text)) }
                }
                #expect(try await keeper.line() == "wanted later")
                #expect(try await keeper.line() == "ended kept")
                #expect(try await sandbox.xclipPastes("UTF8_STRING").text == "promised")
            }
        }

        @Test("What is only described is not asked for")
        func described() async throws {
            try await Self.promising("keep", type: "text/uri-list") { sandbox, keeper async throws in
                #expect(try await sandbox.require("types").lines.first == "public.file-url")
                #expect(try await sandbox.require("items").lines.first == "0\tpublic.file-url")
                try await sandbox.require("set", "newer")
                #expect(try await keeper.line() == "ended replaced")
            }
        }

        @Test("A promise that is broken is an error with its reason, for all and without waiting")
        func broken() async throws {
            try await Self.promising("break") { sandbox, keeper async throws in
                for _ in 0..<2 {
                    let outcome = try await sandbox.xpb("get")
                    #expect(outcome.status == 5)
                    #expect(outcome.error.contains("out of ink"), "\(outcome)")
                }
                #expect(try await keeper.line() == "wanted later")
                #expect(try await keeper.line() == "ended kept")
                #expect(try await sandbox.xclipPastes("UTF8_STRING").status != 0)
            }
        }

        @Test("A promise that nobody keeps is given up in time, X11 clients in their own, and nobody else waits")
        func silent() async throws {
            try await Self.promising("ignore") { sandbox, keeper async throws in
                async let reading = sandbox.xpb("get", "--timeout", "1")
                #expect(try await keeper.line() == "wanted later")
                #expect(try await sandbox.xclipPastes("UTF8_STRING").status != 0)
                try await sandbox.require("set", "-p", "find", "needle")
                #expect(try await sandbox.require("get", "-p", "find").text == "needle")
                #expect(try await reading.status == 3)
                // What was wanted in vain is void with the next contents.
                try await sandbox.require("set", "newer")
                #expect(try await keeper.line() == "ended replaced")
                #expect(try await sandbox.require("get").text == "newer")
            }
        }

        @Test("A promise dies with its program, and those who wait are told at once")
        func dead() async throws {
            try await Self.promising("exit") { sandbox, _ async throws in
                let outcome = try await sandbox.xpb("get", "--timeout", "60")
                #expect(outcome.status == 5)
                #expect(outcome.error.contains("has ended"), "\(outcome)")
            }
        }

        @Test("Forms that are made of what was promised are had as well")
        func derived() async throws {
            try await Self.promising("keep", type: "text/html") { sandbox, keeper async throws in
                #expect(try await sandbox.require("get", "-t", "text").text == "promised")
                #expect(try await keeper.line() == "wanted later")
                #expect(try await sandbox.xclipPastes("text/html").text == "promised")
            }
        }
    }
}
