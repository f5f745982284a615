import TestSupport
import Testing

extension Peers {
    /// Tests in which one program copies, xpb takes over the contents by adding to them, and another program pastes
    /// from xpb.
    @Suite("Contents that xpb added to")
    struct TakeoverTests {
        static let kinds: [Kind] = [.text, .html, .image, .note]

        static let pairs = Toolkit.allCases.flatMap { source in
            Toolkit.allCases.filter { $0 != source }.map { (source, $0) }
        }

        @Test("After xpb adds to the contents of one toolkit, another toolkit pastes them completely", arguments: pairs)
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

        /// Tk refuses properties of more than 400,000 bytes, and xclip sends up to a megabyte without INCR.
        @Test("Tk pastes contents from xpb that it cannot paste from xclip, which sends them without INCR")
        func fromOnePiece() async throws {
            try await Sandbox.with { sandbox in
                let text = Contents.longText(500_000)
                try sandbox.write(text, to: "in")
                // xclip goes to the background before it owns the selection.
                try await sandbox.withPeer(["watch"]) { watch in
                    _ = try await watch.await("watching")
                    let copied = try await sandbox.shell(
                        "exec xclip -i -selection clipboard -t UTF8_STRING in >/dev/null 2>&1")
                    try #require(copied.status == 0, "\(copied)")
                    _ = try await watch.await("owner")
                }
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
