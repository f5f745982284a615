import CopyingSupport
import TestSupport
import Testing

extension Integration {
    /// Mistakes of programs: the error names the wrong parameter, and nothing changes.
    @Suite("Bad input on the socket", .requiresXvfb)
    struct BadInputTests {
        struct Slip: Sendable, CustomTestStringConvertible {
            let method: String
            let parameters: String
            let error: String
            let message: String
            var testDescription: String { "\(method) \(parameters.prefix(60))" }

            init(_ method: String, _ parameters: String, _ error: String, _ message: String) {
                (self.method, self.parameters, self.error, self.message) = (method, parameters, error, message)
            }

            /// Creates a slip with a name that is invalid for a pasteboard.
            init(name: String, _ error: String, _ message: String) {
                self.init("Create", "{\"pasteboard\": \"\(name)\"}", error, message)
            }
        }

        private static let slips = [
            Slip(name: "com.example/slash", "InvalidName", "a character other than"),
            Slip(name: "com.example.\\u0007bell", "InvalidName", "a character other than"),
            Slip(name: "com." + String(repeating: "x", count: 10_240), "InvalidName", "longer than 255 bytes"),
            Slip(name: "", "InvalidName", "is empty"),
            Slip(name: "WM_S0", "Refused", "a manager"),
            Slip("Remove", #"{"pasteboard": "general"}"#, "Refused", "a system pasteboard"),
            Slip("Remove", #"{"pasteboard": "com.example.none"}"#, "NoSuchPasteboard", "there is no pasteboard"),
            Slip("Persist", #"{"pasteboard": "find", "persistent": false}"#, "Refused", "a system pasteboard"),
            Slip(
                "Persist", #"{"pasteboard": "com.example.none", "persistent": true}"#, "NoSuchPasteboard",
                "no pasteboard"),
            Slip("Get", #"{"pasteboard": "general", "item": 7}"#, "NoSuchItem", "there is no item 7"),
            Slip("Get", #"{"pasteboard": "general", "item": -1}"#, "NoSuchItem", "there is no item -1"),
            Slip("Fetch", #"{"pasteboard": "general", "items": [0, 3]}"#, "NoSuchItem", "there is no item 3"),
            Slip("Get", #"{"pasteboard": "general", "types": ["two\u0000parts"]}"#, "InvalidType", "cannot be a type"),
            Slip("Set", #"{"pasteboards": ["com.example.new", "bad"], "items": []}"#, "InvalidName", "no dot"),
            Slip("Set", #"{"pasteboards": ["com.example.new"], "items": []}"#, "InvalidBytes", "nothing to write"),
            Slip(
                "Set", #"{"pasteboards": ["com.example.new"], "items": [], "ifCount": 9}"#, "CountMismatch",
                "the count of 'com.example.new' is 0"),
            Slip("Clear", #"{"pasteboards": ["com.example.none"]}"#, "NoSuchPasteboard", "there is no pasteboard"),
            Slip("Monitor", #"{"pasteboards": ["com.example.new", "bad"]}"#, "InvalidName", "no dot"),
            Slip(
                "Monitor",
                "{\"pasteboards\": [\(list(of: 1_100) { "com.example.n\($0)" })]}",
                "Refused", "no room for another"),
            Slip(
                "Get", "{\"pasteboard\": \"general\", \"types\": [\(list(of: 1_025) { _ in "text" })]}", "Refused",
                "1025 types"),
            Slip("Set", #"{"pasteboards": [], "items": []}"#, "InvalidName", "no pasteboard was named"),
            Slip("Set", #"{"pasteboards": ["general"], "items": []}"#, "InvalidBytes", "nothing to write"),
            Slip(
                "Set", #"{"pasteboards": ["general"], "items": [{"representations": []}]}"#, "InvalidBytes",
                "nothing to write"),
            Slip(
                "Set", #"{"pasteboards": ["general"], "items": [{"representations": [{"type": "text"}]}]}"#,
                "InvalidBytes", "bytes or a promise"),
            Slip(
                "Set", set(#""bytes": {"handle": "9", "offset": 0, "length": 1}"#), "InvalidBytes",
                "'9' is not a committed upload"),
            Slip(
                "Set", set(#""bytes": {"descriptor": 0, "offset": 0, "length": 1}"#), "InvalidBytes",
                "descriptor 0 did not come"),
            Slip("Set", set(#""promise": "p""#), "org.varlink.service.ExpectedMore", ""),
            Slip(
                "Keep", #"{"ticket": "none", "bytes": {"handle": "1", "offset": 0, "length": 0}}"#, "InvalidBytes",
                "'none' is not the ticket"),
            Slip("Break", #"{"ticket": "none", "message": ""}"#, "InvalidBytes", "'none' is not the ticket"),
            Slip("Read", #"{"handle": "none", "offset": 0, "length": 1}"#, "InvalidBytes", "unknown handle 'none'"),
        ]

        /// Returns JSON strings, separated by commas.
        private static func list(of count: Int, _ element: (Int) -> String) -> String {
            (0..<count).map { "\"\(element($0))\"" }.joined(separator: ",")
        }

        /// Returns the parameters of a `Set` with one representation that has this member.
        private static func set(_ member: String) -> String {
            #"{"pasteboards": ["general"], "items": [{"representations": [{"type": "text", \#(member)}]}]}"#
        }

        private static func run(_ client: [String], _ arguments: String..., in sandbox: Sandbox) async throws -> String
        {
            let outcome = try await sandbox.run(client + arguments)
            try #require(outcome.status == 0, "\(outcome)")
            return outcome.text
        }

        @Test("A mistake is answered with its error, and changes nothing", arguments: slips)
        func slip(slip: Slip) async throws {
            try await VarlinkTests.withClient { sandbox, client async throws in
                let before = try await sandbox.require("list").text
                let answer = try await Self.run(client, "call", slip.method, slip.parameters, in: sandbox)
                let error = slip.error.contains(".") ? slip.error : "org.xpb.Pasteboard." + slip.error
                #expect(answer.hasPrefix(error + " ") || answer == error, "\(answer)")
                #expect(answer.contains(slip.message), "\(answer)")
                #expect(try await sandbox.require("list").text == before)
                #expect(try await sandbox.require("get").text == "kept")
            }
        }

        @Test("A representation without bytes is valid")
        func empty() async throws {
            try await VarlinkTests.withClient { sandbox, client async throws in
                _ = try await Self.run(client, "set", "image/png", in: sandbox)
                #expect(try await sandbox.require("types").lines == ["public.png"])
                #expect(try await sandbox.require("get", "-t", "image/png").output == [])
                #expect(try await sandbox.xclipPastes("image/png").status == 0)
            }
        }

        @Test("A program that dies in the middle of a message changes nothing and delays nobody")
        func half() async throws {
            try await VarlinkTests.withClient { sandbox, client async throws in
                let call = Array("{\"method\":\"org.xpb.Pasteboard.Clear\",\"parameters\":{\"pasteboards\":[\"gen".utf8)
                _ = try await sandbox.run([Binaries.fixture("wire.py"), client[2]], input: call)
                #expect(try await sandbox.require("get").text == "kept")
                #expect(try await sandbox.require("status").text.contains("clients: 1"))
            }
        }

        @Test("A thousand clients at once are all served")
        func crowd() async throws {
            try await VarlinkTests.withClient { sandbox, client async throws in
                #expect(try await Self.run(client, "crowd", "1000", in: sandbox) == "ok")
            }
        }

        @Test("Ten thousand items are read in order")
        func many() async throws {
            try await VarlinkTests.withClient { sandbox, client async throws in
                #expect(try await Self.run(client, "many", "10000", in: sandbox) == "ok")
            }
        }
    }
}
