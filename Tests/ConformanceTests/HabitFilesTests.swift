import CopyingSupport
import TestSupport
import Testing

extension Conformance {
    @Suite("Habit: lists of files for file managers", .requiresXvfb)
    struct HabitFiles {
        /// Creates a file whose name contains every kind of difficult byte, copies it with `xpb`, and returns the path
        /// in its URL.
        private static func copy(_ options: String, in sandbox: Sandbox) async throws -> String {
            _ = try await sandbox.count()
            try sandbox.write(Array("50% #1\n".utf8) + [0xE9], to: "name")
            let set = try await sandbox.shell(
                "n=$(cat name; echo x); n=${n%x}; : >\"$n\"; exec xpb set \(options) --files \"$n\" name")
            try #require(set.status == 0, "\(set)")
            return "\(sandbox.folder)/50%25%20%231%0A%E9"
        }

        @Test(
            "Each file manager gets a correct list of copied files, whatever bytes the names contain",
            arguments: [false, true])
        func lists(isCut: Bool) async throws {
            try await Sandbox.with { sandbox in
                let path = try await Self.copy(isCut ? "--cut" : "", in: sandbox)
                let (first, second) = ("file://\(path)", "file://\(sandbox.folder)/name")
                #expect(try await sandbox.ask("--target", "text/uri-list").text == "\(first)\r\n\(second)\r\n")
                for manager in ["gnome", "mate"] {
                    let list = try await sandbox.ask("--target", "x-special/\(manager)-copied-files")
                    #expect(list.text == "\(isCut ? "cut" : "copy")\n\(first)\n\(second)", "no newline at the end")
                }
                let mark = try await sandbox.ask("--target", "application/x-kde-cutselection")
                #expect(isCut ? mark.text == "1" : mark.event == "refused")
            }
        }

        @Test("Text is listed before the files, because some terminals would otherwise paste the list of files")
        func order() async throws {
            try await Sandbox.with { sandbox in
                _ = try await Self.copy("", in: sandbox)
                let targets = try #require(try await sandbox.ask("--target", "TARGETS").names)
                let text = try #require(targets.firstIndex(of: "UTF8_STRING"))
                let list = try #require(targets.firstIndex(of: "text/uri-list"))
                #expect(text < list)
            }
        }
    }
}
