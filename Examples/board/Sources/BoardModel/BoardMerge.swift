/// The merging of a board's tiles with the tiles that another window has written.
public enum BoardMerge {
    /// Returns the tiles with the changes of both sides.
    ///
    /// No tile is lost: a tile that one side has removed is removed only if the other side has not changed it. If both
    /// sides have changed the same tile, the local state wins.
    ///
    /// - Parameters:
    ///   - base: The tiles that both sides started from.
    ///   - local: The tiles of this window.
    ///   - remote: The tiles of the document.
    public static func merge(base: [Tile], local: [Tile], remote: [Tile]) -> [Tile] {
        let base = byName(base)
        let mine = byName(local)
        let theirs = byName(remote)
        var merged = remote.compactMap { tile in
            choose(base: base[tile.id], local: mine[tile.id], remote: tile)
        }
        merged += local.filter { theirs[$0.id] == nil }.compactMap { tile in
            choose(base: base[tile.id], local: tile, remote: nil)
        }
        return merged
    }

    private static func byName(_ tiles: [Tile]) -> [String: Tile] {
        Dictionary(tiles.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    private static func choose(base: Tile?, local: Tile?, remote: Tile?) -> Tile? {
        switch (local, remote) {
        case (let local?, let remote?):
            guard let base else { return local }
            return local.isSame(as: base) ? remote : local
        case (let local?, nil):
            guard let base else { return local }
            return local.isSame(as: base) ? nil : local
        case (nil, let remote?):
            guard let base else { return remote }
            return remote.isSame(as: base) ? nil : remote
        case (nil, nil): return nil
        }
    }

    /// Returns the tiles with unique names: if another program has copied a tile, the copy gets a new name.
    public static func unique(_ tiles: [Tile]) -> [Tile] {
        var names: [String: Int] = [:]
        return tiles.map { tile in
            let count = names[tile.id, default: 0]
            names[tile.id] = count + 1
            return count == 0 ? tile : tile.renamed("\(tile.id)-\(count + 1)")
        }
    }

    /// Returns true if both lists have the same tiles in the same states and order.
    public static func isSame(_ tiles: [Tile], _ others: [Tile]) -> Bool {
        tiles.elementsEqual(others) { $0.isSame(as: $1) }
    }
}
