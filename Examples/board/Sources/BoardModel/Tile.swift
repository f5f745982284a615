import FoundationEssentials
public import Pasteboard

/// A tile of a board: an item of the document's pasteboard, with all its representations.
public struct Tile: Sendable, Identifiable {
    /// The name of the tile. Tiles without a readable description are named after their contents.
    public let id: String
    /// The item as it was pasted or read. Its representations are never changed, apart from the description.
    public let item: PasteboardItem
    /// The place, size and look.
    public var description: TileDescription
    /// False for a tile of a later version or with a damaged description. Such a tile is written back as it was read.
    public let isKnown: Bool
    /// False for an item that another program has added or a tile that is not known: the board finds a place for it.
    public let isPlaced: Bool
    /// A hash of the representations, which tells different contents under the same name apart.
    public let fingerprint: Int

    /// Makes a color tile.
    public init(color: HexColor) {
        self.init(item: PasteboardItem(), description: TileDescription(width: 140, height: 100, color: color))
    }

    init(item: PasteboardItem, description: TileDescription, isKnown: Bool = true, isPlaced: Bool = true) {
        id = description.id
        self.item = item
        self.description = description
        self.isKnown = isKnown
        self.isPlaced = isPlaced
        fingerprint = Tile.fingerprint(of: item)
    }

    /// Makes a tile from an item that was read from the document.
    public init(document item: PasteboardItem) {
        self.init(item: item, isNew: false)
    }

    /// Makes a tile with a new name from a pasted item, which can come from any program.
    public init(pasted item: PasteboardItem) {
        self.init(item: item, isNew: true)
    }

    private init(item: PasteboardItem, isNew: Bool) {
        let reading = item.data(forType: TileDescription.type).map(TileDescription.read)
        let look = TileLook(item)
        let size = look.size
        switch reading {
        case .known(var description):
            if isNew { description.id = TileDescription.newIdentifier() }
            self.init(item: item, description: description)
        case .newer, .damaged:
            var description = TileDescription(width: size.width, height: size.height)
            // A copy of the tile is another tile, so a pasted tile gets a new name.
            if !isNew { description.id = "contents-\(Tile.fingerprint(of: item))" }
            self.init(item: item, description: description, isKnown: false, isPlaced: false)
        case nil:
            var description = TileDescription(width: size.width, height: size.height)
            if case .color(let color) = look { description.color = color.text }
            if !isNew { description.id = "contents-\(Tile.fingerprint(of: item))" }
            self.init(item: item, description: description, isPlaced: false)
        }
    }

    /// Returns the same tile under another name.
    public func renamed(_ id: String) -> Tile {
        var description = self.description
        description.id = id
        return Tile(item: item, description: description, isKnown: isKnown, isPlaced: isPlaced)
    }

    /// Returns the same tile with another description.
    public func with(_ description: TileDescription) -> Tile {
        var tile = self
        tile.description = description
        return tile
    }

    /// The look of the tile.
    public var look: TileLook {
        guard isKnown else { return .newer }
        if let color = description.hexColor { return .color(color) }
        return TileLook(item)
    }

    /// The item for the document: the unchanged contents, with the present description.
    public var documentItem: PasteboardItem {
        guard isKnown else { return item }
        guard let color = description.hexColor else {
            var item = self.item
            item.setData(description.data, forType: TileDescription.type)
            return item
        }
        return colorItem(color)
    }

    /// Returns the item of a color tile in all its forms except PNG, which is promised when the tile is copied.
    private func colorItem(_ color: HexColor) -> PasteboardItem {
        var item = PasteboardItem(description.data, type: TileDescription.type)
        item.setData(color.x11, forType: "application/x-color")
        item.setData(Data(color.text.utf8), forType: .plainText)
        item.setData(Data(svg(color).utf8), forType: .svg)
        return item
    }

    private func svg(_ color: HexColor) -> String {
        let (width, height) = (Int(description.width), Int(description.height))
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)">\
            <rect width="\(width)" height="\(height)" rx="\(Int(description.corners))" fill="\(color.text)"/></svg>
            """
    }

    /// Returns true if both are the same tile in the same state.
    public func isSame(as other: Tile) -> Bool {
        id == other.id && description == other.description && fingerprint == other.fingerprint
    }

    private static func fingerprint(of item: PasteboardItem) -> Int {
        // FNV-1a, which is the same in each run, over the beginning, end and length of each representation.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func add(_ bytes: some Sequence<UInt8>) {
            for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        }
        for type in item.types where type != TileDescription.type || isDamagedOrNewer(item) {
            let data = item.data(forType: type) ?? Data()
            add(type.utf8)
            add(String(data.count).utf8)
            add(data.prefix(65_536))
            add(data.suffix(65_536))
        }
        return Int(truncatingIfNeeded: hash >> 1)
    }

    private static func isDamagedOrNewer(_ item: PasteboardItem) -> Bool {
        guard let data = item.data(forType: TileDescription.type) else { return false }
        if case .known = TileDescription.read(data) { return false }
        return true
    }
}
