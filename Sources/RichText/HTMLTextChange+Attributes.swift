extension HTMLTextChange {
    /// Inline CSS counts over the old attributes, wherever it stands.
    mutating func applyAttributes(_ tag: HTMLTag, in bytes: [UInt8]) {
        var attributes = HTMLAttributes(bytes, at: tag.attributes)
        var style: Range<Int>?
        while let attribute = attributes.next() {
            let value = HTMLEntities.decoded(bytes[attribute.value])
            switch attribute.name {
            case Names.style: style = attribute.value
            case Names.href where tag.name == HTMLNames.a:
                link = String(decoding: value.trimmed, as: UTF8.self)
                isUnderlined = true
            case Names.align: alignment = Self.alignment(value) ?? alignment
            case Names.color where tag.name == Names.font:
                if let color = Self.oldColor(value) { foreground = color }
            case Names.face where tag.name == Names.font: fontFamily = Self.family(value) ?? fontFamily
            case Names.size where tag.name == Names.font: fontSize = .attribute(value)
            case Names.bgcolor: background = Self.oldColor(value) ?? background
            default: break
            }
        }
        if let style { apply(style: HTMLEntities.decoded(bytes[style])) }
    }

    private mutating func apply(style: ArraySlice<UInt8>) {
        var declarations = CSSDeclarations(style)
        while let declaration = declarations.next() {
            let value = declaration.value
            switch declaration.property {
            case Names.fontWeight: isBold = Self.isBold(value.asciiLowercasedString) ?? isBold
            case Names.fontStyle:
                let text = value.asciiLowercasedString
                isItalic = text.hasPrefix("italic") || text.hasPrefix("oblique")
            case Names.textDecoration, Names.textDecorationLine:
                let words = value.asciiLowercasedString.split(separator: " ")
                isUnderlined = words.contains("underline")
                isStruckThrough = words.contains("line-through")
            case Names.color: foreground = .some(CSSColor.color(value))
            case Names.backgroundColor: background = CSSColor.color(value) ?? background
            case Names.background: background = Self.background(value) ?? background
            case Names.fontSize: fontSize = .css(value)
            case Names.fontFamily: fontFamily = Self.family(value) ?? fontFamily
            case Names.font: apply(font: value)
            case Names.textAlign: alignment = Self.alignment(value) ?? alignment
            default: break
            }
        }
    }

    /// `font: italic bold 12pt/1.5 "Times New Roman", serif`: what stands before the size, the size, the families.
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

    /// The first family of a list; `.some(nil)` for the reader's own. Nil when there is none.
    private static func family(_ value: ArraySlice<UInt8>) -> String?? {
        var name: [UInt8] = []
        let value = value.trimmed
        guard let first = value.first else { return nil }
        guard first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") else {
            let bare = value.prefix { $0 != UInt8(ascii: ",") }.trimmed
            let isOwn = ["initial", "inherit", "unset"].contains(bare.asciiLowercasedString)
            if bare.isEmpty { return nil }
            return .some(isOwn ? nil : String(decoding: bare, as: UTF8.self))
        }
        var index = value.startIndex + 1
        while index < value.endIndex, value[index] != first {
            if value[index] == UInt8(ascii: "\\"), index + 1 < value.endIndex { index += 1 }
            name.append(value[index])
            index += 1
        }
        return name.isEmpty ? nil : .some(String(decoding: name, as: UTF8.self))
    }

    /// A colour in an attribute may lack its `#`.
    private static func oldColor(_ value: ArraySlice<UInt8>) -> TextColor? {
        CSSColor.color(value) ?? CSSColor.hexadecimal(value.trimmed)
    }

    /// The colour among what `background` says.
    private static func background(_ value: ArraySlice<UInt8>) -> TextColor? {
        CSSColor.color(value) ?? value.split(separator: UInt8(ascii: " ")).lazy.compactMap(CSSColor.color).first
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
        static let textDecoration = MarkupName("text-decoration")
        static let textDecorationLine = MarkupName("text-decoration-line")
        static let background = MarkupName("background")
        static let backgroundColor = MarkupName("background-color")
    }
}
