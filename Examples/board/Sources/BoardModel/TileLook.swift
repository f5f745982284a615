import AttributedText
import FoundationEssentials
public import Pasteboard

/// The part of a tile's contents that is shown: the richest representation that the program can draw.
public enum TileLook: Hashable, Sendable {
    /// A color.
    case color(HexColor)
    /// The visible beginning of plain text.
    case text(String)
    /// The visible beginning of styled text, as Pango markup and as plain text.
    case styledText(markup: String, text: String)
    /// An image file.
    case picture
    /// An address.
    case link(String)
    /// Names of files.
    case files([String])
    /// Contents of a type that the program does not know, with the type's name.
    case card(String)
    /// A tile of a later version of the program.
    case newer

    /// The maximum number of letters that are kept for display.
    static let maxLetters = 2_000

    /// Determines the look of an item.
    public init(_ item: PasteboardItem) {
        if let files = Self.files(item) {
            self = .files(files)
        } else if let color = item.data(forType: "application/x-color").flatMap(HexColor.init(x11:)) {
            self = .color(color)
        } else if let text = Self.text(item, "public.utf8-plain-text") ?? Self.text(item, "text") {
            self = Self.isLink(text) ? .link(text) : Self.styled(item) ?? .text(text)
        } else if item.data(forType: .image) != nil {
            self = .picture
        } else if let styled = Self.styled(item) {
            self = styled
        } else if let link = Self.text(item, "url") {
            self = .link(link)
        } else {
            self = .card(item.types.first { $0 != TileDescription.type } ?? "")
        }
    }

    /// The look of the styled text of an item; nil if it has none.
    public init?(styled item: PasteboardItem) {
        guard let look = Self.styled(item) else { return nil }
        self = look
    }

    private static func text(_ item: PasteboardItem, _ type: String) -> String? {
        guard let data = item.data(forType: type), !data.isEmpty else { return nil }
        return String(String(decoding: data.prefix(4 * maxLetters), as: UTF8.self).prefix(maxLetters))
    }

    /// The maximum size in bytes of styled text that is read.
    private static let maxStyledBytes = 1 << 20

    private static func styled(_ item: PasteboardItem) -> TileLook? {
        if let data = item.data(forType: .html), data.count <= maxStyledBytes {
            return StyledMarkup.look(AttributedString(html: [UInt8](data)), maxLetters)
        }
        guard let data = item.data(forType: .rtf), data.count <= maxStyledBytes else { return nil }
        return AttributedString(rtf: [UInt8](data)).flatMap { StyledMarkup.look($0, maxLetters) }
    }

    private static func isLink(_ text: String) -> Bool {
        (text.hasPrefix("https://") || text.hasPrefix("http://")) && !text.contains(where: \.isWhitespace)
    }

    private static func files(_ item: PasteboardItem) -> [String]? {
        guard let data = item.data(forType: "public.file-url") else { return nil }
        let lines = String(decoding: data.prefix(65_536), as: UTF8.self).split(whereSeparator: \.isNewline)
        let names = lines.prefix(32).map { URL(string: String($0))?.lastPathComponent ?? String($0) }
        return names.isEmpty ? nil : names
    }

    /// The text for finding and announcing the tile.
    public var text: String {
        switch self {
        case .color(let color): color.text
        case .text(let text), .link(let text), .styledText(_, let text): text
        case .files(let names): names.joined(separator: "\n")
        case .card(let type): type
        case .picture, .newer: ""
        }
    }

    /// The size of a new tile of this look.
    var size: (width: Double, height: Double) {
        switch self {
        case .color: (140, 100)
        case .picture: (220, 160)
        case .link: (240, 60)
        case .files(let names): (220, Double(min(names.count, 5)) * 20 + 24)
        case .text(let text), .styledText(_, let text): (220, min(180, 28 + 19 * Double(Self.lineCount(text))))
        case .card, .newer: (220, 70)
        }
    }
    /// Returns the approximate number of lines that text takes on a tile.
    private static func lineCount(_ text: String) -> Int {
        var count = 0
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) { count += 1 + line.count / 30 }
        return count
    }
}
