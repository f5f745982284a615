import BoardModel
import EditingGTK
import FoundationEssentials
import Pasteboard

/// A row of the history: an icon of the kind, the beginning of the text or a picture, kind, size and program, and the
/// time at the right.
final class HistoryRow: ListRow {
    /// The maximum size of a picture in a row.
    static let maxPicture = (width: 320, height: 120)

    private let image = ImageView(size: 32)
    private let swatch: Canvas
    private let preview = Label(lines: 2)
    private let picture = PictureView(title: Words.picture.text)
    private let details = Label()
    private let time = Label()
    private let pin = ImageView(size: 16)
    private unowned let page: HistoryPage
    /// The entry that the row shows.
    private var identifier: Int?
    private var color: HexColor?

    init(_ page: HistoryPage) {
        self.page = page
        let links = Links()
        swatch = Canvas(title: Words.color.text, isFocusable: false) { links.row?.drawSwatch($0) }
        swatch.setContentSize(width: 32, height: 32)
        details.addStyle("details")
        time.addStyle("details")
        pin.show(icon: "view-pin-symbolic")
        let texts = Box(.column, spacing: 2, [preview, picture, details])
        texts.setExpands(horizontally: true)
        let row = Box(.row, spacing: 10, [image, swatch, texts, Box(.column, spacing: 2, [time, pin])])
        row.setMargins(horizontal: 8, vertical: 4)
        super.init(row)
        links.row = self
        page.enableDragging(of: self)
        row.onPress(button: 3) { [unowned self] click in
            if let identifier { page.openMenu(for: identifier, at: widget.place(click.x, click.y, in: page.list)) }
        }
    }

    /// The row, which the closure of its swatch needs before it is complete.
    private final class Links {
        weak var row: HistoryRow?
    }

    /// The entry that the row shows.
    var entry: PasteboardHistoryEntry? { identifier.flatMap { page.model[$0] } }

    override func show(_ key: String) {
        identifier = Int(key)
        guard let entry else { return }
        let kind = EntryKind(entry)
        showText(of: entry)
        details.text = Self.details(of: entry, kind)
        time.text = LocalTime.text(
            ofSecondsSince1970: entry.date.timeIntervalSince1970, yesterday: Words.yesterday.text)
        pin.isVisible = entry.isPinned
        if case .color(let color) = kind { self.color = color } else { color = nil }
        swatch.isVisible = color != nil
        swatch.redraw()
        image.isVisible = color == nil
        image.show(icon: kind.icon)
        show(nil)
        if kind == .picture { page.showThumbnail(of: entry, in: self) }
        let name = [Self.title(of: entry), details.text, time.text, entry.isPinned ? Words.pinned.text : ""]
        widget.setAccessibleNameOfContainer(name.filter { !$0.isEmpty }.joined(separator: ", "))
    }

    override func clear() { identifier = nil }

    /// Shows the picture of an entry, unless the row now shows another entry.
    func show(_ picture: Picture, of entry: Int) {
        if identifier == entry { show(picture) }
    }

    private func show(_ picture: Picture?) {
        self.picture.show(picture, maxWidth: Self.maxPicture.width, maxHeight: Self.maxPicture.height)
        // The picture says more than its size, which the details have.
        preview.isVisible = picture == nil
    }

    private func showText(of entry: PasteboardHistoryEntry) {
        if let line = Self.matchingLine(of: entry) {
            preview.show(markup: line)
        } else {
            preview.text = Self.title(of: entry)
        }
    }

    private func drawSwatch(_ drawing: Drawing) {
        guard let color else { return }
        TilePainter.drawSwatch(color, on: drawing)
    }

    /// Returns the text of an entry as Pango markup, with the matches of a search in bold; nil if there are no matches.
    private static func matchingLine(of entry: PasteboardHistoryEntry) -> String? {
        guard !entry.matches.isEmpty, let text = entry.excerpt ?? entry.preview else { return nil }
        return StyledMarkup.line(of: text, bold: entry.matches)
    }

    /// Returns the text of an entry for one or two lines.
    static func title(of entry: PasteboardHistoryEntry) -> String {
        if EntryKind(entry) == .files, let names = entry.fileNames { return names.joined(separator: ", ") }
        if let preview = entry.preview {
            let beginning = preview.prefix(maxTitle).filter { !isDirectionMark($0) }
            let words = beginning.split(whereSeparator: \.isWhitespace)
            if !words.isEmpty { return words.joined(separator: " ") }
            if !beginning.isEmpty { return String(beginning.map(visible)) }
        }
        return EntryKind(entry).word
    }

    /// The maximum length of a title, in characters. Pango takes long for text without blanks.
    private static let maxTitle = 200

    /// Returns true for a character that changes the direction of the text after it.
    private static func isDirectionMark(_ character: Character) -> Bool {
        character.unicodeScalars.allSatisfy {
            (0x202A...0x202E).contains($0.value) || (0x2066...0x2069).contains($0.value)
        }
    }

    /// Returns a visible character for a blank.
    private static func visible(_ blank: Character) -> Character {
        blank.isNewline ? "⏎" : blank == "\t" ? "⇥" : "␣"
    }

    private static func details(of entry: PasteboardHistoryEntry, _ kind: EntryKind) -> String {
        // The title of contents without a text has the kind already.
        let word = entry.preview == nil && kind != .picture ? nil : kind.word
        // The bytes of files are those of their list.
        let size = kind == .files ? nil : ByteSize.text(entry.length)
        return [word, entry.pixelSize, size, entry.program].compactMap { $0 }
            .joined(separator: " · ")
    }
}

extension PasteboardHistoryEntry {
    /// The size of a picture, such as `220 × 160`.
    var pixelSize: String? {
        guard let pixelWidth, let pixelHeight else { return nil }
        return "\(pixelWidth) × \(pixelHeight)"
    }

    /// The names of the files of an entry, from its preview, which has their paths.
    var fileNames: [String]? {
        preview?.split(separator: "\n").map { path in path.split(separator: "/").last.map(String.init) ?? String(path) }
    }
}

extension EntryKind {
    /// The name of the icon.
    var icon: String {
        switch self {
        case .text, .styledText, .color: "text-x-generic-symbolic"
        case .link: "web-browser-symbolic"
        case .picture: "image-x-generic-symbolic"
        case .files: "folder-symbolic"
        case .sound: "audio-x-generic-symbolic"
        case .film: "video-x-generic-symbolic"
        case .other: "application-x-addon-symbolic"
        }
    }
}
