/// The change that the inline CSS of an element makes to the layout of paragraphs. Word's properties are those of the
/// Microsoft Office HTML and XML Reference.
struct HTMLParagraphChange: Sendable {
    private enum Declaration: Sendable {
        /// A margin; nil for a margin that depends on the layout of the page.
        case margin(Edge, CSSLength?)
        case textIndent(CSSLength)
        /// A multiple is a length in em; nil for the reader's choice.
        case lineHeight(CSSLength?)
        /// Word's `mso-line-height-rule`. Without it, a height is a minimum, so that readers cut nothing off.
        case exactLineHeight(Bool)
        case tabStops([TabStop])
    }

    private enum Edge: Sendable {
        case top
        case right
        case bottom
        case left
    }

    private var declarations: [Declaration] = []
    private let hasMargins: Bool

    /// - Parameter hasMargins: True if the margins of the element indent its text, unlike those of a page or a table.
    init(hasMargins: Bool) { self.hasMargins = hasMargins }

    /// Reads a declaration. Properties that do not concern the layout of paragraphs have no effect.
    mutating func read(_ property: MarkupName, _ value: ArraySlice<UInt8>) {
        switch property {
        case Names.margin: readMargins(value)
        case Names.marginTop: declarations.append(.margin(.top, CSSLength(value)))
        case Names.marginRight: declarations.append(.margin(.right, CSSLength(value)))
        case Names.marginBottom: declarations.append(.margin(.bottom, CSSLength(value)))
        case Names.marginLeft: declarations.append(.margin(.left, CSSLength(value)))
        case Names.textIndent:
            if let length = CSSLength(value) { declarations.append(.textIndent(length)) }
        case Names.lineHeight: readLineHeight(value)
        case Names.lineHeightRule:
            declarations.append(.exactLineHeight(value.asciiLowercasedString == "exactly"))
        case Names.tabStops: declarations.append(.tabStops(TabStop.stops(css: value)))
        default: break
        }
    }

    /// Reads `margin`: one to four lengths, clockwise from the top.
    private mutating func readMargins(_ value: ArraySlice<UInt8>) {
        let parts = value.words(upTo: 5)
        guard (1...4).contains(parts.count) else { return }
        let right = min(1, parts.count - 1)
        declarations.append(.margin(.top, CSSLength(parts[0])))
        declarations.append(.margin(.right, CSSLength(parts[right])))
        declarations.append(.margin(.bottom, CSSLength(parts[parts.count > 2 ? 2 : 0])))
        declarations.append(.margin(.left, CSSLength(parts[parts.count > 3 ? 3 : right])))
    }

    private mutating func readLineHeight(_ value: ArraySlice<UInt8>) {
        guard let length = CSSLength(value) else {
            if ["normal", "initial"].contains(value.asciiLowercasedString) { declarations.append(.lineHeight(nil)) }
            return
        }
        guard length.amount > 0 else { return }
        switch length.unit {
        case .points: declarations.append(.lineHeight(length))
        case .none, .em: declarations.append(.lineHeight(CSSLength(length.amount, .em)))
        case .percent: declarations.append(.lineHeight(CSSLength(length.amount / 100, .em)))
        }
    }

    /// Applies the change to the layout that a block inherits. The indents of nested blocks add up; the space around a
    /// block is its own.
    ///
    /// - Parameter fontSize: The size of the text of the block; nil for the reader's size.
    @inline(never) func apply(to block: inout HTMLBlockLayout, fontSize: Double?) {
        block.layout.paragraphSpacingBefore = nil
        block.layout.paragraphSpacing = nil
        guard !declarations.isEmpty else { return }
        var left = 0.0
        var right = 0.0
        var isExact = false
        for declaration in declarations {
            switch declaration {
            case .margin(let edge, let length) where hasMargins:
                let points = length?.points(fontSize: fontSize)
                switch edge {
                case .top: block.layout.paragraphSpacingBefore = points
                case .right: right = points ?? 0
                case .bottom: block.layout.paragraphSpacing = points
                case .left: left = points ?? 0
                }
            case .margin: break
            case .textIndent(let length): block.textIndent = length.points(fontSize: fontSize) ?? block.textIndent
            case .lineHeight(let height): block.set(lineHeight: height)
            case .exactLineHeight(let rule): isExact = rule
            case .tabStops(let stops): block.layout.tabStops = stops
            }
        }
        block.add(left: left, right: right)
        if isExact { block.layout.maximumLineHeight = block.layout.minimumLineHeight }
    }

    private enum Names {
        static let margin = MarkupName("margin")
        static let marginTop = MarkupName("margin-top")
        static let marginRight = MarkupName("margin-right")
        static let marginBottom = MarkupName("margin-bottom")
        static let marginLeft = MarkupName("margin-left")
        static let textIndent = MarkupName("text-indent")
        static let lineHeight = MarkupName("line-height")
        static let lineHeightRule = MarkupName("mso-line-height-rule")
        static let tabStops = MarkupName("tab-stops")
    }
}

/// The layout of the paragraphs in a block, including inherited properties.
struct HTMLBlockLayout: Sendable {
    /// The layout without the indent of the first line.
    fileprivate(set) var layout = ParagraphLayout()
    /// The indent of the first line, in addition to the indent of the other lines.
    fileprivate var textIndent = 0.0

    /// - Parameter height: A multiple in em, or a minimum in points; nil for the reader's choice.
    fileprivate mutating func set(lineHeight height: CSSLength?) {
        let isMultiple = height?.unit == .em
        layout.lineHeightMultiple = isMultiple ? (height?.amount ?? 0).rounded(toPlaces: 3) : 0
        layout.minimumLineHeight = isMultiple ? 0 : height?.points(fontSize: nil) ?? 0
        layout.maximumLineHeight = 0
    }

    fileprivate mutating func add(left: Double, right: Double) {
        layout.headIndent = ParagraphLayout.offset(layout.headIndent + left).rounded(toPlaces: 2)
        layout.tailIndent = ParagraphLayout.offset(layout.tailIndent - right).rounded(toPlaces: 2)
    }

    /// The layout of a paragraph in the block, not yet normalized.
    var paragraph: ParagraphLayout {
        var result = layout
        result.firstLineHeadIndent = (layout.headIndent + textIndent).rounded(toPlaces: 2)
        return result
    }
}

extension TabStop {
    /// Reads Word's `tab-stops`, where the kind of a stop precedes its location: `36.0pt right dotted 5.0in`.
    @inline(never) static func stops(css value: ArraySlice<UInt8>) -> [TabStop] {
        var stops: [TabStop] = []
        var stop = TabStop(location: 0)
        // A `bar` is only a line that is drawn; tabs do not stop there.
        var isBar = false
        for word in value.words(upTo: value.count) {
            if let location = CSSLength(word)?.points(fontSize: nil) {
                stop.location = location
                if !isBar { stops.place(stop) }
                stop = TabStop(location: 0)
                isBar = false
                continue
            }
            switch word.prefix(8).asciiLowercasedString {
            case "center": stop.alignment = .center
            case "right": stop.alignment = .right
            case "decimal": stop.alignment = .decimal
            case "dotted": stop.leader = .dots
            case "dashed": stop.leader = .dashes
            case "lined": stop.leader = .line
            case "bar": isBar = true
            default: break
            }
        }
        return stops
    }

    /// The tab stop as Word writes it.
    var css: String {
        var text =
            switch alignment {
            case .left: ""
            case .center: "center "
            case .right: "right "
            case .decimal: "decimal "
            }
        switch leader {
        case .dots: text += "dotted "
        case .dashes: text += "dashed "
        case .line: text += "lined "
        case nil: break
        }
        return text + location.css() + "pt"
    }
}
