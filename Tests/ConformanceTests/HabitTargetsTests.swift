import CopyingSupport
import TestSupport
import Testing

extension Conformance {
    @Suite("Habit: targets with side effects, and expensive targets", .requiresXvfb)
    struct HabitTargets {
        private static let harmful = [
            "DELETE", "INSERT_SELECTION", "INSERT_PROPERTY", "SAVE_TARGETS", "MULTIPLE", "PIXMAP", "DRAWABLE", "BITMAP",
        ]

        @Test("Targets with side effects are never requested, not even to read everything")
        func effects() async throws {
            let others: [Offered] = [("UTF8_STRING", Array("text".utf8)), ("application/x-xpb-test", [1])]
            let offers = Self.harmful.map { ($0, [1]) } + others
            try await Conformance.withOwner(offers, captures: true) { sandbox, peer in
                let count = try await sandbox.count()
                _ = try await sandbox.awaitStatus("captured", count: count)
                try await sandbox.require("dump", "-o", sandbox.path("dump"))
                try await sandbox.require("items", "--json")
                try await sandbox.require("types", "--sizes", "--targets")
                for target in Self.harmful {
                    #expect(try await sandbox.xpb("get", "-t", target).status != 0)
                }
                let asked = try await peer.requestsUntilNow()
                #expect(asked.contains("application/x-xpb-test"))
                #expect(Set(asked).isDisjoint(with: Self.harmful), "\(asked)")
            }
        }

        /// Targets as listed by LibreOffice Writer, Inkscape and GIMP, which freeze for seconds while they render some
        /// targets.
        static let rendered: [[String]] = [
            [
                "application/x-openoffice-embed-source-xml;windows_formatname=\"Star Embed Source (XML)\"", "text/rtf",
                "text/richtext", "text/html", "UTF8_STRING", "application/vnd.oasis.opendocument.text",
                "application/x-openoffice-gdimetafile;windows_formatname=\"GDIMetaFile\"", "image/png",
            ],
            ["image/x-inkscape-svg", "image/svg+xml", "application/pdf", "image/png", "image/x-emf", "UTF8_STRING"],
            ["application/x-gimp-buffer", "image/png", "image/tiff", "image/bmp", "application/pdf", "UTF8_STRING"],
        ]

        @Test(
            "From a program that renders on request, a capture fetches only text and drawings, which are at hand",
            arguments: rendered)
        func renderers(listed: [String]) async throws {
            let offers = listed.map { (target: $0, bytes: Array("x".utf8)) }
            try await Conformance.withOwner(offers, captures: true) { sandbox, peer in
                let count = try await sandbox.count()
                _ = try await sandbox.awaitStatus("captured", count: count)
                let asked = try await peer.requestsUntilNow()
                #expect(asked.contains("TARGETS") && asked.contains("UTF8_STRING"))
                let drawings = ["image/x-inkscape-svg", "image/svg+xml"]
                let cheap = Set(["TARGETS", "UTF8_STRING", "text/html", "text/rtf", "text/richtext"] + drawings)
                #expect(cheap.isSuperset(of: asked), "\(asked)")
            }
        }

        @Test("A requested picture is rendered")
        func wanted() async throws {
            let offers = Self.rendered[1].map { (target: $0, bytes: Array($0.utf8)) }
            try await Conformance.withOwner(offers, captures: true) { sandbox, _ in
                let pasted = try await sandbox.require("get", "-t", "image/png")
                #expect(pasted.text == "image/png")
            }
        }
    }
}
