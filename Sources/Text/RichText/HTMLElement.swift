/// The effect of an element on the flow of text, as determined by its name.
enum HTMLElement: Equatable, Sendable {
    /// No effect. Unknown elements are inline too.
    case inline
    /// No effect, but the element continues after its parent if it was not closed, as `<b>` does.
    case formatting
    case block
    case paragraph
    case heading(Int)
    case list(HTMLListKind)
    case item
    /// `dt` and `dd`.
    case definition
    case table
    case rowGroup
    case row
    case cell
    case preformatted
    case textArea
    case option
    /// The contents are text without markup, and invisible.
    case unparsed
    /// The contents are text without markup, and visible: `xmp`, and `plaintext`, which no tag ends.
    case verbatim
    /// The contents are markup, and invisible.
    case hidden
    case lineBreak
    case rule
    case image
    /// The element has no contents and displays no text.
    case void

    static func named(_ name: MarkupName) -> Self { byName[name] ?? .inline }

    /// True if a line begins before and after the element.
    var isBlock: Bool {
        switch self {
        case .block, .paragraph, .heading, .list, .item, .definition, .table, .row, .preformatted, .option, .rule,
            .verbatim:
            true
        default: false
        }
    }

    /// True if copied text has an empty line before and after the element.
    var isSpaced: Bool {
        switch self {
        case .paragraph, .heading: true
        default: false
        }
    }

    private static let byName: [MarkupName: Self] = Dictionary(groups: groups)

    private static let groups: [(String, Self)] = [
        ("a b big code em font i nobr s small strike strong tt u", .formatting),
        (
            """
            address article aside blockquote body caption center details dialog div fieldset figcaption figure footer \
            form header hgroup html legend main nav optgroup search section select summary
            """, .block
        ),
        ("p", .paragraph),
        ("h1", .heading(1)), ("h2", .heading(2)), ("h3", .heading(3)),
        ("h4", .heading(4)), ("h5", .heading(5)), ("h6", .heading(6)),
        ("ul menu dir", .list(.bulleted)), ("ol", .list(.numbered)), ("dl", .list(.plain)),
        ("li", .item), ("dt dd", .definition),
        ("table", .table), ("thead tbody tfoot", .rowGroup), ("tr", .row), ("td th", .cell),
        ("pre listing", .preformatted), ("textarea", .textArea), ("option", .option),
        ("script style title iframe noembed noframes noscript", .unparsed),
        ("xmp plaintext", .verbatim),
        ("template datalist audio video canvas rp", .hidden),
        ("img", .image), ("br", .lineBreak), ("hr", .rule),
        ("area base basefont bgsound col embed frame input link meta param source track wbr", .void),
    ]
}

/// The kind of a list, which determines the default markers of its items.
enum HTMLListKind: Equatable, Sendable {
    case bulleted
    case numbered
    case plain
}

/// The elements that are handled by name.
enum HTMLNames {
    static let a = MarkupName("a")
    static let body = MarkupName("body")
    static let br = MarkupName("br")
    static let meta = MarkupName("meta")
    static let p = MarkupName("p")
    static let plaintext = MarkupName("plaintext")
    static let tr = MarkupName("tr")
}
