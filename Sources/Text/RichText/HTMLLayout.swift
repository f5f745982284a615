/// The treatment of white space in the source (CSS Text, `white-space-collapse`).
enum HTMLWhiteSpace: Equatable, Sendable {
    case collapse
    /// Spaces and tabs collapse; line ends are kept. The value `pre-line`.
    case preserveBreaks
    case preserve
    /// The white space, and the leader if there is one, only stand for a tab. Word writes them for readers that do not
    /// know `mso-tab-count`.
    case tab(hasLeader: Bool)
}

extension HTMLWhiteSpace {
    /// Returns the visible text of an element for a tab: all but white space and the leader.
    @inline(never) static func text(ofTab bytes: ArraySlice<UInt8>, hasLeader: Bool) -> [UInt8] {
        let text = HTMLEntities.decoded(bytes)
        var visible: [UInt8] = []
        var index = text.startIndex
        while index < text.endIndex {
            let byte = text[index]
            let next = index + 1 < text.endIndex ? text[index + 1] : 0
            index += 1
            switch byte {
            case _ where byte == 0 || byte.isHTMLSpace: break
            case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                if !hasLeader { visible.append(byte) }
            // U+00A0, and the leader U+00B7.
            case 0xC2 where next == 0xA0 || (hasLeader && next == 0xB7): index += 1
            default: visible.append(byte)
            }
        }
        return visible
    }
}

/// The attributes and inline CSS of an element that determine which text is visible, and where lines begin.
struct HTMLLayout: Sendable {
    enum Display: Sendable {
        /// `display: none`, or the attribute `hidden`.
        case removed
        case inline
        case block
    }

    var display: Display?
    var isVisible: Bool?
    var whiteSpace: HTMLWhiteSpace?
    /// The value of `list-style-type`, or of the attribute `type`.
    var marker: ListMarkerStyle?
    /// The first number of a list (`start`), or the number of an item (`value`).
    var number: Int?
    /// Word's `mso-tab-count`: the number of tabs that the element stands for.
    var tabCount = 0
    /// True for the `br` with which WebKit and Blink indicate that the copied text ends with a newline.
    var isInterchangeNewline = false

    init() {}

    init(of tag: HTMLTag, in bytes: [UInt8]) {
        var attributes = HTMLAttributes(bytes, at: tag.attributes)
        // The first of repeated attributes counts.
        var hasStyle = false
        while let attribute = attributes.next() {
            let value = bytes[attribute.value]
            switch attribute.name {
            case Names.style where !hasStyle:
                hasStyle = true
                read(style: HTMLEntities.decoded(value))
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
            case Names.visibility: readVisibility(declaration.value.asciiLowercasedString)
            case Names.whiteSpace, Names.whiteSpaceCollapse:
                whiteSpace = Self.whiteSpace(declaration.value.asciiLowercasedString) ?? whiteSpace
            case Names.tabCount: readTabCount(declaration.value)
            case Names.listStyle, Names.listStyleType: marker = ListMarkerStyle(css: declaration.value) ?? marker
            default: break
            }
        }
    }

    private mutating func readVisibility(_ value: String) {
        switch value {
        case "visible", "initial": isVisible = true
        case "hidden", "collapse": isVisible = false
        case "inherit", "unset", "revert": isVisible = nil
        default: break
        }
    }

    /// Reads `mso-tab-count: 1 dotted`: a number, and the leader of the tab stop.
    private mutating func readTabCount(_ value: ArraySlice<UInt8>) {
        let words = value.words(upTo: 2)
        guard let count = words.first.flatMap({ Self.number($0) }), count > 0 else { return }
        tabCount = min(count, TabStop.maxCount)
        whiteSpace = .tab(hasLeader: words.count > 1)
    }

    private static func display(_ value: String) -> Display? {
        switch value {
        case "none": .removed
        case "block", "flex", "grid", "flow-root", "list-item", "table", "-webkit-box": .block
        case _ where value.hasPrefix("inline"): .inline
        // Values for the parts of tables have no effect: those elements are recognized by name.
        default: nil
        }
    }

    /// Reads the values of `white-space`, a shorthand, and of `white-space-collapse`. Only the first word counts.
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
        static let tabCount = MarkupName("mso-tab-count")
        static let listStyle = MarkupName("list-style")
        static let listStyleType = MarkupName("list-style-type")
    }
}
