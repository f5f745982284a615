import CopyingSupport
import TestSupport
import Testing

extension Integration {
    /// Promises made by a client of the socket, which handles requests in a given way.
    @Suite("Promises", .requiresXvfb)
    struct PromiseTests {
        /// Runs `body` while a client promises text, and handles the request for the text according to `mode`.
        private static func promising(
            _ mode: String, type: String = "text", _ body: (Sandbox, Running) async throws -> Void
        ) async throws {
            try await VarlinkTests.withClient { sandbox, client in
                let text = try sandbox.write(Array("promised".utf8), to: "promised")
                let command = (client + ["promise", type, mode]).joined(separator: " ")
                _ = try await sandbox.running(["/bin/sh", "-c", "exec \(command) < \(text)"]) { provider in
                    #expect(try await provider.line().hasPrefix("set "))
                    try await body(sandbox, provider)
                }
            }
        }

        @Test("A promise is requested once for a hundred readers, through the bridge and through X11")
        func once() async throws {
            try await Self.promising("keep") { sandbox, provider async throws in
                try await withThrowingTaskGroup(of: String.self) { group in
                    for number in 0..<100 {
                        group.addTask {
                            // xclip may be refused if the promise takes too long, and then writes nothing.
                            number < 90
                                ? try await sandbox.require("get").text
                                : try await sandbox.xclipPastes("UTF8_STRING").text
                        }
                    }
                    for try await text in group { #expect(["promised", ""].contains(text)) }
                }
                #expect(try await provider.line() == "wanted later")
                #expect(try await provider.line() == "ended kept")
                #expect(try await sandbox.xclipPastes("UTF8_STRING").text == "promised")
            }
        }

        @Test("Listing the types does not request a promise")
        func described() async throws {
            try await Self.promising("keep", type: "text/uri-list") { sandbox, provider async throws in
                #expect(try await sandbox.require("types").lines.first == "public.file-url")
                #expect(try await sandbox.require("items").lines.first == "0\tpublic.file-url")
                try await sandbox.require("set", "newer")
                #expect(try await provider.line() == "ended replaced")
            }
        }

        @Test("A broken promise is reported with its reason, at once and to all readers")
        func broken() async throws {
            try await Self.promising("break") { sandbox, provider async throws in
                for _ in 0..<2 {
                    let outcome = try await sandbox.xpb("get")
                    #expect(outcome.status == 5)
                    #expect(outcome.error.contains("out of ink"), "\(outcome)")
                }
                #expect(try await provider.line() == "wanted later")
                #expect(try await provider.line() == "ended kept")
                #expect(try await sandbox.xclipPastes("UTF8_STRING").status != 0)
            }
        }

        @Test("A promise without an answer times out for xpb and for X11 clients, and nobody else waits")
        func silent() async throws {
            try await Self.promising("ignore") { sandbox, provider async throws in
                async let reading = sandbox.xpb("get", "--timeout", "1")
                #expect(try await provider.line() == "wanted later")
                // xclip itself would wait forever. The bridge refuses its request after 25 seconds.
                #expect(try await sandbox.xclipPastes("UTF8_STRING").status != 0)
                try await sandbox.require("set", "-p", "find", "needle")
                #expect(try await sandbox.require("get", "-p", "find").text == "needle")
                #expect(try await reading.status == 3)
                // The next contents end the promise.
                try await sandbox.require("set", "newer")
                #expect(try await provider.line() == "ended replaced")
                #expect(try await sandbox.require("get").text == "newer")
            }
        }

        @Test("A promise ends with its program, and waiting readers fail at once")
        func dead() async throws {
            try await Self.promising("exit") { sandbox, _ async throws in
                let outcome = try await sandbox.xpb("get", "--timeout", "60")
                #expect(outcome.status == 5)
                #expect(outcome.error.contains("has ended"), "\(outcome)")
            }
        }

        @Test("Formats that are derived from promised formats can be pasted")
        func derived() async throws {
            try await Self.promising("keep", type: "text/html") { sandbox, provider async throws in
                #expect(try await sandbox.require("get", "-t", "text").text == "promised")
                #expect(try await provider.line() == "wanted later")
                #expect(try await sandbox.xclipPastes("text/html").text == "promised")
            }
        }
    }
}
