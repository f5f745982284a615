import FoundationEssentials
import Pasteboard
import Testing

@testable import BoardModel

/// Colors, and tiles as items of a pasteboard.
struct TileTests {
    @Test func colorsAreReadAsTheWebWritesThem() {
        #expect(HexColor("#2040c0") == HexColor(red: 0x20, green: 0x40, blue: 0xc0))
        #expect(HexColor(" #ABC ") == HexColor(red: 0xaa, green: 0xbb, blue: 0xcc))
        for text in ["", "#", "2040c0", "#2040c", "#2040c00", "#20 40c0", "#２０40c0", "#ggg", "blue"] {
            #expect(HexColor(text) == nil, "\(text)")
        }
    }

    @Test func colorsComeBackFromTheirForms() {
        for value in UInt8.min...UInt8.max {
            let color = HexColor(red: value, green: 255 - value, blue: 7)
            #expect(HexColor(color.text) == color)
            #expect(HexColor(x11: color.x11) == color)
        }
        #expect(HexColor(x11: Data([1, 2, 3])) == nil)
    }

    @Test func theLineOfAnEntryHasWhatASearchFoundInBold() {
        #expect(StyledMarkup.line(of: "a <b> & c", bold: [2..<5]) == "a <b>&lt;b&gt;</b> &amp; c")
        let greeting = StyledMarkup.line(of: "ein\n\tGrüße an  Grüße", bold: [5..<12, 17..<24])
        #expect(greeting == "ein <b>Grüße</b> an <b>Grüße</b>")
        let long = String(repeating: "é", count: 100) + "x" + String(repeating: "y", count: 1_000)
        let line = StyledMarkup.line(of: long, bold: [200..<201])
        #expect(line.hasPrefix("…éé") && line.contains("é<b>x</b>y") && line.utf8.count < 500)
        #expect(StyledMarkup.line(of: "short", bold: [90..<99]) == "…<b></b>")
    }

    @Test func sizesAreShort() {
        let sizes = [0: "0 B", 1_023: "1023 B", 1_024: "1 KiB", 1_536: "1.5 KiB", 319_488: "312 KiB", 1 << 30: "1 GiB"]
        for (bytes, text) in sizes { #expect(ByteSize.text(bytes) == text) }
    }

    @Test func aDescriptionComesBack() {
        var description = TileDescription(x: 3, y: 4.5, width: 100, height: 50, color: HexColor("#123456"))
        description.label = "Grüße"
        description.corners = 12
        #expect(TileDescription.read(description.data) == .known(description))
    }

    @Test func descriptionsOfLaterVersionsAndDamagedOnesAreTold() {
        #expect(TileDescription.read(Data(#"{"version":7,"shape":"round"}"#.utf8)) == .newer(version: 7))
        let damaged = [
            "", "{}", "[]", #"{"version":1}"#, #"{"version":1,"id":"a","x":0,"y":0,"width":-1,"height":2}"#,
            #"{"version":1,"id":"a","x":1e300,"y":0,"width":1,"height":2}"#,
            #"{"version":1,"id":"a","x":0,"y":0,"width":1,"height":2,"color":"blue"}"#,
        ]
        for text in damaged { #expect(TileDescription.read(Data(text.utf8)) == .damaged, "\(text)") }
    }

    @Test func aTileKeepsAllTypes() throws {
        var item = PasteboardItem(Data("<b>a</b>".utf8), type: .html)
        item.setData(Data("a".utf8), forType: .plainText)
        item.setData(Data([0, 255, 7]), forType: "application/x-nobody")
        let tile = Tile(pasted: item)
        let written = tile.documentItem
        #expect(
            written.types.map { written.data(forType: $0) }.prefix(3) == item.types.map { item.data(forType: $0) }[...])
        #expect(written.types.last == TileDescription.type)
        #expect(Tile(document: written).isSame(as: tile))
    }

    @Test func aColorTileHasItsForms() throws {
        let tile = Tile(color: try #require(HexColor("#2040c0")))
        let item = tile.documentItem
        #expect(
            item.types == [TileDescription.type, "application/x-color", "public.utf8-plain-text", "public.svg-image"])
        #expect(item.data(forType: .plainText) == Data("#2040c0".utf8))
        #expect(Tile(pasted: item).look == .color(HexColor(red: 0x20, green: 0x40, blue: 0xc0)))
        #expect(Tile(pasted: item).id != tile.id)
    }

    @Test func aTileOfALaterVersionIsWrittenAsItWas() {
        var item = PasteboardItem(Data(#"{"version":2,"id":"x","spin":3}"#.utf8), type: TileDescription.type)
        item.setData(Data("kept".utf8), forType: .plainText)
        var tile = Tile(document: item)
        #expect(tile.look == .newer)
        tile.description.x = 300
        #expect(tile.documentItem.types == item.types)
        #expect(tile.documentItem.data(forType: TileDescription.type) == item.data(forType: TileDescription.type))
        #expect(Tile(document: item).id == tile.id)
    }

    @Test func looksAreTheRichestThatCanBeDrawn() {
        #expect(
            TileLook(PasteboardItem(Data("https://swift.org".utf8), type: .plainText)) == .link("https://swift.org"))
        #expect(TileLook(PasteboardItem(Data("a b".utf8), type: .plainText)) == .text("a b"))
        #expect(TileLook(PasteboardItem(Data([1]), type: .png)) == .picture)
        #expect(TileLook(PasteboardItem(Data([1]), type: "application/x-nobody")) == .card("application/x-nobody"))
        var styled = PasteboardItem(Data("<b>1 &lt; 2</b> <i>so</i>".utf8), type: .html)
        styled.setData(Data("1 < 2 so".utf8), forType: .plainText)
        let markup = "<span weight=\"bold\">1 &lt; 2</span> <span style=\"italic\">so</span>"
        #expect(TileLook(styled) == .styledText(markup: markup, text: "1 < 2 so"))
        let files = PasteboardItem(Data("file:///tmp/a%20b.txt".utf8), type: .fileURL)
        #expect(TileLook(files) == .files(["a b.txt"]))
    }
}
