import AttributedText
import FoundationEssentials
import Pasteboard
import PasteboardAttributedText
import TestSupport
import Testing

extension Library {
    /// Tests of each kind of value, written and read by blocking and asynchronous calls.
    @Suite("Values", .requiresXvfb) struct ValuesTests {
        private static let general = Pasteboard.general
        private static let png = EncodedImage(Data([0x89, 0x50, 0x4E, 0x47, 0, 255]), type: "public.png")

        @Test("Text is written and read by all calls and by X11 programs")
        func strings() async throws {
            try await withLibrary { sandbox in
                #expect(try Self.general.string == nil && Self.general.strings.isEmpty && !Self.general.hasStrings)
                let count = try Self.general.setString("Grüße")
                #expect(try await sandbox.xclipPastes().text == "Grüße")
                #expect(try await Self.general.async.string == "Grüße")
                #expect(try await Self.general.async.changeCount == count)
                try await Self.general.async.setStrings(["a", "b", "c"])
                #expect(try Self.general.strings == ["a", "b", "c"])
                #expect(try Self.general.string == "a")
                #expect(try Self.general.hasStrings)
                try await sandbox.xclipCopies("from X11")
                #expect(try await Self.general.async.strings == ["from X11"])
                #expect(try await Self.general.async.hasStrings)
                try await Self.general.async.clear()
                #expect(try await Self.general.async.string == nil)
            }
        }

        @Test("File URLs and other URLs are written and read")
        func urls() async throws {
            try await withLibrary { sandbox in
                let link = try #require(URL(string: "https://example.com/a%20b?c#d"))
                let files = [URL(filePath: "/tmp/a b"), URL(filePath: "/tmp/ü")]
                try Self.general.setURL(link)
                #expect(try Self.general.url == link)
                #expect(try await sandbox.xclipPastes().text == link.absoluteString)
                try await Self.general.async.setURLs(files)
                #expect(try await Self.general.async.urls.map(\.absoluteString) == files.map(\.absoluteString))
                #expect(try await Self.general.async.hasURLs)
                let listed = try await sandbox.xclipPastes("text/uri-list").text.split(whereSeparator: \.isNewline)
                #expect(listed.map(String.init) == files.map(\.absoluteString))
                try await sandbox.xclipCopies("file:///tmp/x\r\nfile:///tmp/y\r\n", as: "text/uri-list")
                #expect(try Self.general.urls.map(\.path) == ["/tmp/x", "/tmp/y"])
                #expect(try Self.general.url?.path == "/tmp/x")
            }
        }

        @Test("Images are exchanged as the bytes of their files")
        func images() async throws {
            try await withLibrary { sandbox in
                try Self.general.setImage(Self.png)
                #expect(try await Self.general.async.image == Self.png)
                #expect(try await sandbox.xclipPastes("image/png").output == Array(Self.png.data))
                let other = EncodedImage(Data("GIF89a".utf8), type: "com.compuserve.gif")
                try await Self.general.async.setImages([Self.png, other])
                #expect(try Self.general.images == [Self.png, other])
                #expect(try Self.general.hasImages && !Self.general.hasStrings && !Self.general.hasColors)
            }
        }

        @Test("Colors are exchanged with X11 programs")
        func colors() async throws {
            try await withLibrary { sandbox in
                let color = PasteboardColor(red: 1, green: 0, blue: 1, alpha: 0)
                try Self.general.setColor(color)
                #expect(try await Self.general.async.color == color)
                #expect(try Self.general.hasColors)
                #expect(
                    try await sandbox.xclipPastes("application/x-color").output == [255, 255, 0, 0, 255, 255, 0, 0])
                try await Self.general.async.setColors([color, PasteboardColor(red: 0, green: 1, blue: 0)])
                #expect(try await Self.general.async.colors == [color, PasteboardColor(red: 0, green: 1, blue: 0)])
            }
        }

        @Test("Styled text is written in three formats, and read from any of them")
        func attributedStrings() async throws {
            try await withLibrary { sandbox in
                var text = AttributedString("bold")
                text.isBold = true
                try Self.general.setAttributedString(text)
                #expect(try await Self.general.async.attributedString?.isBold == true)
                #expect(try Self.general.string == "bold")
                #expect(try await sandbox.xclipPastes("text/html").text.contains("bold"))
                try await sandbox.xclipCopies("<i>slanted</i>", as: "text/html")
                let slanted = try await Self.general.async.attributedString
                #expect(slanted.map { String($0.characters) } == "slanted" && slanted?.isItalic == true)
                try await Self.general.async.setString("plain")
                #expect(try Self.general.attributedString == AttributedString("plain"))
                try await Self.general.async.setAttributedString(text)
                #expect(try Self.general.types.prefix(2) == ["public.rtf", "public.html"])
                try Self.general.setData(Data("no RTF".utf8), forType: "public.rtf")
                let error = #expect(throws: PasteboardError.self) { try Self.general.attributedString }
                #expect(error?.code == .invalidValue)
                try Self.general.clear()
                #expect(try Self.general.attributedString == nil)
            }
        }

        @Test("Property lists, and Swift values that convert to them, are written and read")
        func propertyLists() async throws {
            try await withLibrary { _ in
                let type = "com.example.settings"
                let list = PropertyList.dictionary(["size": .integer(3), "when": .date(Date(timeIntervalSince1970: 5))])
                try Self.general.setValue(list, forType: type)
                #expect(try await Self.general.async.value(forType: type) == list)
                #expect(try Self.general.values(forType: type, inItemSet: nil) == [list])
                try await Self.general.async.setValue(["a": [1, 2]], forType: type)
                #expect(try Self.general.value([String: [Int]].self, forType: type) == ["a": [1, 2]])
                try Self.general.setValue(7, forType: type)
                #expect(try await Self.general.async.value(Int.self, forType: type) == 7)
                let error = await #expect(throws: PasteboardError.self) {
                    try await Self.general.async.value(String.self, forType: type)
                }
                #expect(error?.code == .invalidValue)
                try Self.general.setValue("plain", forType: "public.utf8-plain-text")
                #expect(try Self.general.string == "plain")
                #expect(try Self.general.value(Int.self, forType: "com.example.none") == nil)
            }
        }

        @Test("A Codable value is read by another program, and X11 programs see it under its target")
        func codable() async throws {
            try await withLibrary { sandbox in
                let written = try await sandbox.peer("write", "Soup")
                #expect(written.number == (try await Self.general.async.changeCount), "\(written)")
                let soup = try await Self.general.async.decode(Recipe.self, forType: "com.example.recipe")
                #expect(soup == Recipe(title: "Soup", minutes: 45))
                let json = try await sandbox.xclipPastes("application/x-example-recipe")
                #expect(json.text.contains("\"title\":\"Soup\""), "\(json)")
                try Self.general.encode(Recipe(title: "Stew", minutes: 90), forType: "com.example.recipe")
                #expect(try await sandbox.peer("read").text == "Stew 90")
                try Self.general.setData(Data("no JSON".utf8), forType: "com.example.recipe")
                let error = #expect(throws: PasteboardError.self) {
                    try Self.general.decode(Recipe.self, forType: "com.example.recipe")
                }
                #expect(error?.code == .invalidValue)
            }
        }

        private struct Recipe: Codable, Hashable, Sendable {
            var title: String
            var minutes: Int
        }
    }
}
