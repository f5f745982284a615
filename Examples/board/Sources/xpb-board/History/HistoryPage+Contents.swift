import BoardModel
import EditingGTK
import FoundationEssentials
import Pasteboard

/// The contents of entries, read for pictures, drags and files.
extension HistoryPage {
    /// Lets the user save the picture, the text or the richest representation of an entry.
    func save(_ entry: PasteboardHistoryEntry) {
        let type = FileNames.type(of: entry)
        onSave?(FileNames.name(of: entry, as: type)) { [weak self] path in
            self?.thumbnails.read(type, of: entry.id) { result in self?.write(result, to: path) }
        }
    }

    private func write(_ result: Result<Data?, any Error>, to path: String) {
        do {
            guard let data = try result.get() else { throw EntryIsGone() }
            try data.write(to: URL(filePath: path), options: .atomic)
        } catch {
            onFailure?(error)
        }
    }

    func showThumbnail(of entry: PasteboardHistoryEntry, in row: HistoryRow) {
        thumbnails.load(entry) { [weak row] picture in row?.show(picture, of: entry.id) }
    }

    /// Lets the user drag the contents of a row to another program. The contents are read when the button is pressed,
    /// since a drag needs the contents at its beginning.
    func enableDragging(of row: HistoryRow) {
        let source = DragSource(row.widget)
        row.widget.retained.append(source)
        source.onPress = { [weak self, weak row, weak source] in
            guard let self, let entry = row?.entry else { return }
            source?.contents = []
            thumbnails.readItems(of: entry.id) { items in source?.contents = items.first.map(Self.contents) ?? [] }
        }
    }

    /// Returns the representations of an item with their MIME types, for a drag.
    private static func contents(of item: PasteboardItem) -> [(type: String, data: Data)] {
        item.types.flatMap { name in
            guard let data = item.data(forType: name) else { return [(type: String, data: Data)]() }
            return MIMETypes.names(of: name).map { ($0, data) }
        }
    }
}
