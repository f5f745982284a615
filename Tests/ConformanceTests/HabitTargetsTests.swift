import TestSupport
import Testing

extension Conformance {
    @Suite("Habit: Targets that do something, or are dear", .requiresXvfb)
    struct HabitTargets {
        private static let harmful = [
            "DELETE", "INSERT_SELECTION", "INSERT_PROPERTY", "SAVE_TARGETS", "MULTIPLE", "PIXMAP", "DRAWABLE", "BITMAP",
        ]

        @Test("Targets with an effect are never asked for, not by a capture nor by who wants all there is")
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

        /// As LibreOffice Writer, Inkscape and GIMP list them; rendering freezes them for seconds.
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
            "Of a program that renders on request a mere copy fetches no picture and no document", arguments: rendered)
        func renderers(listed: [String]) async throws {
            let offers = listed.map { (target: $0, bytes: Array("x".utf8)) }
            try await Conformance.withOwner(offers, captures: true) { sandbox, peer in
                let count = try await sandbox.count()
                _ = try await sandbox.awaitStatus("captured", count: count)
                let asked = try await peer.requestsUntilNow()
                #expect(asked.contains("TARGETS") && asked.contains("UTF8_STRING"))
                let cheap: Set = ["TARGETS", "UTF8_STRING", "text/html", "text/rtf", "text/richtext"]
                #expect(cheap.isSuperset(of: asked), "\(asked)")
            }
        }

        @Test("Who wants the picture gets it")
        func wanted() async throws {
            let offers = Self.rendered[1].map { (target: $0, bytes: Array($0.utf8)) }
            try await Conformance.withOwner(offers, captures: true) { sandbox, _ in
                let pasted = try await sandbox.require("get", "-t", "image/png")
                #expect(pasted.text == "image/png")
            }
        }
    }
}
