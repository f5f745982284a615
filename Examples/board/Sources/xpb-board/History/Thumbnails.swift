import EditingGTK
import FoundationEssentials
import Pasteboard

/// The small pictures of history entries. Each is read and decoded in the background when its row is shown. One picture
/// is decoded at a time, to save memory.
final class Thumbnails {
    /// The maximum number of pictures that are kept.
    private static let maxPictures = 64

    private let events: PasteboardEvents
    private let thread: BackgroundThread?
    private var pictures: [Int: Picture] = [:]
    private var waiting: [Int: [(Picture) -> Void]] = [:]
    /// The entries whose picture cannot be shown.
    private var failed: Set<Int> = []

    init(events: PasteboardEvents, thread: BackgroundThread?) {
        self.events = events
        self.thread = thread
    }

    /// Calls a closure with the picture of an entry, at once if the picture is already loaded.
    func load(_ entry: PasteboardHistoryEntry, _ completion: @escaping (Picture) -> Void) {
        if let picture = pictures[entry.id] { return completion(picture) }
        guard !failed.contains(entry.id), !isTooLarge(entry) else { return }
        waiting[entry.id, default: []].append(completion)
        guard waiting[entry.id]?.count == 1 else { return }
        let identifier = entry.id
        events.perform({ try await Self.picture(of: identifier) }) { [weak self] result in
            guard let data = try? result.get() else { return self?.finish(identifier, nil) ?? () }
            self?.thread?.perform({
                try? PictureDecoder.decode(
                    data, maxWidth: HistoryRow.maxPicture.width, maxHeight: HistoryRow.maxPicture.height)
            }) { [weak self] picture in
                self?.finish(identifier, picture.flatMap(Picture.init))
            }
        }
    }

    /// Calls a closure with the items of an entry.
    func readItems(of entry: Int, _ completion: @escaping ([PasteboardItem]) -> Void) {
        events.perform({ try await Pasteboard.general.async.items(ofHistoryEntry: entry) }) { result in
            if let items = try? result.get() { completion(items) }
        }
    }

    /// Calls a closure with one representation of an entry.
    func read(_ type: String, of entry: Int, _ completion: @escaping (Result<Data?, any Error>) -> Void) {
        events.perform(
            { try await Pasteboard.general.async.data(forType: type, ofHistoryEntry: entry) }, completion: completion)
    }

    private func isTooLarge(_ entry: PasteboardHistoryEntry) -> Bool {
        guard let width = entry.pixelWidth, let height = entry.pixelHeight, width > 0 else { return false }
        return height > PictureDecoder.maxPixels / width
    }

    private func finish(_ identifier: Int, _ picture: Picture?) {
        let completions = waiting.removeValue(forKey: identifier) ?? []
        guard let picture else {
            failed.insert(identifier)
            return
        }
        if pictures.count >= Self.maxPictures { pictures = [:] }
        pictures[identifier] = picture
        for completion in completions { completion(picture) }
    }

    private static func picture(of entry: Int) async throws -> Data? {
        try await Pasteboard.general.async.items(ofHistoryEntry: entry).first?.data(forType: .image)
    }
}
