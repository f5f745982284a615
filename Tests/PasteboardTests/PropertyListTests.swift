import FoundationEssentials
import Pasteboard
import Testing

@Suite struct PropertyListTests {
    private static let own = "com.example.settings"

    @Test(
        "Every value is decoded from its bytes, alone and within other values",
        arguments: [
            PropertyList.string("<ä & \u{1F600}>"), .string(""), .integer(0), .integer(.min), .integer(.max),
            .real(0.5),
            .real(-1e300), .boolean(true), .boolean(false), .date(Date(timeIntervalSince1970: 1_700_000_000)),
            .array([]), .dictionary([:]),
        ])
    func roundTrip(value: PropertyList) throws {
        for whole in [value, .array([value, value]), .dictionary(["a": value, "<&>": .array([value])])] {
            let data = try whole.data(forType: Self.own)
            #expect(PropertyList(data, type: Self.own) == whole)
        }
    }

    @Test("Bytes are written as they are, and decoded within other values")
    func bytes() throws {
        let bytes = Data([0, 255, 7])
        #expect(try PropertyList.data(bytes).data(forType: Self.own) == bytes)
        #expect(PropertyList(bytes, type: Self.own) == .data(bytes))
        let within = PropertyList.array([.data(bytes)])
        #expect(PropertyList(try within.data(forType: Self.own), type: Self.own) == within)
    }

    @Test(
        "A string is written as text under a type of text or of URLs",
        arguments: ["public.utf8-plain-text", "text/html", ".txt", "public.url"])
    func text(type: String) throws {
        #expect(try PropertyList.string("a<b").data(forType: type) == Data("a<b".utf8))
        #expect(PropertyList(Data("a<b".utf8), type: type) == .string("a<b"))
    }

    @Test("Plain text that looks like a property list is read as text, and other types as a property list")
    func sniffing() throws {
        let list = try PropertyList.integer(5).data(forType: Self.own)
        #expect(PropertyList(list, type: "public.plain-text") == .string(String(decoding: list, as: UTF8.self)))
        #expect(PropertyList(list, type: "com.apple.xml-property-list") == .integer(5))
        #expect(PropertyList(Data("bplist00 no".utf8), type: Self.own) == .data(Data("bplist00 no".utf8)))
    }

    /// Returns a binary property list whose objects are in a table, with one byte for each place and reference.
    private static func list(_ objects: [[UInt8]]) -> Data {
        var bytes = Array("bplist00".utf8)
        let places = objects.map { object in
            defer { bytes += object }
            return UInt8(bytes.count)
        }
        let table = UInt8(bytes.count)
        bytes += places + [0, 0, 0, 0, 0, 0, 1, 1]
        for number in [UInt8(objects.count), 0, table] { bytes += [0, 0, 0, 0, 0, 0, 0, number] }
        return Data(bytes)
    }

    @Test("A list that expands to more values than fit into memory, or that contains itself, is bytes")
    func expanding() throws {
        let text: [UInt8] = [0x51, UInt8(ascii: "x")]
        let small = Self.list([[0xA2, 1, 1], text])
        #expect(PropertyList(small, type: Self.own) == .array([.string("x"), .string("x")]))
        let arrays = (1...18).map { [0xAA] + Array(repeating: UInt8($0), count: 10) }
        let expanding = Self.list(arrays + [text])
        #expect(PropertyList(expanding, type: Self.own) == .data(expanding))
        let endless = Self.list([[0xA1, 0]])
        #expect(PropertyList(endless, type: Self.own) == .data(endless))
        // Foundation crashes when it converts a set.
        let set = Self.list([[0xC1, 1], text])
        #expect(PropertyList(set, type: Self.own) == .data(set))
        let marked = Self.list(arrays + [[0x56] + Array("<plist".utf8)])
        #expect(PropertyList(marked, type: Self.own) == .data(marked))
        let cut = small.dropLast(1)
        #expect(PropertyList(Data(cut), type: Self.own) == .data(Data(cut)))
    }

    @Test(
        "A list of XML that is nested too deeply is bytes, whatever is between its tags",
        arguments: ["", "<!--</array>-->", "<?x </array>?>", "<![CDATA[</array>]]>"])
    func deepXML(between: String) {
        func list(_ depth: Int) -> Data {
            let open = String(repeating: "<array>\(between)", count: depth)
            return Data(
                "<?xml version='1.0'?><plist>\(open)\(String(repeating: "</array>", count: depth))</plist>".utf8)
        }
        #expect(PropertyList(list(100_000), type: Self.own) == .data(list(100_000)))
        if between.isEmpty { #expect(PropertyList(list(2), type: Self.own) == .array([.array([])])) }
        let flat = Data("<plist><array>\(String(repeating: "<array/>", count: 600))</array></plist>".utf8)
        #expect(PropertyList(flat, type: Self.own) == .array(Array(repeating: .array([]), count: 600)))
    }

    @Test("A value that is nested too deeply is refused")
    func deep() {
        var value = PropertyList.string("x")
        for _ in 0..<600 { value = .array([value]) }
        let deep = value
        #expect(throws: PasteboardError.self) { try deep.data(forType: Self.own) }
    }

    @Test("Swift values convert from their own kind of property list only")
    func values() {
        #expect(Int(propertyList: .real(3)) == 3 && Int(propertyList: .real(3.5)) == nil)
        #expect(Double(propertyList: .integer(3)) == 3)
        #expect([Int](propertyList: ["a": 1].propertyList) == nil)
        #expect([String: [Bool]](propertyList: ["a": [true]].propertyList) == ["a": [true]])
        #expect([Int](propertyList: .array([.integer(1), .string("x")])) == nil)
        #expect(URL(propertyList: .string("https://example.com/a")) == URL(string: "https://example.com/a"))
        #expect(String(propertyList: .integer(1)) == nil)
    }
}
