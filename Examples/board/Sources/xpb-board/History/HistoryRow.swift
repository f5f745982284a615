import BoardModel
import EditingGTK
import FoundationEssentials
import Pasteboard
import UniformTypes

/// A row of the history: a small picture or icon, the beginning of the text, and the program, kind, size and time.
final class HistoryRow: ListRow {
    private let image = ImageView(size: 40)
    private let preview = Label(lines: 2)
    private let details = Label()
    private let pin = ImageView(size: 16)
    private unowned let page: HistoryPage
    /// The entry that the row shows.
    private var identifier: Int?

    init(_ page: HistoryPage) {
        self.page = page
        details.addStyle("details")
        pin.show(icon: "view-pin-symbolic")
        let texts = Box(.column, spacing: 2, [preview, details])
        texts.setExpands(horizontally: true)
        let row = Box(.row, spacing: 10, [image, texts, pin])
        row.setMargins(horizontal: 8, vertical: 4)
        super.init(row)
        page.enableDragging(of: self)
    }

    /// The entry that the row shows.
    var entry: PasteboardHistoryEntry? { identifier.flatMap { page.model[$0] } }

    override func show(_ key: String) {
        identifier = Int(key)
        guard let entry else { return }
        if let line = Self.matchingLine(of: entry) {
            preview.show(markup: line)
        } else {
            preview.text = Self.title(of: entry)
        }
        details.text = Self.details(of: entry)
        pin.isVisible = entry.isPinned
        image.show(icon: Self.icon(of: entry))
        if entry.pixelWidth != nil { page.showThumbnail(of: entry, in: self) }
    }

    override func clear() { identifier = nil }

    /// Shows the picture of an entry, unless the row now shows another entry.
    func show(_ picture: Picture, of entry: Int) {
        if identifier == entry { image.show(picture) }
    }

    /// Returns the text of an entry as Pango markup, with the matches of a search in bold; nil if there are no matches.
    private static func matchingLine(of entry: PasteboardHistoryEntry) -> String? {
        guard !entry.matches.isEmpty, let text = entry.excerpt ?? entry.preview else { return nil }
        return StyledMarkup.line(of: text, bold: entry.matches)
    }

    /// Returns the text of an entry for one or two lines.
    static func title(of entry: PasteboardHistoryEntry) -> String {
        if let preview = entry.preview {
            let words = preview.prefix(400).split(whereSeparator: \.isWhitespace)
            if !words.isEmpty { return words.joined(separator: " ") }
        }
        if let width = entry.pixelWidth, let height = entry.pixelHeight {
            return "\(Words.picture.text) \(width) × \(height)"
        }
        return entry.kind
    }

    private static func details(of entry: PasteboardHistoryEntry) -> String {
        let time = LocalTime.text(ofSecondsSince1970: entry.date.timeIntervalSince1970)
        return [entry.program, entry.kind, ByteSize.text(entry.length), time].compactMap { $0 }.joined(separator: " · ")
    }

    private static func icon(of entry: PasteboardHistoryEntry) -> String {
        if entry.pixelWidth != nil { return "image-x-generic-symbolic" }
        if entry.types.contains("public.file-url") { return "text-x-generic-symbolic" }
        if entry.types.contains("public.url") { return "web-browser-symbolic" }
        return entry.preview == nil ? "application-x-addon-symbolic" : "edit-paste-symbolic"
    }
}

extension PasteboardHistoryEntry {
    /// The kind of the contents in one word, as in `xpb history`: a class of types, or else the first known type.
    fileprivate var kind: String {
        let types = types.compactMap { UniformType($0) }
        if types.contains(where: { $0.conforms(to: .fileURL) }) { return "files" }
        if pixelWidth != nil || preview == nil, types.contains(where: { $0.conforms(to: .image) }) { return "image" }
        // Markup and links conform to text too, so text is last.
        let classes: [(type: UniformType, word: String)] = [
            (.html, "html"), (.url, "url"), (.color, "color"), (.image, "image"), (.audio, "audio"), (.movie, "video"),
            (.text, "text"),
        ]
        let known = types.lazy.compactMap { type in classes.first { type.conforms(to: $0.type) }?.word }
        return known.first ?? types.first { !$0.isDynamic }?.identifier ?? type
    }
}
