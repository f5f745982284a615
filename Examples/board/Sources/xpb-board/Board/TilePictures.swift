import BoardModel
import EditingGTK
import FoundationEssentials
import Pasteboard

/// The pictures and looks of tiles, made once for each tile's contents.
final class TilePictures {
    private static let size = 480
    private let thread: BackgroundThread?
    private var looks: [Int: TileLook] = [:]
    private var pictures: [Int: Picture] = [:]
    /// The contents whose decoding has begun.
    private var begun: Set<Int> = []
    /// Called when a picture can be drawn, or cannot be decoded.
    var onPicture: (() -> Void)?

    init(thread: BackgroundThread?) { self.thread = thread }

    /// Returns the look of a tile.
    func look(of tile: Tile) -> TileLook {
        if !tile.isKnown || tile.description.color != nil { return tile.look }
        if let look = looks[tile.fingerprint] { return look }
        let look = tile.look
        looks[tile.fingerprint] = look
        return look
    }

    /// Returns the picture of a tile. If it is not decoded yet, begins to decode it and returns nil.
    func picture(of tile: Tile) -> Picture? {
        if let picture = pictures[tile.fingerprint] { return picture }
        guard begun.insert(tile.fingerprint).inserted, let data = tile.item.data(forType: .image) else { return nil }
        let fingerprint = tile.fingerprint
        thread?.perform({
            Result { try PictureDecoder.decode(data, maxWidth: Self.size, maxHeight: Self.size) }
        }) { [weak self] result in
            guard let self else { return }
            switch result {
            case .success(let data): pictures[fingerprint] = Picture(data)
            case .failure(PictureError.tooLarge(let width, let height)):
                looks[fingerprint] = .card("\(Words.tooLargePicture.text): \(width) × \(height)")
            case .failure: looks[fingerprint] = .card("\(Words.picture.text): \(Words.failed.text)")
            }
            onPicture?()
        }
        return nil
    }
}
