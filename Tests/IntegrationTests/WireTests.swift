import CopyingSupport
import TestSupport
import Testing

extension Integration {
    /// The socket, used by a client that passes no descriptors, and by clients that send garbage.
    @Suite("The socket", .requiresXvfb)
    struct WireTests {
        /// Runs `body` with the path of the socket, while a bridge is running whose `general` has the text "kept". Then
        /// expects the bridge to be unharmed.
        private static func withSocket(_ body: (Sandbox, String) async throws -> Void) async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "kept")
                let bridge = try sandbox.bridge()
                try await body(sandbox, try await sandbox.socket())
                #expect(sandbox.bridges() == [bridge])
                #expect(try await sandbox.require("get").text == "kept")
            }
        }

        private static func call(_ method: String, _ parameters: String = "{}") -> [UInt8] {
            Array("{\"method\":\"\(method)\",\"parameters\":\(parameters)}\n".utf8)
        }

        private static func send(
            _ bytes: [UInt8], to socket: String, in sandbox: Sandbox, options: [String] = []
        ) async throws -> Outcome {
            try await sandbox.run([Binaries.fixture("wire.py"), socket] + options, input: bytes)
        }

        @Test(
            "Garbage closes the connection and affects nobody else",
            arguments: [
                "garbage\n", "\n", "[1,2]\n", "{\"method\":7}\n", "{}\n", "{\"method\":\"x\",\"parameters\":[]}\n",
                "\u{0}\u{0}\n",
            ])
        func garbage(text: String) async throws {
            try await Self.withSocket { sandbox, socket in
                let outcome = try await Self.send(Array(text.utf8), to: socket, in: sandbox)
                #expect(outcome.status != 1, "\(outcome)")
                #expect(!outcome.text.contains("\"parameters\":{\"count\""))
            }
        }

        @Test("The bridge accepts a type that an app declares, and refuses an invalid type")
        func declare() async throws {
            try await Self.withSocket { sandbox, socket in
                func type(_ identifier: String) -> String {
                    """
                    {"identifier":"\(identifier)","conformsTo":["public.plain-text"],"mimeTypes":["text/x-wire-note"],\
                    "extensions":[],"targets":["_WIRE_NOTE"]}
                    """
                }
                let types = "{\"types\":[\(type("no identifier")),\(type("com.example.wire-note"))]}"
                let answer = try await Self.send(
                    Self.call("org.xpb.Pasteboard.Declare", types), to: socket, in: sandbox)
                #expect(answer.text.contains("InvalidType") && answer.text.contains("no identifier"))
                try await sandbox.require("set", "-p", "find", "-t", "text/x-wire-note", "--text", "note")
                #expect(try await sandbox.require("types", "-p", "find").lines.first == "com.example.wire-note")
                #expect(try await sandbox.xclipPastes("_WIRE_NOTE", from: "primary").text == "note")
                #expect(try await sandbox.require("get", "-p", "find", "-t", "public.plain-text").text == "note")
            }
        }

        @Test("An incomplete message delays nobody")
        func halfAMessage() async throws {
            try await Self.withSocket { sandbox, socket in
                _ = try await sandbox.running([Binaries.fixture("wire.py"), socket, "--keep-open"]) { client in
                    try await client.send("{\"method\":\"org.varlink.service.GetInfo\"}")
                    #expect(try await client.line().contains("org.xpb.Pasteboard"))
                    try await client.write("{\"method\":\"org.xpb")
                    #expect(try await sandbox.require("get").text == "kept")
                }
            }
        }

        @Test(
            "A message of 100 MB is not read into memory",
            .enabled(if: !Binaries.areSanitized, "a sanitizer keeps freed memory"))
        func hugeMessage() async throws {
            try await Self.withSocket { sandbox, socket in
                let bridge = try sandbox.bridge()
                let piece = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
                let outcome = try await Self.send(piece, to: socket, in: sandbox, options: ["--repeat", "100"])
                #expect(outcome.status == 4, "\(outcome)")
                let peak = try await sandbox.shell("sed -n 's/^VmHWM: *//p' /proc/\(bridge)/status")
                let fields = peak.text.split(whereSeparator: \.isWhitespace)
                let kibibytes = try #require(fields.first.flatMap { Int($0) }, "\(peak)")
                #expect(kibibytes < 90_000)
            }
        }

        @Test("Unknown methods and wrong parameters are answered, and the connection stays open")
        func answeredErrors() async throws {
            try await Self.withSocket { sandbox, socket in
                let calls =
                    Self.call("org.xpb.Pasteboard.Nothing") + Self.call("org.nowhere.Get")
                    + Self.call("org.xpb.Pasteboard.Count", "{\"pasteboard\":7}")
                    + Self.call("org.xpb.Pasteboard.Count", "{\"pasteboard\":\"general\"}")
                let answers = try await Self.send(calls, to: socket, in: sandbox).lines
                try #require(answers.count == 4, "\(answers)")
                #expect(answers[0].contains("org.varlink.service.MethodNotFound"))
                #expect(answers[1].contains("org.varlink.service.InterfaceNotFound"))
                #expect(answers[2].contains("org.varlink.service.InvalidParameter"))
                #expect(answers[3].contains("\"count\""))
            }
        }

        @Test("The service describes its interface")
        func description() async throws {
            try await Self.withSocket { sandbox, socket in
                let description = Self.call(
                    "org.varlink.service.GetInterfaceDescription", "{\"interface\":\"org.xpb.Pasteboard\"}")
                let answer = try await Self.send(description, to: socket, in: sandbox)
                #expect(answer.text.contains("method Get("), "\(answer)")
            }
        }

        @Test("A client that passes no descriptors can read and write in small pieces")
        func smallPieces() async throws {
            try await Self.withSocket { sandbox, socket in
                _ = try await sandbox.running([Binaries.fixture("wire.py"), socket, "--keep-open"]) { client in
                    func call(_ method: String, _ parameters: String) async throws -> String {
                        try await client.send(
                            "{\"method\":\"org.xpb.Pasteboard.\(method)\",\"parameters\":\(parameters)}")
                        return try await client.line()
                    }
                    func handle(in answer: String) throws -> String {
                        let parts = answer.split(separator: "\"")
                        let index = try #require(parts.firstIndex(of: "handle"), "\(answer)")
                        return String(parts[index + 2])
                    }
                    let got = try await call("Get", "{\"pasteboard\":\"general\"}")
                    let download = try handle(in: got)
                    let read = try await call("Read", "{\"handle\":\"\(download)\",\"offset\":0,\"length\":100}")
                    #expect(read.contains("a2VwdA=="), "\(read)")

                    let upload = try handle(in: try await call("Begin", "{}"))
                    _ = try await call("Append", "{\"handle\":\"\(upload)\",\"data\":\"c21h\"}")
                    _ = try await call("Append", "{\"handle\":\"\(upload)\",\"data\":\"bGw=\"}")
                    let length = try await call("Commit", "{\"handle\":\"\(upload)\"}")
                    #expect(length.contains("\"length\":5"), "\(length)")
                    let bytes = "{\"handle\":\"\(upload)\",\"offset\":0,\"length\":5}"
                    let items = "[{\"representations\":[{\"type\":\"text\",\"bytes\":\(bytes)}]}]"
                    let set = try await call("Set", "{\"pasteboards\":[\"find\"],\"items\":\(items)}")
                    #expect(set.contains("\"counts\""), "\(set)")
                }
                #expect(try await sandbox.xclipPastes(from: "primary").text == "small")
            }
        }
    }
}
