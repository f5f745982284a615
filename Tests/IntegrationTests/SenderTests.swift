import CopyingSupport
import Foundation
import TestSupport
import Testing

extension Integration {
    /// Programs that send the clipboard to another machine. xclip has the name of such a program here.
    @Suite("Programs that send the clipboard elsewhere", .requiresXvfb)
    struct SenderTests {
        private func withSender(_ body: (Sandbox, _ sender: String) async throws -> Void) async throws {
            try await Sandbox.with { sandbox in
                let linked = try await sandbox.shell("ln -s /usr/bin/xclip xfreerdp")
                #expect(linked.status == 0)
                try await body(sandbox, sandbox.path("xfreerdp"))
            }
        }

        @Test("Contents that may not leave the machine are refused to them, and given to all other programs")
        func refused() async throws {
            try await withSender { sandbox, sender in
                let text = try sandbox.write(Array("for here".utf8), to: "text")
                for option in ["--concealed", "--local-only"] {
                    try await sandbox.require("set", option, "-t", "text", "-f", text)
                    let sent = try await sandbox.run([sender, "-selection", "clipboard", "-o"])
                    #expect(sent.status != 0 && sent.output.isEmpty, "\(option): \(sent)")
                    let pasted = try await sandbox.run(["/usr/bin/xclip", "-selection", "clipboard", "-o"])
                    #expect(pasted.text == "for here", "\(option): \(pasted)")
                }
                try await sandbox.require("set", "for everybody")
                #expect(try await sandbox.run([sender, "-selection", "clipboard", "-o"]).text == "for everybody")
            }
        }

        @Test("Their reads are no pastes of contents that may be pasted once")
        func once() async throws {
            try await withSender { sandbox, sender in
                try await sandbox.require("set", "--once", "once")
                #expect(try await sandbox.run([sender, "-selection", "clipboard", "-o"]).text == "once")
                #expect(try await sandbox.require("get").text == "once")
            }
        }

        @Test("Their copy right after the end of the owner is a copy, and not the owner's contents put back")
        func copiedAtOnce() async throws {
            try await Sandbox.with { sandbox in
                _ = try await sandbox.count()
                #expect(try await sandbox.shell("ln -s /usr/bin/python3 xfreerdp").status == 0)
                let text = try sandbox.write(Array("new".utf8), to: "text")
                // A program with the number of the dead owner's connection would not count as another program, so the
                // sender connects before.
                let sender =
                    [sandbox.path("xfreerdp"), Binaries.fixture("peer.py"), "own", "--not-yet"]
                    + ["--offer", "UTF8_STRING", text]
                _ = try await sandbox.running(sender) { peer in
                    _ = try await peer.line()
                    let own = "printf old | /usr/bin/xclip -quiet -selection clipboard > /dev/null 2>&1 & echo $!; wait"
                    _ = try await sandbox.running(["/bin/sh", "-c", own]) { owner in
                        let process = try await owner.line()
                        #expect(try await sandbox.require("wait", "--since", "0", "--timeout", "60").lines == ["1"])
                        _ = try await sandbox.awaitStatus("captured", count: 1)
                        #expect(try await sandbox.shell("kill $1", process).status == 0)
                        try await peer.send("own")
                        #expect(try await sandbox.require("wait", "--since", "1", "--timeout", "60").lines == ["2"])
                        #expect(try await sandbox.require("get").text == "new")
                    }
                }
            }
        }

        @Test("doctor names them")
        func doctor() async throws {
            try await withSender { sandbox, sender in
                let copied = try await sandbox.shell(
                    "printf text | $1 -selection clipboard > /dev/null 2>&1", sender)
                #expect(copied.status == 0)
                let outcome = try await sandbox.require("doctor", "--verbose")
                #expect(
                    outcome.text.contains("xfreerdp (process") && outcome.text.contains("sends copies"),
                    "\(outcome.text)")
                try await sandbox.require("set", "last")
            }
        }
    }
}
