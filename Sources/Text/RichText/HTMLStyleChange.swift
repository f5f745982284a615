/// The change that an element, its attributes and its inline CSS make to the style of text.
struct HTMLStyleChange: Sendable {
    var isBold: Bool?
    var isItalic: Bool?
    /// True to draw a line. False changes nothing: lines of the surrounding text are also drawn in the element.
    var isUnderlined = false
    /// True to draw a line, as for ``isUnderlined``.
    var isStruckThrough = false
    var fontSize: FontSize?
    /// `.some(nil)` leaves the choice to the reader.
    var fontFamily: String??
    /// `.some(nil)` leaves the choice to the reader.
    var foreground: TextColor??
    var background: TextColor?
    var script: TextStyle.Script?
    /// The distance above the baseline.
    var baselineOffset: CSSLength?
    var kern: CSSLength?
    var link: String?
    var alignment: TextAlignment?
    var headingLevel: Int?
    var isPreformatted = false
    var isSpaced = false
    var isList = false
    /// The change of the layout of paragraphs; nil for an element in a line, since such properties do not apply to it.
    var paragraph: HTMLParagraphChange?
    private let isInline: Bool

    enum FontSize: Sendable {
        case larger
        case smaller
        /// A value of `font-size`.
        case css(ArraySlice<UInt8>)
        /// A value of the attribute `size` of `font`.
        case attribute(ArraySlice<UInt8>)
        case points(Double)

        /// True if the size depends on that of the surrounding text.
        var isRelative: Bool {
            switch self {
            case .larger, .smaller: true
            case .css(let value):
                ["larger", "smaller"].contains(value.asciiLowercasedString)
                    || [.em, .percent].contains(CSSLength(value)?.unit)
            case .attribute, .points: false
            }
        }
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
        isInline = element == .inline || element == .formatting
        paragraph = Self.paragraphChange(of: element, tag)
        applyName(tag.name)
        if tag.mayHaveAttributes { applyAttributes(tag, in: bytes) }
    }

    /// The font sizes of headings of level 1 to 6 in browsers, in points.
    static let headingSizes = [24, 18, 14, 12, 10, 8.0]

    /// Returns a change of paragraphs that changes nothing yet; nil for an element in a line of text.
    private static func paragraphChange(of element: HTMLElement, _ tag: HTMLTag) -> HTMLParagraphChange? {
        switch element {
        case .table, .row, .cell: HTMLParagraphChange(hasMargins: false)
        default: element.isBlock ? HTMLParagraphChange(hasMargins: tag.name != HTMLNames.body) : nil
        }
    }

    // MARK: Names

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
        case .script(let script): self.script = script
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
        case script(TextStyle.Script)
    }

    private static let presets: [MarkupName: Preset] = Dictionary(groups: [
        ("b strong th", .bold), ("i em cite dfn var address", .italic), ("u ins", .underlined),
        ("s strike del", .struckThrough), ("code kbd samp tt xmp plaintext textarea", .monospaced),
        ("big", .larger), ("small", .smaller), ("mark", .marked), ("center", .centered),
        ("sup", .script(.superscript)), ("sub", .script(.subscript)),
    ])

    // MARK: Attributes

    /// Applies the attributes of a tag. Inline CSS comes last, because it overrides presentational attributes anywhere
    /// in the tag.
    private mutating func applyAttributes(_ tag: HTMLTag, in bytes: [UInt8]) {
        var attributes = HTMLAttributes(bytes, at: tag.attributes)
        var style: Range<Int>?
        while let attribute = attributes.next() {
            let value = HTMLEntities.decoded(bytes[attribute.value])
            switch attribute.name {
            // The first of repeated attributes counts.
            case Names.style: style = style ?? attribute.value
            case Names.href where tag.name == HTMLNames.a && link == nil:
                link = String(decoding: value.trimmed, as: UTF8.self)
                isUnderlined = true
            case Names.align: alignment = Self.alignment(value) ?? alignment
            case Names.color where tag.name == Names.font:
                if let color = TextColor(attribute: value) { foreground = color }
            case Names.face where tag.name == Names.font: fontFamily = Self.family(value) ?? fontFamily
            case Names.size where tag.name == Names.font: fontSize = .attribute(value)
            case Names.bgcolor: background = TextColor(attribute: value) ?? background
            default: break
            }
        }
        if let style { apply(style: HTMLEntities.decoded(bytes[style])) }
    }

    private mutating func apply(style: ArraySlice<UInt8>) {
        var declarations = CSSDeclarations(style)
        while let declaration = declarations.next() {
            let value = declaration.value
            if Self.isOfParent(value), inherit(declaration.property) { continue }
            switch declaration.property {
            case Names.fontWeight: isBold = Self.isBold(value.asciiLowercasedString) ?? isBold
            case Names.fontStyle:
                let text = value.asciiLowercasedString
                isItalic = text.hasPrefix("italic") || text.hasPrefix("oblique")
            case Names.textDecoration, Names.textDecorationLine:
                let words = value.asciiLowercasedString.split(separator: " ")
                isUnderlined = words.contains("underline")
                isStruckThrough = words.contains("line-through")
            case Names.color: foreground = .some(TextColor(css: value))
            case Names.backgroundColor: background = TextColor(css: value) ?? background
            case Names.background: background = Self.background(value) ?? background
            case Names.fontSize: fontSize = .css(value)
            case Names.fontFamily: fontFamily = Self.family(value) ?? fontFamily
            case Names.font: apply(font: value)
            case Names.textAlign: alignment = Self.alignment(value) ?? alignment
            case Names.letterSpacing:
                kern = value.asciiLowercasedString == "normal" ? CSSLength(0, .points) : CSSLength(value) ?? kern
            case Names.verticalAlign where isInline: apply(verticalAlign: value)
            default: paragraph?.read(declaration.property, value)
            }
        }
        // Readers choose their own smaller size for superscripts and subscripts.
        if script != nil, fontSize?.isRelative == true { fontSize = nil }
    }

    /// Returns true for keywords that stand for the parent's value. For the color of text, `currentcolor` is such a
    /// keyword.
    private static func isOfParent(_ value: ArraySlice<UInt8>) -> Bool {
        value.count <= 12 && ["inherit", "unset", "currentcolor"].contains(value.asciiLowercasedString)
    }

    /// Keeps the parent's value of a property. Returns false for a property that is not handled here.
    private mutating func inherit(_ property: MarkupName) -> Bool {
        switch property {
        case Names.color: foreground = nil
        case Names.fontFamily: fontFamily = nil
        case Names.fontStyle: isItalic = nil
        case Names.fontWeight: isBold = nil
        case Names.fontSize: fontSize = nil
        case Names.textAlign: alignment = nil
        case Names.letterSpacing: kern = nil
        default: return false
        }
        return true
    }

    private mutating func apply(verticalAlign value: ArraySlice<UInt8>) {
        switch value.asciiLowercasedString {
        case "super": script = .superscript
        case "sub": script = .subscript
        case "baseline": script = nil
        default: baselineOffset = CSSLength(value) ?? baselineOffset
        }
    }

    /// Applies the shorthand `font: italic bold 12pt/1.5 "Times New Roman", serif`: keywords, the size, the families.
    private mutating func apply(font value: ArraySlice<UInt8>) {
        var rest = value
        while let end = rest.firstIndex(where: \.isHTMLSpace) {
            let word = rest[..<end]
            let size = word.prefix { $0 != UInt8(ascii: "/") }
            rest = rest[end...].trimmed
            if CSSFontSize.size(size, outer: nil) != nil {
                fontSize = .css(size)
                fontFamily = Self.family(rest) ?? fontFamily
                return
            }
            let text = word.asciiLowercasedString
            if text == "italic" || text == "oblique" { isItalic = true }
            isBold = Self.isBold(text) ?? isBold
        }
    }

    // MARK: Values

    private static func isBold(_ value: String) -> Bool? {
        switch value {
        case "bold", "bolder": true
        case "normal", "lighter": false
        default: Int16(value).map { $0 >= 600 }
        }
    }

    private static func alignment(_ value: ArraySlice<UInt8>) -> TextAlignment? {
        switch value.asciiLowercasedString {
        case "start", "initial": .natural
        case "left", "-webkit-left": .left
        case "right", "end", "-webkit-right": .right
        case "center", "middle", "-webkit-center": .center
        case "justify": .justified
        default: nil
        }
    }

    /// Returns the first family of a list; `.some(nil)` for a keyword that leaves the choice to the reader. Nil if
    /// there is no family.
    private static func family(_ value: ArraySlice<UInt8>) -> String?? {
        var name: [UInt8] = []
        let value = value.trimmed
        guard let first = value.first else { return nil }
        guard first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") else {
            let bare = value.prefix { $0 != UInt8(ascii: ",") }.trimmed
            if bare.isEmpty { return nil }
            return .some(bare.asciiLowercasedString == "initial" ? nil : String(decoding: bare, as: UTF8.self))
        }
        var index = value.startIndex + 1
        while index < value.endIndex, value[index] != first {
            if value[index] == UInt8(ascii: "\\"), index + 1 < value.endIndex { index += 1 }
            name.append(value[index])
            index += 1
        }
        return name.isEmpty ? nil : .some(String(decoding: name, as: UTF8.self))
    }

    /// Returns the color among the words of the property `background`.
    private static func background(_ value: ArraySlice<UInt8>) -> TextColor? {
        TextColor(css: value)
            ?? value.split(separator: UInt8(ascii: " ")).lazy.compactMap { TextColor(css: $0) }.first
    }

    private enum Names {
        static let style = MarkupName("style")
        static let href = MarkupName("href")
        static let align = MarkupName("align")
        static let color = MarkupName("color")
        static let face = MarkupName("face")
        static let size = MarkupName("size")
        static let bgcolor = MarkupName("bgcolor")
        static let font = MarkupName("font")
        static let fontWeight = MarkupName("font-weight")
        static let fontStyle = MarkupName("font-style")
        static let fontSize = MarkupName("font-size")
        static let fontFamily = MarkupName("font-family")
        static let textAlign = MarkupName("text-align")
        static let verticalAlign = MarkupName("vertical-align")
        static let letterSpacing = MarkupName("letter-spacing")
        static let textDecoration = MarkupName("text-decoration")
        static let textDecorationLine = MarkupName("text-decoration-line")
        static let background = MarkupName("background")
        static let backgroundColor = MarkupName("background-color")
    }
}
