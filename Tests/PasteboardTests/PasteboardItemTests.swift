import Formats
import FoundationEssentials
import Pasteboard
import PasteboardWire
import Testing

@Suite struct PasteboardItemTests {
    @Test("Representations keep their order, and a new representation replaces the old one of its type")
    func order() {
        var item = PasteboardItem(Data("1".utf8), type: "public.html")
        item.setData(Data("2".utf8), forType: "com.example.a")
        item.setData(Data("3".utf8), forType: "PUBLIC.HTML")
        #expect(item.types == ["PUBLIC.HTML", "com.example.a"])
        #expect(item.data(forType: "public.html") == Data("3".utf8))
    }

    @Test("A representation of the exact type, by any of its names, is preferred to a conforming representation")
    func asking() {
        var item = PasteboardItem(Data("<b>".utf8), type: "text/html")
        item.setData(Data("b".utf8), forType: "UTF8_STRING")
        #expect(item.data(forType: "public.html") == Data("<b>".utf8))
        #expect(item.data(forType: "text") == Data("b".utf8))
        #expect(item.data(forType: "public.utf8-plain-text") == Data("b".utf8))
        #expect(item.data(forType: "image") == nil)
        #expect(item.data(forType: "") == nil)
    }

    @Test("A Codable value is a representation, and a value that cannot be encoded changes nothing")
    func values() throws {
        struct Note: Codable { var a: Double }
        var item = PasteboardItem()
        try item.encode(Note(a: 1), forType: "com.example.note")
        item.setData(Data("a is 1".utf8), forType: "text")
        #expect(item.types == ["com.example.note", "text"])
        #expect(item.data(forType: "com.example.note") == Data(#"{"a":1}"#.utf8))
        #expect(throws: PasteboardError.self) { try item.encode(Note(a: .nan), forType: "text") }
        #expect(item.data(forType: "text") == Data("a is 1".utf8))
    }

    @Test("A promised representation has a type and no bytes")
    func promise() {
        var item = PasteboardItem()
        item.setPromise(forTypes: ["public.png", "public.jpeg"]) { Data() }
        #expect(item.types == ["public.png", "public.jpeg"])
        #expect(item.data(forType: "public.png") == nil)
        item.setData(Data("x".utf8), forType: "public.png")
        #expect(item.data(forType: "public.png") == Data("x".utf8))
    }

    @Test("An expiration date is sent as the remaining time, and a past date is refused")
    func options() throws {
        #expect(try PasteboardOptions().wire == nil)
        #expect(try PasteboardOptions(localOnly: true).wire == .init(localOnly: true))
        let soon = try PasteboardOptions(expirationDate: Date(timeIntervalSinceNow: 3_600)).wire
        #expect(((1...3_600_001).contains(soon?.expires ?? 0)))
        #expect(try PasteboardOptions(expirationDate: .distantFuture).wire?.expires ?? 0 > 0)
        let error = #expect(throws: PasteboardError.self) {
            try PasteboardOptions(expirationDate: .distantPast).wire
        }
        #expect(error?.code == .invalidOptions)
    }

    @Test("A color is rounded to 16 bits and clamped")
    func color() {
        let color = PasteboardColor(red: 1, green: 0.5, blue: -3, alpha: 7)
        #expect(color.x11.bytes == [255, 255, 0, 128, 0, 0, 255, 255])
        #expect(PasteboardColor(red: .nan, green: .infinity, blue: 0).x11.bytes == [0, 0, 255, 255, 0, 0, 255, 255])
        #expect(
            PasteboardColor(PasteboardColor(red: 1, green: 0, blue: 1).x11)
                == PasteboardColor(red: 1, green: 0, blue: 1))
    }
}
