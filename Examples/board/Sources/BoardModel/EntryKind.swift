public import Pasteboard
import UniformTypes

/// The kind of the contents of an entry of the history, for its icon, its word and the filters.
public enum EntryKind: Equatable, Sendable {
    case text
    case styledText
    case link
    case color(HexColor)
    case picture
    case files
    case sound
    case film
    /// Contents of another type, with its best-known name.
    case other(String)

    /// Determines the kind of an entry.
    public init(_ entry: PasteboardHistoryEntry) {
        self.init(types: entry.types, preview: entry.preview, isPicture: entry.pixelWidth != nil)
    }

    /// - Parameters:
    ///   - types: The identifiers of the types, richest first.
    ///   - preview: The beginning of the text, if there is any.
    ///   - isPicture: True if the contents are a picture of a known size.
    package init(types names: [String], preview: String?, isPicture: Bool) {
        let types = names.compactMap { UniformType($0) }
        func has(_ wanted: UniformType) -> Bool { types.contains { $0.conforms(to: wanted) } }
        let text = preview?.prefix(2_048).trimmed
        if has(.fileURL) {
            self = .files
        } else if isPicture || preview == nil && has(.image) {
            self = .picture
        } else if let color = text.flatMap({ HexColor(String($0)) }) {
            self = .color(color)
        } else if let text, Self.isAddress(text) {
            self = .link
        } else if has(.html) || has(.rtf) {
            self = .styledText
        } else if has(.text) {
            self = .text
        } else if has(.audio) {
            self = .sound
        } else if has(.movie) {
            self = .film
        } else {
            let known = types.first { !$0.isDynamic } ?? types.first
            self = .other(known.map { $0.preferredMIMEType ?? $0.identifier } ?? names.first ?? "")
        }
    }

    private static func isAddress(_ text: Substring) -> Bool {
        ["https://", "http://", "ftp://"].contains(where: text.hasPrefix)
            && !text.contains(where: \.isWhitespace)
    }

    /// The word for the kind.
    public var word: String {
        switch self {
        case .text: Words.text.text
        case .styledText: Words.styledText.text
        case .link: Words.link.text
        case .color: Words.color.text
        case .picture: Words.picture.text
        case .files: Words.files.text
        case .sound: Words.sound.text
        case .film: Words.film.text
        case .other(let type): type
        }
    }
}

/// A filter of the entries by kind.
public enum EntryFilter: CaseIterable, Sendable {
    case all, text, links, pictures, files, colors, pinned

    /// The word on the button of the filter.
    public var word: String {
        switch self {
        case .all: Words.all.text
        case .text: Words.text.text
        case .links: Words.links.text
        case .pictures: Words.pictures.text
        case .files: Words.files.text
        case .colors: Words.colors.text
        case .pinned: Words.pinned.text
        }
    }

    /// The words of a search that finds at least the entries of the filter; empty for all entries.
    public var query: String {
        switch self {
        case .all: ""
        case .text: "type:text"
        case .links: "\"://\""
        case .pictures: "type:image"
        case .files: "type:public.file-url"
        case .colors: "#"
        case .pinned: "pinned:"
        }
    }

    /// Returns true for the entries of the filter, among those that ``query`` finds.
    public func accepts(_ kind: EntryKind) -> Bool {
        switch (self, kind) {
        case (.all, _), (.pinned, _), (.text, .text), (.text, .styledText), (.links, .link), (.pictures, .picture),
            (.files, .files), (.colors, .color):
            true
        default: false
        }
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        let start = drop(while: \.isWhitespace)
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return start.prefix(0) }
        return start[...last]
    }
}
