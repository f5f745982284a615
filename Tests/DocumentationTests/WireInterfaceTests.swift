import PasteboardWire
import TestSupport
import Testing

extension Documentation {
    /// Tests that run the article's code blocks unchanged. Python has no package other than varlink.
    @Suite("The wire interface") struct WireInterfaceTests {
        /// Returns the command that runs the block that contains `needle`. Unless `isWhole`, the first block, which
        /// connects to the bridge, runs before it.
        private static func python(_ needle: String, isWhole: Bool = false) throws -> [String] {
            let blocks = try Tree.blocks("WireInterface").filter { $0.language == "python" }
            let block = try #require(blocks.first { $0.text.contains(needle) }, "no block has \(needle)")
            let first = try #require(blocks.first)
            return ["/usr/bin/python3", "-c", isWhole ? block.text : first.text + block.text]
        }

        /// Runs `body` with a bridge whose contents are “kept”.
        private static func withBridge(_ body: (Sandbox) async throws -> Void) async throws {
            try await Sandbox.with(changes: ["PYTHONPATH": "\(Binaries.package)/.build/python"]) { sandbox in
                try await sandbox.require([sandbox.program("xpb"), "set", "kept"])
                try await body(sandbox)
            }
        }

        @Test("The shell block describes the interface and the pasteboard")
        func shell() async throws {
            try await Self.withBridge { sandbox in
                let block = try #require(try Tree.blocks("WireInterface").first { $0.language == "shell" })
                let script = "set -e\npython3() { /usr/bin/python3 \"$@\"; }\n\(block.text)"
                let outcome = try await sandbox.require(["/bin/sh", "-c", script])
                #expect(outcome.text.contains("method Get("))
                #expect(outcome.text.contains(#""count": 1"#))
                #expect(outcome.text.contains("public.utf8-plain-text"))
            }
        }

        @Test("The block for pasting pastes")
        func paste() async throws {
            try await Self.withBridge { sandbox in
                let pasted = try await sandbox.require(try Self.python("bridge.Read("))
                #expect(pasted.text == "1 public.utf8-plain-text kept")
            }
        }

        @Test("The Python block in the README pastes text")
        func readme() async throws {
            try await Self.withBridge { sandbox in
                let blocks = Block.all(in: "README.md", try Tree.lines("README.md")).filter { $0.language == "python" }
                #expect(blocks.count == 1)
                for block in blocks {
                    #expect(try await sandbox.require(["/usr/bin/python3", "-c", block.text]).text == "kept")
                }
            }
        }

        @Test("The block for copying copies")
        func copy() async throws {
            try await Self.withBridge { sandbox in
                let copied = try await sandbox.require(try Self.python("Hello from Python"))
                #expect(copied.text == "[2]")
                #expect(try await sandbox.xclipPastes() == "Hello from Python")
            }
        }

        @Test("The block for watching reports each change")
        func watch() async throws {
            try await Self.withBridge { sandbox in
                _ = try await sandbox.running(try Self.python("bridge.Monitor(")) { watch in
                    #expect(try await watch.line() == "1 public.utf8-plain-text")
                    try await sandbox.require([sandbox.program("xpb"), "set", "-t", "text/html", "--text", "x"])
                    #expect(try await watch.line() == "2 public.html")
                }
            }
        }

        @Test("The block for promising provides the bytes on demand")
        func promise() async throws {
            try await Self.withBridge { sandbox in
                let status = try await sandbox.running(try Self.python("other.Keep(")) { promise in
                    #expect(try await promise.line() == "[2]")
                    #expect(try await sandbox.xclipPastes("text/csv") == "a,b\n1,2")
                    #expect(try await promise.line() == "kept")
                    try await promise.finish()
                }.status
                #expect(status == 0)
            }
        }

        @Test("The block for errors prints the error and its parameters")
        func errors() async throws {
            try await Self.withBridge { sandbox in
                let outcome = try await sandbox.require(try Self.python("except varlink.VarlinkError"))
                #expect(outcome.text == "org.xpb.Pasteboard.NoSuchType ['public.utf8-plain-text']")
            }
        }

        @Test("The block with descriptors copies and pastes without the varlink package")
        func descriptors() async throws {
            try await Self.withBridge { sandbox in
                let bare = sandbox.removing("PYTHONPATH")
                let pasted = try await bare.require(try Self.python("socket.recv_fds(", isWhole: true))
                #expect(pasted.text == "Hello by descriptor")
                #expect(try await sandbox.xclipPastes() == "Hello by descriptor")
            }
        }

        @Test("The block with raw bytes copies and pastes without the varlink package")
        func rawBytes() async throws {
            try await Self.withBridge { sandbox in
                let bare = sandbox.removing("PYTHONPATH")
                let pasted = try await bare.require(try Self.python("makefile(", isWhole: true))
                #expect(pasted.text == "Hello in raw bytes")
                #expect(try await sandbox.xclipPastes() == "Hello in raw bytes")
            }
        }

        @Test("The tables of the article list every method and every error of the interface")
        func tables() async throws {
            let interface = try Tree.lines("Sources/Client/PasteboardWire/org.xpb.Pasteboard.varlink")
            let rows = try Tree.lines("Sources/Library/Pasteboard/Pasteboard.docc/WireInterface.md").filter {
                $0.hasPrefix("| `")
            }
            let names = interface.filter { $0.hasPrefix("method ") || $0.hasPrefix("error ") }.map { line in
                line.split(separator: " ", maxSplits: 1)[1].prefix { $0.isLetter }
            }
            #expect(names.count > 30)
            for name in names {
                #expect(rows.contains { $0.split(separator: "|")[0].contains("`\(name)`") }, "\(name)")
            }
        }

        @Test("The article states the limits of messages")
        func limits() throws {
            let rows = try Tree.lines("Sources/Library/Pasteboard/Pasteboard.docc/WireInterface.md")
            let limits = WireLimits()
            let (thousands, rest) = limits.pieceBytes.quotientAndRemainder(dividingBy: 1_000)
            for row in [
                "| a message | \(limits.messageBytes >> 20) MiB |",
                "| descriptors with a message | \(limits.descriptorsPerMessage) |",
                "| a piece of `Read` and `Append` | \(thousands),\(rest) bytes before base64 |",
            ] {
                #expect(rows.contains { $0 == row }, "\(row)")
            }
            let unread = "| unread replies of a client | \(limits.unsentBytes >> 20) MiB,"
            #expect(rows.contains { $0.hasPrefix(unread) }, "\(unread)")
        }
    }
}
