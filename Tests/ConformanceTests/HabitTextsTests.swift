import CopyingSupport
import TestSupport
import Testing

extension Conformance {
    @Suite("Habit: text that resembles another format, from other owners", .requiresXvfb)
    struct HabitTexts {
        /// Text that begins like a TIFF file, a desktop entry, a script, a PDF, a GIF, an XPM, HTML or a list of
        /// files.
        static let texts = [
            "MM\0*".replacing("\0", with: " "), "[Desktop Entry]\nName=x\n", "<?php echo 1;", "%PDF-1.4 text",
            "GIF89a text",
            "/* XPM */", "<html><body>x</body></html>", "{\\rtf1 x}", "copy\nfile:///tmp/a", "file:///tmp/a\r\n",
            "#!/bin/sh",
            "BM text", "RIFF text", "-----BEGIN CERTIFICATE-----",
        ]

        @Test("Text stays text when it is read, captured, and owned by the bridge", arguments: texts)
        func text(_ text: String) async throws {
            let offers: [Offered] = [("UTF8_STRING", Array(text.utf8))]
            try await Conformance.withOwner(offers, captures: true) { sandbox, peer in
                let count = try await sandbox.count()
                #expect(try await sandbox.require("get").output == Array(text.utf8))
                let types = try await sandbox.require("types").lines
                #expect(types == ["public.utf8-plain-text"])
                let status = try await sandbox.awaitStatus("captured", count: count)
                #expect(status.contains("public.utf8-plain-text"))
                try await sandbox.awaitingTakeover { try await peer.process.kill() }
                #expect(try await sandbox.xclipPastes().output == Array(text.utf8))
                #expect(try await sandbox.require("get", "-t", "text").output == Array(text.utf8))
            }
        }
    }
}
