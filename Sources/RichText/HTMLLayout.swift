/// How blanks and line ends of the source are taken (CSS Text, `white-space-collapse`).
enum HTMLWhiteSpace: Sendable {
    case collapse
    /// Blanks collapse, line ends are kept: `pre-line`.
    case preserveBreaks
    case preserve
}

/// What of an element's attributes and inline CSS bears on which text is shown, and where lines begin.
struct HTMLLayout: Sendable {
    enum Display: Sendable {
        case removed
        case inline
        case block
    }

    var display: Display?
    var isVisible: Bool?
    var whiteSpace: HTMLWhiteSpace?
    /// `list-style-type`, or the attribute `type`; nil where neither stands.
    var marker: ListMarkerStyle?
    /// The number that a list begins with (`start`), or an item has (`value`).
    var number: Int?
    /// The `br` with which WebKit and Blink say that the copied text ends with a newline.
    var isInterchangeNewline = false

    init() {}

    init(of tag: HTMLTag, in bytes: [UInt8]) {
        var attributes = HTMLAttributes(bytes, at: tag.attributes)
        while let attribute = attributes.next() {
            let value = bytes[attribute.value]
            switch attribute.name {
            case Names.style: read(style: HTMLEntities.decoded(value))
            case Names.hidden: display = display ?? .removed
            case Names.start, Names.value: number = Self.number(value)
            case Names.type: marker = marker ?? ListMarkerStyle(attribute: value)
            case Names.class: isInterchangeNewline = value.elementsEqual(Array("Apple-interchange-newline".utf8))
            default: break
            }
        }
    }

    private mutating func read(style: ArraySlice<UInt8>) {
        var declarations = CSSDeclarations(style)
        while let declaration = declarations.next() {
            switch declaration.property {
            case Names.display: display = Self.display(declaration.value.asciiLowercasedString)
            case Names.visibility: isVisible = declaration.value.asciiLowercasedString == "visible"
            case Names.whiteSpace, Names.whiteSpaceCollapse:
                whiteSpace = Self.whiteSpace(declaration.value.asciiLowercasedString) ?? whiteSpace
            case Names.listStyle, Names.listStyleType: marker = ListMarkerStyle(css: declaration.value) ?? marker
            default: break
            }
        }
    }

    private static func display(_ value: String) -> Display? {
        switch value {
        case "none": .removed
        case "block", "flex", "grid", "flow-root", "list-item", "table", "-webkit-box": .block
        case _ where value.hasPrefix("inline"): .inline
        // The elements of tables lay themselves out by their names.
        default: nil
        }
    }

    /// Both the old property and the new one it is short for; only the first word of several counts.
    private static func whiteSpace(_ value: String) -> HTMLWhiteSpace? {
        switch value.split(separator: " ").first {
        case "normal", "nowrap", "collapse", "initial": .collapse
        case "pre-line", "preserve-breaks": .preserveBreaks
        case "pre", "pre-wrap", "break-spaces", "preserve", "-moz-pre-wrap": .preserve
        default: nil
        }
    }

    private static func number(_ value: ArraySlice<UInt8>) -> Int? {
        Int32(String(decoding: value.trimmed, as: UTF8.self)).map(Int.init)
    }

    private enum Names {
        static let style = MarkupName("style")
        static let hidden = MarkupName("hidden")
        static let start = MarkupName("start")
        static let value = MarkupName("value")
        static let type = MarkupName("type")
        static let `class` = MarkupName("class")
        static let display = MarkupName("display")
        static let visibility = MarkupName("visibility")
        static let whiteSpace = MarkupName("white-space")
        static let whiteSpaceCollapse = MarkupName("white-space-collapse")
        static let listStyle = MarkupName("list-style")
        static let listStyleType = MarkupName("list-style-type")
    }
}
