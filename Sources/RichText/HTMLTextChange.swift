/// What an element, its attributes and its inline CSS change of how text looks.
struct HTMLTextChange: Sendable {
    var isBold: Bool?
    var isItalic: Bool?
    /// Lines drawn around it are drawn here too, whatever this says.
    var isUnderlined = false
    var isStruckThrough = false
    var fontSize: FontSize?
    /// `.some(nil)` is the reader's own.
    var fontFamily: String??
    var foreground: TextColor??
    var background: TextColor?
    var link: String?
    var alignment: TextAlignment?
    var headingLevel: Int?
    var isPreformatted = false
    var isSpaced = false
    var isList = false

    enum FontSize: Sendable {
        case larger
        case smaller
        /// As CSS writes it, or `font`'s attribute.
        case css(ArraySlice<UInt8>)
        case attribute(ArraySlice<UInt8>)
        case points(Double)
    }

    init(of element: HTMLElement, _ tag: HTMLTag, in bytes: [UInt8]) {
        isSpaced = element.isSpaced
        isPreformatted = element == .preformatted
        if isPreformatted { fontFamily = "monospace" }
        if case .heading(let level) = element {
            headingLevel = level
            isBold = true
            fontSize = .points(Self.headingSizes[level - 1])
        }
        if case .list(let kind) = element { isList = kind != .plain }
        applyName(tag.name)
        if tag.hasAttributes { applyAttributes(tag, in: bytes) }
    }

    /// In points, of the levels 1 to 6: what browsers show.
    static let headingSizes = [24, 18, 14, 12, 10, 8.0]

    private mutating func applyName(_ name: MarkupName) {
        switch Self.presets[name] {
        case .bold: isBold = true
        case .italic: isItalic = true
        case .underlined: isUnderlined = true
        case .struckThrough: isStruckThrough = true
        case .monospaced: fontFamily = "monospace"
        case .larger: fontSize = .larger
        case .smaller: fontSize = .smaller
        case .marked: background = TextColor(red: 255, green: 255, blue: 0)
        case .centered: alignment = .center
        case nil: break
        }
    }

    private enum Preset {
        case bold
        case italic
        case underlined
        case struckThrough
        case monospaced
        case larger
        case smaller
        case marked
        case centered
    }

    private static let presets: [MarkupName: Preset] = {
        let names: [(String, Preset)] = [
            ("b strong th", .bold), ("i em cite dfn var address", .italic), ("u ins", .underlined),
            ("s strike del", .struckThrough), ("code kbd samp tt xmp plaintext textarea", .monospaced),
            ("big", .larger), ("small", .smaller), ("mark", .marked), ("center", .centered),
        ]
        var table: [MarkupName: Preset] = [:]
        for (list, preset) in names {
            for name in list.split(separator: " ") { table[MarkupName(String(name))] = preset }
        }
        return table
    }()
}
