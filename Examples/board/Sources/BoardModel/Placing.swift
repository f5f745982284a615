/// A point on the board.
public struct BoardPoint: Hashable, Sendable {
    /// The distance from the left and the upper edge.
    public var x: Double, y: Double

    /// Makes a point.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// Places of tiles on a board.
public enum Placing {
    /// The distance between tiles that are placed side by side.
    static let gap = 16.0

    /// Returns the tile at a point: the last one drawn, if several overlap.
    public static func tile(at point: BoardPoint, in tiles: [Tile]) -> Tile? {
        tiles.last { tile in
            let place = tile.description
            return point.x >= place.x && point.x < place.x + place.width && point.y >= place.y
                && point.y < place.y + place.height
        }
    }

    /// Returns the first free place for a new tile, row by row.
    ///
    /// - Parameters:
    ///   - description: The tile.
    ///   - tiles: The tiles that are already placed.
    ///   - width: The width of the board.
    public static func free(for description: TileDescription, among tiles: [Tile], width: Double) -> BoardPoint {
        var y = gap
        for _ in 0..<1_000 {
            var x = gap
            while x + description.width + gap <= max(width, description.width + 2 * gap) {
                guard let other = overlapped(x, y, description, tiles) else { return BoardPoint(x: x, y: y) }
                x = other.x + other.width + gap
            }
            y += 40
        }
        return BoardPoint(x: gap, y: y)
    }

    private static func overlapped(
        _ x: Double, _ y: Double, _ size: TileDescription, _ tiles: [Tile]
    ) -> TileDescription? {
        tiles.lazy.map(\.description).first { other in
            x < other.x + other.width + gap && other.x < x + size.width + gap && y < other.y + other.height + gap
                && other.y < y + size.height + gap
        }
    }

    /// Returns the tiles of a document, after finding places for unplaced tiles.
    public static func placed(_ tiles: [Tile]) -> [Tile] {
        var placed = tiles.filter(\.isPlaced)
        return tiles.map { tile in
            guard !tile.isPlaced else { return tile }
            var description = tile.description
            let point = free(for: description, among: placed, width: 720)
            description.x = point.x
            description.y = point.y
            let found = tile.with(description)
            placed.append(found)
            return found
        }
    }

    /// Returns tiles moved together so that their upper left corner is at a point.
    public static func moved(_ tiles: [Tile], to point: BoardPoint) -> [Tile] {
        let left = tiles.map(\.description.x).min() ?? 0
        let top = tiles.map(\.description.y).min() ?? 0
        return tiles.map { tile in
            var description = tile.description
            description.x = max(0, description.x - left + point.x)
            description.y = max(0, description.y - top + point.y)
            return tile.with(description)
        }
    }
}
