import TestSupport
import Testing

extension Peers {
    /// One program copies, xpb takes the contents over by adding to them, another pastes from xpb.
    @Suite("Contents that xpb added to")
    struct TakeoverTests {
        static let kinds: [Kind] = [.text, .html, .image, .note]

        static let pairs = Toolkit.allCases.flatMap { source in
            Toolkit.allCases.filter { $0 != source }.map { (source, $0) }
        }

        @Test("What one toolkit copied and xpb added to, another pastes whole, its owner gone", arguments: pairs)
        func takenOver(source: Toolkit, reader: Toolkit) async throws {
            try await Sandbox.with { sandbox in
                var contents: [(form: String, file: String)] = []
                for kind in Self.kinds {
                    try await sandbox.prepare(kind)
                    try sandbox.write(try sandbox.read("in"), to: "\(kind)")
                    contents.append((kind.form, "\(kind)"))
                }
                try sandbox.write(Payload.random(300), to: "added")
                try await sandbox.owning(source, contents) { _ in
                    _ = try await sandbox.require("add", "-t", Kind.reverseDNS.form, "-f", "added")
                }
                for kind in Self.kinds {
                    let pasted = try await sandbox.pasting(reader, kind.form, into: "out")
                    #expect(pasted.status == 0, "\(pasted)")
                    try sandbox.write(try sandbox.read("\(kind)"), to: "in")
                    let difference = try await sandbox.differenceOfPasted(kind, isToolkits: true)
                    #expect(difference == nil, "\(kind)")
                }
                let added = try await sandbox.pasting(reader, Kind.reverseDNS.form, into: "out")
                #expect(added.status == 0, "\(added)")
                #expect(Payload.difference(try sandbox.read("out"), Payload.random(300)) == nil)
            }
        }

        /// Tk takes no property of more than 400,000 bytes, and xclip sends less than a megabyte in one.
        @Test("What Tk cannot paste from xclip, since it comes in one piece, it pastes from xpb")
        func fromOnePiece() async throws {
            try await Sandbox.with { sandbox in
                let text = Contents.longText(500_000)
                try sandbox.write(text, to: "in")
                let copied = try await sandbox.shell(
                    "exec xclip -i -selection clipboard -t UTF8_STRING in >/dev/null 2>&1")
                try #require(copied.status == 0, "\(copied)")
                let direct = try await sandbox.pasting(.tk, "text", into: "out")
                #expect(direct.status == 3, "\(direct)")
                #expect(direct.error.contains("too large"), "\(direct)")

                try await sandbox.require("add", "-t", "com.example.note", "--text", "added")
                let pasted = try await sandbox.pasting(.tk, "text", into: "out")
                #expect(pasted.status == 0, "\(pasted)")
                #expect(Payload.difference(try sandbox.read("out"), text) == nil)
            }
        }
    }
}
