import Editing
import FoundationEssentials
import Pasteboard
import TestSupport
import Testing
import Undo
import UniformTypes

// snippet: value
struct ColorTile: Codable, Hashable, Sendable {
    var version = 1
    var color: RGB
    var corners = 8.0
    var label = ""
}

struct RGB: Codable, Hashable, Sendable {
    var red: UInt8, green: UInt8, blue: UInt8
}
// end

// snippet: type
extension ColorTile {
    static let type = TypeDeclaration(
        identifier: "com.example.color-tile", conformsTo: ["public.data"],
        mimeTypes: ["application/x-example-color-tile+json"], description: "Color tile")
}
// end

// snippet: forms
extension RGB {
    /// Four numbers of 16 bits: red, green, blue and the opacity. Both bytes of a number are equal, so their order does
    /// not matter.
    var x11Color: Data { Data([red, green, blue, 255].flatMap { [$0, $0] }) }

    /// The color as style sheets write it.
    var css: String { "rgb(\(red), \(green), \(blue))" }
}

extension ColorTile {
    var svg: String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="140" height="100">\
        <rect width="140" height="100" rx="\(corners)" fill="\(color.css)"/></svg>
        """
    }
}
// end

// snippet: representable
extension ColorTile: PasteboardRepresentable {
    static var readableTypes: [PasteboardType] { [PasteboardType(type.identifier), "application/x-color"] }

    init(pasteboardData data: Data, type: String) throws {
        if type == Self.type.identifier {
            self = try JSONDecoder().decode(ColorTile.self, from: data)
            guard version == 1 else { throw UnknownVersion(version: version) }
        } else {
            // The higher byte of a number is the second one.
            let bytes = Array(data)
            guard bytes.count >= 6 else { throw NoColor() }
            self.init(color: RGB(red: bytes[1], green: bytes[3], blue: bytes[5]))
        }
    }

    func pasteboardItem() throws -> PasteboardItem {
        var item = PasteboardItem()
        try item.encode(self, forType: Self.type)
        item.setData(color.x11Color, forType: "application/x-color")
        item.setData(Data(svg.utf8), forType: .svg)
        item.setData(Data(color.css.utf8), forType: .plainText)
        return item
    }
}

struct UnknownVersion: Error { var version: Int }
struct NoColor: Error {}
// end

// snippet: context
final class ColorTileContext: EditingContext {
    private(set) var tile: ColorTile
    let next: (any EditingContext)? = nil
    let undoManager: UndoManager? = UndoManager()
    private let events: PasteboardEvents
    private let availability: PasteAvailability

    init(_ tile: ColorTile, events: PasteboardEvents, center: EditCenter) {
        self.tile = tile
        self.events = events
        availability = PasteAvailability(events: events, types: ColorTile.readableTypes)
        availability.onChange = { [weak center] in center?.setNeedsUpdate() }
    }

    func canPerform(_ command: EditCommand, sender: Any?) -> Bool {
        command == .copy || command == .paste && availability.isAvailable
    }

    func perform(_ command: EditCommand, sender: Any?) {
        if command == .copy { copy() } else { paste() }
    }
}
// end

// snippet: change
extension ColorTileContext {
    func setTile(_ tile: ColorTile) {
        let former = self.tile
        undoManager?.registerUndo(withTarget: self) { $0.setTile(former) }
        undoManager?.setActionName("Change Color")
        self.tile = tile
    }
}
// end

/// Draws a tile as the program's window would. The tests have no window.
private func drawnImage(of tile: ColorTile) throws -> Data { Data("image of \(tile.color.css)".utf8) }

private func showMessage(_ text: String) { Issue.record("\(text)") }

// snippet: copy
extension ColorTileContext {
    private func copy() {
        guard var item = try? tile.pasteboardItem() else { return }
        item.setPromise(forType: .png, provider: events.provider { [tile] in try drawnImage(of: tile) })
        events.write([item], to: .general) { result in
            if case .failure(let error) = result { showMessage("\(error)") }
        }
    }
}
// end

// snippet: paste
extension ColorTileContext {
    private func paste() {
        events.perform({ try await Pasteboard.general.async.paste(ColorTile.self) }) { [weak self] result in
            switch result {
            case .success(let tiles): if let tile = tiles.first { self?.setTile(tile) }
            case .failure(let error): showMessage("\(error)")
            }
        }
    }
}
// end

extension Documentation {
    @Suite("A color tile") struct ColorTileTests {
        private static let blue = RGB(red: 32, green: 64, blue: 192)

        @Test("A tile is copied with five representations and pasted into another tile, and the change is undone")
        func tile() async throws {
            try await withPasteboards { sandbox in
                try await waiting {
                    // snippet: window
                    let events = try PasteboardEvents()
                    let center = EditCenter()
                    try Pasteboard.declare([ColorTile.type])
                    let tile = ColorTileContext(
                        ColorTile(color: RGB(red: 32, green: 64, blue: 192)), events: events, center: center)
                    center.makeFirstResponder(tile)
                    center.perform(.copy)
                    // end
                    let other = ColorTileContext(
                        ColorTile(color: RGB(red: 0, green: 0, blue: 0)), events: events, center: center)
                    try dispatch(events) { try Pasteboard.general.changeCount > 0 }
                    center.makeFirstResponder(other)
                    try dispatch(events) { center.state(of: .paste).isEnabled }
                    center.perform(.paste)
                    try dispatch(events) { other.tile.color == Self.blue }
                    center.menuLanguage = .english
                    #expect(center.state(of: .undo).title == "Undo Change Color")
                    center.perform(.undo)
                    #expect(other.tile.color == RGB(red: 0, green: 0, blue: 0))
                    var image: Data?
                    var isRead = false
                    events.read(.general, types: [.png]) { result in
                        image = (try? result.get())?.data
                        isRead = true
                    }
                    try dispatch(events) { isRead }
                    #expect(image == Data("image of rgb(32, 64, 192)".utf8))
                    #expect(
                        try Pasteboard.general.types.prefix(5) == [
                            "com.example.color-tile", "com.apple.cocoa.pasteboard.color", "public.svg-image",
                            "public.utf8-plain-text", "public.png",
                        ])
                }
                #expect(try await sandbox.xclipPastes() == "rgb(32, 64, 192)")
                let block = try #require(
                    try Tree.blocks().first { $0.file.hasSuffix("ColorTile.md") && $0.language == "shell" })
                let seen = try await sandbox.require(["/bin/sh", "-ec", block.text])
                #expect(seen.lines.first == "com.example.color-tile")
                #expect(seen.text.contains(#"rx="8.0" fill="rgb(32, 64, 192)"/>"#))
                #expect(seen.text.split(whereSeparator: \.isWhitespace).suffix(3) == ["16448", "49344", "65535"])
            }
        }

        @Test("A color from another program becomes a tile, and a tile of a later version causes an error")
        func others() async throws {
            try await withPasteboards { _ in
                let general = Pasteboard.general.async
                try await general.setColor(PasteboardColor(red: 1, green: 0.5, blue: 0))
                #expect(try await general.paste(ColorTile.self).map(\.color) == [RGB(red: 255, green: 128, blue: 0)])
                try Pasteboard.declare([ColorTile.type])
                let later = Data(
                    #"{"version": 2, "color": {"red": 1, "green": 2, "blue": 3}, "corners": 1, "label": ""}"#.utf8)
                try await general.setData(later, forType: ColorTile.type)
                await #expect(throws: UnknownVersion.self) { _ = try await general.paste(ColorTile.self) }
            }
        }
    }
}
