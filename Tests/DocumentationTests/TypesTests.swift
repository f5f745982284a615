import AttributedText
import FoundationEssentials
import Pasteboard
import PasteboardAttributedText
import TestSupport
import Testing
import UniformTypes

extension Documentation {
    @Suite("Types") struct TypesTests {
        @Test("A type has an identifier and supertypes")
        func type() throws {
            // snippet: type
            if let type = UniformType(mimeType: "image/svg+xml") {
                print(type.identifier, type.conforms(to: .xml))  // public.svg-image true
            }
            // end
            let svg = try #require(UniformType(mimeType: "image/svg+xml"))
            #expect(svg.identifier == "public.svg-image")
            #expect(svg.conforms(to: .xml))
        }

        @Test("A request for text returns plain text if there is any, or else HTML or its text, depending on the name")
        func text() async throws {
            try await withPasteboards { _ in
                let general = Pasteboard.general.async
                var item = PasteboardItem(Data("<b>page</b>".utf8), type: "public.html")
                try await general.setItems([item])
                #expect(try await general.data(forType: "public.text") == Data("<b>page</b>".utf8))
                #expect(try await general.data(forType: "text") == Data("page".utf8))
                item.setData(Data("plain".utf8), forType: "text")
                try await general.setItems([item])
                for type in ["public.text", "text", "text/plain"] {
                    #expect(try await general.data(forType: type) == Data("plain".utf8), "\(type)")
                }
            }
        }

        @Test("Styled text is offered as HTML, RTF and plain text")
        func styled() async throws {
            try await withPasteboards { sandbox in
                try await waiting {
                    // snippet: styled
                    var styled = AttributedString("Hello")
                    styled.isBold = true
                    try Pasteboard.general.setAttributedString(styled)
                    let pasted = try Pasteboard.general.attributedString
                    // end
                    #expect(pasted?.runs.first?.isBold == true)
                }
                #expect(try await sandbox.xclipPastes() == "Hello")
                #expect(try await sandbox.xclipPastes("text/html").contains("<b>"))
                #expect(try await sandbox.xclipPastes("text/rtf").hasPrefix(#"{\rtf1"#))
            }
        }

        @Test("A paragraph has tab stops and indents, which RTF keeps")
        func layout() {
            // snippet: layout
            var entry = AttributedString("Preface\t7")
            var style = RichTextParagraph()
            style.headIndent = 36
            style.tabStops = [RichTextParagraph.TabStop(location: 453, alignment: .right, leader: .dots)]
            entry.paragraph = style
            let rtf = entry.rtf
            // end
            #expect(AttributedString(rtf: rtf) == entry)
        }

        @Test("A picture is a character of the text, which HTML and RTF keep")
        func picture() {
            let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2])
            // snippet: picture
            var drawing = AttributedString("\u{FFFC}")
            drawing.picture = RichTextPicture(png, width: 96, height: 48)
            let html = (AttributedString("See ") + drawing).html
            // end
            #expect(AttributedString(html: html).runs.last?.picture == drawing.picture)
            // On other characters, and in other formats, there is nothing to write.
            drawing.picture = RichTextPicture(Data("GIF89a".utf8))
            #expect(!String(decoding: drawing.html, as: UTF8.self).contains("img"))
            var text = AttributedString("a")
            text.picture = RichTextPicture(png)
            #expect(AttributedString(html: text.html).runs.last?.picture == nil)
        }

        @Test(
            "X11 programs see the targets of the article's table",
            arguments: [
                ("text", ["UTF8_STRING", "text/plain;charset=utf-8", "text/plain", "STRING", "TEXT", "COMPOUND_TEXT"]),
                ("public.html", ["text/html"]),
                ("public.rtf", ["text/rtf", "application/rtf"]),
                ("public.png", ["image/png"]),
                ("public.file-url", ["text/uri-list", "x-special/gnome-copied-files"]),
                ("color", ["application/x-color"]),
            ])
        func targets(type: String, targets: [String]) async throws {
            try await withPasteboards { sandbox in
                let article = try Tree.lines("Sources/Library/Pasteboard/Pasteboard.docc/Types.md")
                #expect(article.contains { line in targets.allSatisfy { line.contains("`\($0)`") } })
                if type == "color" {
                    try await Pasteboard.general.async.setColor(PasteboardColor(red: 1, green: 0, blue: 0))
                } else {
                    let bytes = type == "public.file-url" ? "file:///tmp" : "bytes"
                    try await Pasteboard.general.async.setData(Data(bytes.utf8), forType: type)
                }
                let seen = try await sandbox.xclipPastes("TARGETS").split(separator: "\n").map(String.init)
                #expect(Set(targets).isSubset(of: seen), "\(seen)")
            }
        }
    }
}
