import CopyingSupport
import TestSupport
import Testing

extension Integration {
    /// Bad input on the command line: a message, a status, and unchanged contents.
    @Suite("Bad input", .requiresXvfb)
    struct RefusalTests {
        /// Runs `xpb` with known contents on the pasteboard, and expects a refusal and unchanged contents.
        private static func expectRefusal(
            _ arguments: [String], status: Int32, message: String = "",
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "kept")
                let count = try await sandbox.count()
                let outcome = try await sandbox.run(["xpb"] + arguments)
                #expect(outcome.status == status, "\(outcome)", sourceLocation: sourceLocation)
                #expect(outcome.output.isEmpty, "\(outcome)", sourceLocation: sourceLocation)
                #expect(!outcome.error.isEmpty, sourceLocation: sourceLocation)
                #expect(
                    message.isEmpty || outcome.error.contains(message), "\(outcome)", sourceLocation: sourceLocation)
                #expect(try await sandbox.count() == count, sourceLocation: sourceLocation)
                #expect(try await sandbox.xclipPastes().text == "kept", sourceLocation: sourceLocation)
            }
        }

        @Test(
            "An unknown option is a usage error and never a file name",
            arguments: [
                ["set", "--bogus"], ["get", "-Z"], ["-x"], ["bogus"], ["count", "--since", "1"], ["wait", "--since"],
            ])
        func unknownOption(arguments: [String]) async throws {
            try await Self.expectRefusal(arguments, status: 2)
        }

        @Test(
            "An invalid number is a usage error",
            arguments: [
                ["wait", "--since", "x"], ["get", "--timeout", "soon"], ["get", "--timeout", "-1"],
                ["get", "--item", "x"],
            ])
        func noNumber(arguments: [String]) async throws {
            try await Self.expectRefusal(arguments, status: 2)
        }

        @Test(
            "The name of a manager's selection is refused, and an invalid name is a usage error",
            arguments: [
                ("WM_S0", 6), ("_NET_WM_CM_S0", 6), ("CLIPBOARD_MANAGER", 6), ("_XPB", 6), ("plain", 2), ("", 2),
                ("with space.x", 2), ("a..b", 2),
            ])
        func impossibleName(name: String, status: Int32) async throws {
            for command in [["set", "-p", name, "text"], ["get", "-p", name], ["count", "-p", name]] {
                try await Self.expectRefusal(command, status: status)
            }
            if !name.isEmpty {
                try await Sandbox.with { sandbox in
                    let reply = try await sandbox.ask("--selection", name, "--target", "TARGETS")
                    #expect(reply.event == "refused")
                }
            }
        }

        @Test("An invalid type is refused", arguments: ["", "a\nb", "image", "audio", "image/*", "*"])
        func impossibleType(type: String) async throws {
            try await Self.expectRefusal(["set", "-t", type, "--text", "x"], status: 2)
        }

        @Test(
            "A file that is missing, a folder or unreadable is named",
            arguments: [("/nonexistent/file", 2), ("/", 2), ("/proc/self/mem", 5)])
        func unreadableFile(path: String, status: Int32) async throws {
            try await Self.expectRefusal(["set", "-f", path], status: status, message: path)
        }

        @Test("A missing type gives status 1, and stderr lists the available types")
        func missingType() async throws {
            try await Self.expectRefusal(["get", "-t", "image/png"], status: 1, message: "public.utf8-plain-text")
        }

        @Test("A missing item gives status 1")
        func missingItem() async throws {
            try await Self.expectRefusal(["get", "--item", "7"], status: 1)
        }

        @Test("A folder that cannot be written to is named")
        func unwritableFile() async throws {
            try await Self.expectRefusal(["get", "-o", "/nonexistent/out"], status: 2, message: "/nonexistent/out")
        }

        @Test("An empty pasteboard gives status 1")
        func nothing() async throws {
            try await Sandbox.with { sandbox in
                for command in ["get", "types", "items"] {
                    let outcome = try await sandbox.xpb(command, "-p", "com.example.unused")
                    #expect(outcome.status == 1, "\(outcome)")
                    #expect(outcome.output.isEmpty)
                }
            }
        }

        @Test("With --no-empty, an empty copy is refused; without it, the contents become empty")
        func emptyCopy() async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.require("set", "kept")
                let refused = try await sandbox.xpb("set", "--no-empty")
                #expect(refused.status != 0, "\(refused)")
                #expect(try await sandbox.require("get").text == "kept")
                try await sandbox.require("set")
                #expect(try await sandbox.require("get").output.isEmpty)
            }
        }
    }
}
