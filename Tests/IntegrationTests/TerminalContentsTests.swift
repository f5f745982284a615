import CopyingSupport
import Foundation
import TestSupport
import Testing

extension Integration {
    /// `--osc5522` in a terminal that the fixture osc5522.py plays.
    @Suite("The clipboard of a terminal, by OSC 5522")
    struct TerminalContentsTests {
        private static let picture = (0..<100_001).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) }

        /// Runs a line of sh in a terminal that has a picture and text, and whose manner is the mode of the fixture.
        /// Standard output and error of the line are files.
        private func inTerminal(
            _ mode: String, _ line: String,
            holding contents: [String: [UInt8]] = ["image/png": picture, "text/plain": Array("täxt".utf8)],
            variables: [String: String] = [:]
        ) async throws -> (status: Int32?, output: [UInt8], error: String, contents: [String: [UInt8]]) {
            try await Sandbox.with(display: nil) { sandbox in
                let file = sandbox.path("clipboard.json")
                try JSONEncoder().encode(contents.mapValues { Data($0) }).write(to: URL(filePath: file))
                let outcome = try await sandbox.removing("TMUX").removing("STY").changing(variables).run([
                    Binaries.fixture("osc5522.py"), mode, file, "/bin/sh", "-c", "{ \(line); } > output 2> error",
                ])
                let written = try JSONDecoder().decode([String: Data].self, from: Data(contentsOf: URL(filePath: file)))
                return (
                    outcome.status, try sandbox.read("output"),
                    String(decoding: try sandbox.read("error"), as: UTF8.self),
                    written.mapValues { Array($0) }
                )
            }
        }

        @Test(
            "Contents of any type are read, whether the terminal answers in pieces, late or among other bytes",
            arguments: ["good", "pieces", "late", "garbage"])
        func read(mode: String) async throws {
            let text = try await inTerminal(mode, "xpb get --osc5522")
            #expect(text.status == 0 && text.output == Array("täxt".utf8), "\(text.error)")
            let picture = try await inTerminal(mode, "xpb get --osc5522 -t html -t image")
            #expect(picture.status == 0 && picture.output == Self.picture, "\(picture.error)")
            let missing = try await inTerminal(mode, "xpb get --osc5522 -t html")
            #expect(missing.status == 1 && missing.error.contains("image/png"), "\(missing.error)")
            let empty = try await inTerminal(mode, "xpb get --osc5522", holding: [:])
            #expect(empty.status == 1 && empty.error.contains("is empty"), "\(empty.error)")
        }

        @Test(
            "All representations are written under their MIME types", arguments: ["good", "pieces", "late", "garbage"])
        func written(mode: String) async throws {
            let line =
                "head -c 50000 /dev/zero > zeros; xpb set --osc5522 -t image/png -f zeros -t text --text 'a ä' "
                + "-t text/html --text '' -t com.example.own --text own"
            let outcome = try await inTerminal(mode, line)
            #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome.error)")
            let expected: [String: [UInt8]] = [
                "image/png": .init(repeating: 0, count: 50_000), "text/plain": Array("a ä".utf8), "text/html": [],
                "com.example.own": Array("own".utf8),
            ]
            #expect(outcome.contents == expected)
        }

        @Test(
            "A terminal that refuses, is damaged, ends or is silent is reported, and nothing looks like contents",
            arguments: [
                ("denied", "xpb get --osc5522", 6, "denied access"),
                ("denied", "xpb set --osc5522 a", 6, "denied access"),
                ("busy", "xpb set --osc5522 a", 6, "busy"), ("damaged", "xpb get --osc5522", 5, "damaged"),
                ("cut", "xpb get --osc5522 -t image", 5, "has ended"), ("plain", "xpb get --osc5522", 4, "OSC 5522"),
                ("plain", "xpb set --osc5522 a", 4, "xpb link"),
                ("never", "xpb get --osc5522 --timeout 0.1", 3, "--timeout"),
            ])
        func failures(mode: String, line: String, status: Int32, message: String) async throws {
            let outcome = try await inTerminal(mode, "trap : HUP; \(line); echo $? > status; cat status >&2")
            #expect(outcome.output.isEmpty)
            #expect(outcome.error.contains(message) && outcome.error.hasSuffix("\(status)\n"), "\(outcome.error)")
            #expect(outcome.contents.count == 2)
        }

        @Test("Inside tmux the message names tmux")
        func tmux() async throws {
            let outcome = try await inTerminal("plain", "xpb get --osc5522", variables: ["TMUX": "/nowhere/socket,1,0"])
            #expect(outcome.status == 4 && outcome.error.contains("tmux does not pass it on"), "\(outcome.error)")
        }

        @Test(
            "Options for which a terminal has nothing are refused before anything is asked",
            arguments: [
                "get --osc5522 --all folder", "get --osc5522 --json", "get --osc5522 --stale", "get --osc5522 --item 1",
                "get --osc5522 -p com.example.own", "set --osc5522 --osc52 a", "set --osc5522 --once a",
                "set --osc5522 -c 'echo a'",
            ])
        func refused(line: String) async throws {
            let outcome = try await inTerminal("never", "xpb \(line)")
            #expect(outcome.status == 2, "\(outcome.error)")
        }

        @Test("The terminal's mode is restored after a failure and after Ctrl-C", arguments: ["never", "interrupt"])
        func restored(mode: String) async throws {
            let timeout = mode == "never" ? "0.1" : "600"
            let outcome = try await inTerminal(
                mode,
                """
                trap : INT; stty -g < /dev/tty > before; xpb get --osc5522 --timeout \(timeout); \
                stty -g < /dev/tty > after; cmp before after && echo ended
                """)
            #expect(outcome.output == Array("ended\n".utf8), "\(outcome.error)")
        }
    }
}
