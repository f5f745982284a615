import CopyingSupport
import TestSupport
import Testing

extension Integration {
    /// The socket, used by the `varlink` package of PyPI, which reads the interface from the service.
    @Suite("A Varlink client in Python", .requiresXvfb)
    struct VarlinkTests {
        /// Runs `body` with the client's command, while a bridge is running whose `general` has the text "kept".
        static func withClient(
            changes: [String: String] = [:], _ body: (Sandbox, [String]) async throws -> Void
        ) async throws {
            let changes = changes.merging(["PYTHONPATH": "\(Binaries.package)/.build/python"]) { $1 }
            try await Sandbox.with(changes: changes) { sandbox in
                try await sandbox.require("set", "kept")
                let socket = try await sandbox.socket()
                let client = ["/usr/bin/python3", Binaries.fixture("varlink_client.py"), socket]
                try await body(sandbox, client)
            }
        }

        private static func run(
            _ client: [String], _ arguments: String..., input: String = "", in sandbox: Sandbox
        ) async throws -> Outcome {
            let outcome = try await sandbox.run(client + arguments, input: Array(input.utf8))
            try #require(outcome.status == 0, "\(outcome)")
            return outcome
        }

        @Test("The service describes its interface")
        func introspection() async throws {
            try await Self.withClient { sandbox, client async throws in
                let methods = try await Self.run(client, "describe", in: sandbox).lines
                #expect(Set(["Get", "Fetch", "Set", "Keep", "Create", "Monitor", "Begin"]).isSubset(of: methods))
            }
        }

        @Test("The client reads the copies of xpb and xclip, and both of them read the client's copy")
        func bothWays() async throws {
            try await Self.withClient { sandbox, client async throws in
                #expect(try await Self.run(client, "get", "text", in: sandbox).text == "kept")
                try sandbox.write(Array("from xclip".utf8), to: "in")
                try await sandbox.xclipCopies("in")
                #expect(try await Self.run(client, "get", "text", in: sandbox).text == "from xclip")
                let count = try await sandbox.count()
                let set = try await Self.run(client, "set", "text/html", input: "<i>py</i>", in: sandbox)
                #expect(set.text == "\(count + 1)")
                #expect(try await sandbox.require("get", "-t", "public.html").text == "<i>py</i>")
                #expect(try await sandbox.xclipPastes("text/html").text == "<i>py</i>")
            }
        }

        @Test("64 MiB can be written and read in pieces")
        func pieces() async throws {
            try await Self.withClient { sandbox, client async throws in
                #expect(try await Self.run(client, "round-trip", "\(64 << 20)", in: sandbox).text == "ok")
            }
        }

        @Test("The client watches changes, with the added and removed types")
        func watch() async throws {
            try await Self.withClient { sandbox, client async throws in
                let count = try await sandbox.count()
                _ = try await sandbox.running(client + ["watch", "2"]) { watch in
                    #expect(
                        try await watch.line() == "\(count) public.utf8-plain-text public.utf8-plain-text -")
                    try await sandbox.require("set", "-t", "text/html", "--text", "<b>x</b>")
                    #expect(
                        try await watch.line()
                            == "\(count + 1) public.html public.html public.utf8-plain-text")
                    try await sandbox.require("clear")
                    #expect(try await watch.line() == "\(count + 2) - - public.html")
                }
            }
        }

        @Test("Several items are read in one call, all of the same version")
        func items() async throws {
            try await Self.withClient { sandbox, client async throws in
                let lines = try await Self.run(client, "items", in: sandbox).lines
                #expect(
                    lines == [
                        "0 public.html <b>one</b>", "0 public.utf8-plain-text one", "1 public.html <b>two</b>",
                        "1 public.utf8-plain-text two",
                    ])
            }
        }

        @Test("The client creates and removes pasteboards")
        func own() async throws {
            try await Self.withClient { sandbox, client async throws in
                #expect(try await Self.run(client, "own", in: sandbox).text == "ok")
            }
        }
    }
}
