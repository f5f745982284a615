import FoundationEssentials
import Pasteboard
import Testing
import Undo

@testable import BoardModel

/// The tiles of a board: merging, names and places.
struct BoardTests {
    private func tile(_ name: String, x: Double = 0) -> Tile {
        var description = TileDescription(x: x, y: 0, width: 10, height: 10)
        description.id = name
        return Tile(item: PasteboardItem(Data(name.utf8), type: .plainText), description: description)
    }

    private func names(_ tiles: [Tile]) -> [String] { tiles.map(\.id) }

    @Test func bothSidesMayAddTiles() {
        let base = [tile("a")]
        let merged = BoardMerge.merge(base: base, local: base + [tile("b")], remote: base + [tile("c")])
        #expect(names(merged) == ["a", "c", "b"])
    }

    @Test func aTileThatOneSideRemovesIsRemoved() {
        let base = [tile("a"), tile("b"), tile("c")]
        let merged = BoardMerge.merge(base: base, local: [base[1], base[2]], remote: [base[0], base[2]])
        #expect(names(merged) == ["c"])
    }

    @Test func aTileThatIsRemovedHereAndChangedThereStays() {
        let base = [tile("a"), tile("b")]
        let moved = [tile("a", x: 5), tile("b")]
        #expect(names(BoardMerge.merge(base: base, local: [base[1]], remote: moved)) == ["a", "b"])
        #expect(names(BoardMerge.merge(base: base, local: moved, remote: [base[1]])) == ["b", "a"])
    }

    @Test func theStateOfTheChangingSideCounts() {
        let base = [tile("a"), tile("b")]
        let merged = BoardMerge.merge(
            base: base, local: [tile("a", x: 1), tile("b")], remote: [tile("a"), tile("b", x: 2)])
        #expect(merged.map(\.description.x) == [1, 2])
        let both = BoardMerge.merge(base: base, local: [tile("a", x: 1)], remote: [tile("a", x: 3)])
        #expect(both.first?.description.x == 1)
    }

    /// Two windows change a document at random, and write it as the program does: a refused write is merged and
    /// repeated.
    @Test func noTileIsLostByTwoWindows() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var document: [Tile] = []
            var count = 0
            var windows = (0..<2).map { _ in (base: [Tile](), local: [Tile](), count: 0) }
            var expected: Set<String> = []
            for step in 0..<40 {
                let index = Int.random(in: 0...1, using: &random)
                if Bool.random(using: &random) {
                    windows[index].local.append(tile("\(index)-\(step)"))
                    expected.insert("\(index)-\(step)")
                } else if let gone = windows[index].local.filter({ $0.id.hasPrefix("\(index)-") }).randomElement() {
                    windows[index].local.removeAll { $0.id == gone.id }
                    expected.remove(gone.id)
                } else {
                    continue
                }
                guard Bool.random(using: &random) else { continue }
                if windows[index].count != count {
                    windows[index].local = BoardMerge.merge(
                        base: windows[index].base, local: windows[index].local, remote: document)
                }
                count += 1
                document = windows[index].local
                windows[index] = (document, document, count)
            }
            for index in 0...1 {
                document = BoardMerge.merge(base: windows[index].base, local: windows[index].local, remote: document)
            }
            #expect(Set(names(document)) == expected)
            #expect(document.count == expected.count)
        }
    }

    @Test func copiesOfATileGetOtherNames() {
        let tiles = BoardMerge.unique([tile("a"), tile("b"), tile("a"), tile("a")])
        #expect(names(tiles) == ["a", "b", "a-2", "a-3"])
    }

    @Test func theUppermostTileIsHit() {
        let tiles = [tile("a"), tile("b", x: 5)]
        #expect(Placing.tile(at: BoardPoint(x: 7, y: 5), in: tiles)?.id == "b")
        #expect(Placing.tile(at: BoardPoint(x: 4, y: 9.5), in: tiles)?.id == "a")
        #expect(Placing.tile(at: BoardPoint(x: 15, y: 5), in: tiles) == nil)
        #expect(Placing.tile(at: BoardPoint(x: 7, y: 10), in: tiles) == nil)
    }

    @Test func freePlacesDoNotOverlap() {
        var tiles: [Tile] = []
        for index in 0..<60 {
            var description = TileDescription(width: 90 + Double(index % 5) * 20, height: 60 + Double(index % 3) * 30)
            let place = Placing.free(for: description, among: tiles, width: 800)
            description.x = place.x
            description.y = place.y
            for other in tiles.map(\.description) {
                let apart =
                    other.x + other.width <= place.x || place.x + description.width <= other.x
                    || other.y + other.height <= place.y || place.y + description.height <= other.y
                #expect(apart)
            }
            tiles.append(Tile(item: PasteboardItem(), description: description))
        }
    }

    @Test func itemsOfOtherProgramsGetPlaces() {
        let items = (0..<9).map { Tile(document: PasteboardItem(Data("note \($0)".utf8), type: .plainText)) }
        let placed = Placing.placed([tile("a", x: 20)] + items)
        #expect(placed[0].description.x == 20)
        #expect(Set(placed.map { "\($0.description.x) \($0.description.y)" }).count == 10)
        #expect(names(Placing.placed(items)) == names(items))
    }

    @Test func aGroupOfTilesKeepsItsDistances() {
        let moved = Placing.moved([tile("a", x: 20), tile("b", x: 50)], to: BoardPoint(x: 100, y: 7))
        #expect(moved.map(\.description.x) == [100, 130])
        #expect(moved.map(\.description.y) == [7, 7])
    }

    @Test func allTextsHaveAGermanOne() {
        for word in Words.allCases where word != .palette {
            // These are the same in both languages.
            if [.text, .link, .links, .film].contains(word) { continue }
            #expect(word.text(in: .german) != word.rawValue, "\(word)")
            #expect(word.text(in: .japanese) == word.rawValue)
        }
    }
}
