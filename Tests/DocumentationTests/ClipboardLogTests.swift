import Pasteboard
import TestSupport
import Testing

extension Documentation {
    /// Examples/clipboard-log.
    @Suite("clipboard-log") struct ClipboardLogTests {
        @Test("The program prints the current state, then each change, and exits at the end of its input")
        func log() async throws {
            try await withPasteboards { sandbox in
                let xpb = sandbox.program("xpb")
                try await sandbox.require([xpb, "set", "first"])
                let count = try await Pasteboard.general.async.changeCount
                let text = "public.utf8-plain-text"
                let status = try await sandbox.running([sandbox.program("clipboard-log")]) { log in
                    #expect(try await log.line() == "\(count)\txpb\t\(text)\t\(text)\t-")
                    try await sandbox.require([xpb, "set", "-t", "text/html", "--text", "<b>x</b>"])
                    #expect(try await log.line() == "\(count + 1)\txpb\tpublic.html\tpublic.html\t\(text)")
                    try await Pasteboard.general.async.clear()
                    #expect(try await log.line() == "\(count + 2)\tnobody\t-\t-\tpublic.html")
                    try await log.finish()
                }.status
                #expect(status == 0)
            }
        }

        @Test("SIGTERM ends the program")
        func signal() async throws {
            try await withPasteboards { sandbox in
                try await sandbox.require([sandbox.program("xpb"), "set", "first"])
                let status = try await sandbox.running([sandbox.program("clipboard-log")]) { log in
                    _ = try await log.line()
                    try log.terminate()
                    await ProcessTable.awaitEnd(of: log.processID)
                }.status
                #expect(status == 143)
            }
        }
    }
}
