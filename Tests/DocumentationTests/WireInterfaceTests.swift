import PasteboardWire
import TestSupport
import Testing

extension Documentation {
    /// The article's blocks, run as they stand: in Python, by the varlink package alone.
    @Suite("The wire interface") struct WireInterfaceTests {
        /// The block that has such a line; the first makes the connection that others use.
        private static func python(_ needle: String, isWhole: Bool = false) throws -> [String] {
            let blocks = try Tree.blocks("WireInterface").filter { $0.language == "python" }
            let block = try #require(blocks.first { $0.text.contains(needle) }, "no block has \(needle)")
            let first = try #require(blocks.first)
            return ["/usr/bin/python3", "-c", isWhole ? block.text : first.text + block.text]
        }

        /// Runs `body` beside a bridge that holds “kept”.
        private static func withBridge(_ body: (Sandbox) async throws -> Void) async throws {
            try await Sandbox.with(changes: ["PYTHONPATH": "\(Binaries.package)/.build/python"]) { sandbox in
                try await sandbox.require([sandbox.program("xpb"), "set", "kept"])
                try await body(sandbox)
            }
        }

        @Test("The shell's lines describe the interface and the pasteboard")
        func shell() async throws {
            try await Self.withBridge { sandbox in
                let block = try #require(try Tree.blocks("WireInterface").first { $0.language == "shell" })
                let script = "set -e\npython3() { /usr/bin/python3 \"$@\"; }\n\(block.text)"
                let told = try await sandbox.require(["/bin/sh", "-c", script])
                #expect(told.text.contains("method Get("))
                #expect(told.text.contains(#""count": 1"#))
                #expect(told.text.contains("public.utf8-plain-text"))
            }
        }

        @Test("It pastes")
        func paste() async throws {
            try await Self.withBridge { sandbox in
                let pasted = try await sandbox.require(try Self.python("bridge.Read("))
                #expect(pasted.text == "1 public.utf8-plain-text kept")
            }
        }

        @Test("The README's lines paste a text")
        func readme() async throws {
            try await Self.withBridge { sandbox in
                let blocks = Block.all(in: "README.md", try Tree.lines("README.md")).filter { $0.language == "python" }
                #expect(blocks.count == 1)
                for block in blocks {
                    #expect(try await sandbox.require(["/usr/bin/python3", "-c", block.text]).text == "kept")
                }
            }
        }

        @Test("It copies")
        func copy() async throws {
            try await Self.withBridge { sandbox in
                let copied = try await sandbox.require(try Self.python("Hello from Python"))
                #expect(copied.text == "[2]")
                #expect(try await sandbox.xclipPastes() == "Hello from Python")
            }
        }

        @Test("It watches")
        func watch() async throws {
            try await Self.withBridge { sandbox in
                _ = try await sandbox.running(try Self.python("bridge.Monitor(")) { watch in
                    #expect(try await watch.line() == "1 public.utf8-plain-text")
                    try await sandbox.require([sandbox.program("xpb"), "set", "-t", "text/html", "--text", "x"])
                    #expect(try await watch.line() == "2 public.html")
                }
            }
        }

        @Test("It promises")
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

        @Test("It is told what is wrong")
        func errors() async throws {
            try await Self.withBridge { sandbox in
                let told = try await sandbox.require(try Self.python("except varlink.VarlinkError"))
                #expect(told.text == "org.xpb.Pasteboard.NoSuchType ['public.utf8-plain-text']")
            }
        }

        @Test("With descriptors it copies and pastes without a package")
        func descriptors() async throws {
            try await Self.withBridge { sandbox in
                let bare = sandbox.removing("PYTHONPATH")
                let pasted = try await bare.require(try Self.python("socket.recv_fds(", isWhole: true))
                #expect(pasted.text == "Hello by descriptor")
                #expect(try await sandbox.xclipPastes() == "Hello by descriptor")
            }
        }

        @Test("Every method and every error of the interface is in the article's tables")
        func tables() async throws {
            let interface = try Tree.lines("Sources/PasteboardWire/org.xpb.Pasteboard.varlink")
            let rows = try Tree.lines("Sources/Pasteboard/Pasteboard.docc/WireInterface.md").filter {
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

        @Test("The limits of messages are those of the article")
        func limits() throws {
            let rows = try Tree.lines("Sources/Pasteboard/Pasteboard.docc/WireInterface.md")
            let limits = WireLimits()
            let (thousands, rest) = limits.pieceBytes.quotientAndRemainder(dividingBy: 1_000)
            for row in [
                "| a message | \(limits.messageBytes >> 20) MiB |",
                "| descriptors with a message | \(limits.descriptorsPerMessage) |",
                "| a piece of `Read` and `Append` | \(thousands),\(rest) bytes before base64 |",
            ] {
                #expect(rows.contains { $0 == row }, "\(row)")
            }
            let unread = "| replies that wait for a client that does not read | \(limits.unsentBytes >> 20) MiB,"
            #expect(rows.contains { $0.hasPrefix(unread) }, "\(unread)")
        }
    }
}
