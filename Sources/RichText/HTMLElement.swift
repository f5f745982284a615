/// What an element does to the flow of text, by its name alone.
enum HTMLElement: Equatable, Sendable {
    /// Nothing; also every element that HTML does not know.
    case inline
    /// Nothing either, but it outlives its parent when the author forgot to close it, as `<b>` does.
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
    /// Its text is no markup and is not shown.
    case unparsed
    /// The same, but shown: `xmp`, and `plaintext`, which nothing ends.
    case verbatim
    /// Its contents are not shown, though they are markup.
    case hidden
    case lineBreak
    case rule
    /// Never has contents, and shows no text.
    case void

    static func named(_ name: MarkupName) -> Self { byName[name] ?? .inline }

    /// Whether lines begin and end with it.
    var isBlock: Bool {
        switch self {
        case .block, .paragraph, .heading, .list, .item, .definition, .table, .row, .preformatted, .option, .rule,
            .verbatim:
            true
        default: false
        }
    }

    /// Elements around which a copied text has an empty line.
    var isSpaced: Bool {
        switch self {
        case .paragraph, .heading: true
        default: false
        }
    }

    private static let byName: [MarkupName: Self] = {
        var table: [MarkupName: Self] = [:]
        for (names, element) in groups {
            for name in names.split(separator: " ") { table[MarkupName(String(name))] = element }
        }
        return table
    }()

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
        ("br", .lineBreak), ("hr", .rule),
        ("area base basefont bgsound col embed frame img input link meta param source track wbr", .void),
    ]
}

/// What stands before the items of a list.
enum HTMLListKind: Equatable, Sendable {
    case bulleted
    case numbered
    case plain
}
