import FoundationEssentials
import Pasteboard
import TestSupport
import Testing
import UniformTypes

extension Library {
    /// Tests of the names of types, of their conformance in the bridge, and of values that write and read themselves.
    @Suite("Types", .requiresXvfb) struct TypesTests {
        private static let general = Pasteboard.general

        @Test("A type is a string, a system type, a declaration or a well-known name")
        func names() async throws {
            try await withLibrary { _ in
                let declaration = TypeDeclaration(identifier: "com.example.note")
                var item = PasteboardItem(Data("p".utf8), type: .png)
                item.setData(Data("n".utf8), forType: declaration)
                item.setData(Data("t".utf8), forType: UniformType.utf8PlainText)
                try Self.general.setItems([item])
                #expect(
                    try Self.general.types.prefix(3) == ["public.png", "com.example.note", "public.utf8-plain-text"])
                #expect(try Self.general.data(forType: .image) == Data("p".utf8))
                #expect(try Self.general.data(forTypes: [.pdf, .text])?.data == Data("t".utf8))
                #expect(try await Self.general.async.data(forType: declaration) == Data("n".utf8))
                #expect(try Self.general.contains(types: [UniformType.html]) == false)
                #expect(try Self.general.itemSet(withTypes: [.png, PasteboardType("com.example.none")]) == [0])
            }
        }

        @Test("Contents can be read as any type that they conform to, even if another program declared it")
        func agreement() async throws {
            try await withLibrary { sandbox in
                try await sandbox.xclipCopies("{}", as: "application/x-other+tile")
                #expect(try Self.general.contains(types: ["org.example.tile"]) == false)
                #expect(try Self.general.data(forType: "org.example.tile") == nil)
                try await sandbox.require(
                    "declare", "org.example.tile", "--conforms-to", "public.json", "--mime", "application/x-other+tile")
                for type in ["org.example.tile", "public.json", "public.text"] {
                    #expect(try Self.general.contains(types: [type]), "\(type)")
                    #expect(try Self.general.data(forType: type) == Data("{}".utf8), "\(type)")
                    #expect(try Self.general.itemSet(withTypes: [type]) == [0])
                }
                try Self.general.clear()
                #expect(try Self.general.contains(types: ["public.json"]) == false)
                #expect(try Self.general.itemSet(withTypes: [.text]) == [])
                let error = #expect(throws: PasteboardError.self) {
                    try Self.general.contains(types: [.text], inItemSet: [0])
                }
                #expect(error?.code == .noSuchItem)
            }
        }

        @Test("The pasteboard's types are the types of its first item")
        func firstItem() async throws {
            try await withLibrary { _ in
                try Self.general.setItems([PasteboardItem(Data(), type: .png), PasteboardItem(Data(), type: .html)])
                #expect(try Self.general.types == ["public.png"])
                #expect(try Self.general.types(forItemSet: nil).map(\.first) == ["public.png", "public.html"])
            }
        }

        @Test("A value written as a property list is read as a Codable value, and vice versa")
        func formats() async throws {
            try await withLibrary { _ in
                let type = "com.example.settings"
                func both<Value: Codable & PropertyListValue & Equatable>(_ value: Value, _ type: String) throws {
                    try Self.general.encode(value, forType: type)
                    #expect(try Self.general.value(Value.self, forType: type) == value)
                    try Self.general.setValue(value, forType: type)
                    #expect(try Self.general.decode(Value.self, forType: type) == value)
                }
                try both("text", type)
                try both(["a": [1, 2]], type)
                try both(2.5, type)
                try both("plain", "public.utf8-plain-text.none")
                try Self.general.setValue("plain", forType: .plainText)
                #expect(try Self.general.decode(String.self, forType: .plainText) == "plain")
                try Self.general.setData(Data(#"{"a": null, "b": [1, null, "x"]}"#.utf8), forType: .json)
                #expect(
                    try Self.general.value(forType: .json) == .dictionary(["b": .array([.integer(1), .string("x")])]))
            }
        }

        @Test("Values write all their representations, and are read from the best representation")
        func representable() async throws {
            try await withLibrary { sandbox in
                try Self.general.copy([Tile(color: "red"), Tile(color: "blue")])
                #expect(try Self.general.numberOfItems == 2)
                #expect(try await sandbox.xclipPastes().text == "red\nblue")
                #expect(try Self.general.paste(Tile.self).map(\.color) == ["red", "blue"])
                try await sandbox.xclipCopies("green")
                #expect(try await Self.general.async.paste(Tile.self).map(\.color) == ["green"])
                try Self.general.setData(Data("p".utf8), forType: .png)
                #expect(try Self.general.paste(Tile.self).isEmpty)
                try await Self.general.async.copy([Recipe(title: "Soup")])
                #expect(try Self.general.paste(Recipe.self) == [Recipe(title: "Soup")])
                try Self.general.setData(Data("no".utf8), forType: "com.example.recipe")
                let error = #expect(throws: PasteboardError.self) { try Self.general.paste(Recipe.self) }
                #expect(error?.code == .invalidValue)
            }
        }

        @Test("An error of a value's own reader or writer reaches the caller unchanged")
        func ownErrors() async throws {
            try await withLibrary { _ in
                try Self.general.setString("text")
                #expect(throws: Stubborn.Refusal.self) { try Self.general.paste(Stubborn.self) }
                #expect(throws: Stubborn.Refusal.self) { try Self.general.copy([Stubborn()]) }
                await #expect(throws: Stubborn.Refusal.self) { _ = try await Self.general.async.paste(Stubborn.self) }
                #expect(try Self.general.string == "text")
            }
        }

        /// A value that can be neither read nor written.
        private struct Stubborn: PasteboardRepresentable {
            struct Refusal: Error {}

            static var readableTypes: [PasteboardType] { [.text] }

            init() {}
            init(pasteboardData data: Data, type: String) throws { throw Refusal() }
            func pasteboardItem() throws -> PasteboardItem { throw Refusal() }
        }

        private struct Tile: PasteboardRepresentable {
            var color: String

            static var readableTypes: [PasteboardType] { ["org.example.tile", .text] }

            init(color: String) { self.color = color }

            init(pasteboardData data: Data, type: String) { color = String(decoding: data, as: UTF8.self) }

            func pasteboardItem() -> PasteboardItem {
                var item = PasteboardItem(Data(color.utf8), type: "org.example.tile")
                item.setData(Data(color.utf8), forType: .plainText)
                return item
            }
        }

        private struct Recipe: CodablePasteboardRepresentable, Equatable {
            static let pasteboardType: PasteboardType = "com.example.recipe"
            var title: String
        }
    }
}
