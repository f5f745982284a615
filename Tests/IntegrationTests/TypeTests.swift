import CopyingSupport
import FoundationEssentials
import TestSupport
import Testing

extension Integration {
    /// `map` and `declare`, which need neither a display nor a bridge.
    @Suite("Types")
    struct TypeTests {
        /// Runs `body` without a display, without a bridge, and without the desktop's database.
        private func with(_ body: (Sandbox) async throws -> Void) async throws {
            try await Sandbox.with(display: nil, changes: ["XDG_DATA_DIRS": "/none", "XDG_RUNTIME_DIR": "/none"], body)
        }

        private func map(_ name: String, _ key: String, in sandbox: Sandbox) async throws -> String? {
            let lines = try await sandbox.require("map", name).lines
            return lines.first { $0.hasPrefix("\(key): ") }.map { String($0.dropFirst(key.utf8.count + 2)) }
        }

        @Test("A declared type is known by all its names until it is removed")
        func declared() async throws {
            try await with { sandbox in
                try await sandbox.require(
                    "declare", "com.example.note", "--conforms-to", "public.html", "--mime", "application/x-note",
                    "--extension", "exnote", "--target", "_EXAMPLE_NOTE", "--description", "A note")
                #expect(try await sandbox.require("declare").text == "com.example.note")
                for name in ["com.example.note", "application/x-note", ".exnote", "_EXAMPLE_NOTE"] {
                    #expect(try await map(name, "identifier", in: sandbox) == "com.example.note")
                    #expect(try await map(name, "declared", in: sandbox) == "user")
                }
                #expect(try await map("com.example.*", "description", in: sandbox) == "A note")
                #expect(
                    try await map("application/x-note", "targets", in: sandbox) == "application/x-note, _EXAMPLE_NOTE")
                let parents = try await map(".exnote", "conforms-to", in: sandbox)
                #expect(parents == "public.html, public.text, public.data, public.content, public.item")

                try await sandbox.require("declare", "--remove", "com.example.note")
                #expect(try await sandbox.require("declare").output.isEmpty)
                #expect(try await map("_EXAMPLE_NOTE", "declared", in: sandbox) == "no")
                #expect(try await sandbox.xpb("declare", "--remove", "com.example.note").status == 1)
            }
        }

        @Test("A user's type without parents conforms to public.data")
        func parent() async throws {
            try await with { sandbox in
                try sandbox.writeConfiguration(#"{"com.example.bare": {"mime": "a/bare"}}"#, to: "types.json")
                #expect(try await map("a/bare", "conforms-to", in: sandbox) == "public.data, public.item")
            }
        }

        @Test("A built-in type loses a name that the user gives to another type, and keeps its other names")
        func precedence() async throws {
            try await with { sandbox in
                let outcome = try await sandbox.require("declare", "public.jpeg", "--mime", "image/png")
                #expect(outcome.error.contains("public.jpeg is one of xpb's own types"))
                #expect(try await map("image/png", "identifier", in: sandbox) == "public.jpeg")
                #expect(try await map("image/jpeg", "identifier", in: sandbox) == "public.jpeg")
                #expect(try await map(".png", "identifier", in: sandbox) == "public.png")
            }
        }

        @Test("Types that only the desktop's database has are marked as the desktop's")
        func desktop() async throws {
            try await with { sandbox in
                let folder = sandbox.path(".local/share/mime")
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                try sandbox.write("50:application/x-desk:*.desk\n".utf8, to: ".local/share/mime/globs2")
                try sandbox.write("application/x-desk application/json\n".utf8, to: ".local/share/mime/subclasses")
                try sandbox.write("application/x-other-png image/png\n".utf8, to: ".local/share/mime/aliases")
                for name in [".desk", "application/x-desk", "application/x-desk;a=b"] {
                    #expect(try await map(name, "declared", in: sandbox) == "desktop", "\(name)")
                }
                #expect(try await map("application/x-desk", "extensions", in: sandbox) == "desk")
                #expect(
                    try await map(".desk", "conforms-to", in: sandbox)?.hasPrefix("public.json, public.data") == true)
                #expect(try await map("application/x-other-png", "identifier", in: sandbox) == "public.png")
                #expect(try await map(".unknown", "declared", in: sandbox) == "no")
            }
        }

        @Test("Faults in the user's file are reported with file and line, and the rest is used")
        func faults() async throws {
            try await with { sandbox in
                let text = "{\n  \"a.b\": { \"conforms-to\": \"a.b\" },\n  \"c.d\": { \"mime\": \"x/y\" }\n}\n"
                try sandbox.writeConfiguration(text, to: "types.json")
                let outcome = try await sandbox.require("map", "x/y")
                #expect(outcome.lines.first == "identifier: c.d")
                #expect(outcome.error.contains("types.json:2: \"a.b\": 'a.b' cannot conform to itself"))
                #expect(try await sandbox.require("map", "-q", "x/y").error.isEmpty)
                #expect(try await sandbox.require("declare").text == "c.d")
            }
        }

        @Test("Simultaneous first declarations are all kept")
        func concurrency() async throws {
            try await with { sandbox in
                let identifiers = (0..<8).map { "com.example.n\($0)" }
                let statuses = try await withThrowingTaskGroup(of: Int32.self) { group in
                    for identifier in identifiers {
                        group.addTask { try await sandbox.xpb("declare", identifier, "--mime", "a/b").status }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(statuses == Array(repeating: 0, count: 8))
                let declared = try await sandbox.require("declare").lines
                #expect(declared.sorted() == identifiers)
            }
        }

        @Test(
            "An unknown target maps to an identifier that maps to the target", arguments: ["Foo Bar", "a/B;c=\"d\""])
        func roundTrip(target: String) async throws {
            try await with { sandbox in
                let identifier = try #require(try await map(target, "identifier", in: sandbox))
                #expect(try await map(identifier, "targets", in: sandbox) == target)
            }
        }

        @Test("A target of the protocol is not a type, and makes the whole call fail")
        func protocolTarget() async throws {
            try await with { sandbox in
                let outcome = try await sandbox.xpb("map", "text/html", "TARGETS")
                #expect(outcome.status == 2 && outcome.output.isEmpty)
                #expect(outcome.error.contains("'TARGETS' is a part of the X11 selection protocol"))
            }
        }
    }
}
