import TestSupport
import Testing

extension Peers {
    /// Tests in which a toolkit's program copies, and is killed after the capture of its contents.
    @Suite("Contents of a killed program")
    struct CaptureTests {
        static let kinds: [Kind] = [.text, .html, .image, .files, .note, .reverseDNS]

        /// Targets that keep the owner's own bytes. Text targets are all derived from one text target of the owner.
        static let exact = [
            "text/html", "image/png", "text/uri-list", "application/x-example-note", "com.example.note",
        ]

        @Test(
            "After a toolkit's program is killed, everything that it copied can be pasted under each target",
            arguments: [Toolkit.gtk3, .qt5])
        func killed(source: Toolkit) async throws {
            try await Sandbox.with { sandbox in
                var contents: [(form: String, file: String)] = []
                for kind in Self.kinds {
                    try await sandbox.prepare(kind)
                    try sandbox.write(try sandbox.read("in"), to: "\(kind)")
                    contents.append((kind.form, "\(kind)"))
                }
                let count = try #require(try await sandbox.require("count").number) + 1
                var live: [String: [UInt8]] = [:]
                var listed: [String] = []
                try await sandbox.owning(source, contents) { program in
                    let status = try await sandbox.awaitStatus("captured", count: count)
                    #expect(!status.contains("left out"), "\(status)")
                    listed = try await sandbox.xclipPastes("TARGETS").lines
                    for target in Self.exact { live[target] = try await sandbox.xclipPastes(target).output }
                    try await sandbox.awaitingTakeover { try await program.kill() }
                }
                for target in Self.exact {
                    let pasted = try await sandbox.xclipPastes(target)
                    #expect(Payload.difference(pasted.output, live[target] ?? []) == nil, "\(target)")
                    #expect(!pasted.output.isEmpty, "\(target) \(pasted)")
                }
                for target in ["UTF8_STRING", "text/plain;charset=utf-8", "text/plain"] {
                    #expect(try await sandbox.xclipPastes(target).text == Contents.text, "\(target)")
                }
                let offered = try await sandbox.xclipPastes("TARGETS").lines
                let lost = Set(listed).subtracting(offered).filter { !Self.isLeftOut($0) }
                #expect(lost == [])
                #expect(try await sandbox.require("count").number == count)
            }
        }

        /// Returns true for targets that need their program, are another format of the image, or cannot hold the text.
        private static func isLeftOut(_ target: String) -> Bool {
            [
                "MULTIPLE", "SAVE_TARGETS", "TIMESTAMP", "TARGETS", "STRING", "PIXMAP", "BITMAP",
                "application/x-qt-image",
            ]
            .contains(target) || target.hasPrefix("image/")
        }
    }
}

extension Sandbox {
    fileprivate func xclipPastes(_ target: String) async throws -> Outcome {
        try await run(["xclip", "-o", "-selection", "clipboard", "-t", target])
    }
}
