package import UniformTypes

/// The formats in which contents are available: their own representations, and formats that can be derived.
///
/// The catalog does not read bytes. A format that turns out to be impossible, such as Latin-1 for text with other
/// characters, is refused on request. The same rules apply to X11 peers, to readers of the bridge, and to the contents
/// of foreign owners.
package struct FormatCatalog: Sendable {
    /// One representation without its bytes.
    package struct Source: Sendable {
        package let item: Int
        package let type: UniformType
        package let target: String?
        /// True if nothing may be derived from the representation.
        package let isExact: Bool

        package init(item: Int, type: UniformType, target: String?, isExact: Bool = false) {
            self.item = item
            self.type = type
            self.target = target
            self.isExact = isExact
        }
    }

    /// One type in which an item is available.
    package struct Format: Sendable {
        package let item: Int
        package let type: UniformType
        package let target: String?
        package let derivation: Derivation
        let isDerived: Bool
    }

    /// The conversions that the settings allow.
    package struct Rules: Equatable, Sendable {
        /// True if types are derived at all.
        package var derives = true
        var filters: [Filter] = []
        /// True if a portal can give sandboxed programs access to files.
        package var transfersFiles = false

        /// The targets whose bytes are a key of the portal. The first is the one of the portal's documentation.
        static let transferTargets = ["application/vnd.portal.filetransfer", "application/vnd.portal.files"]

        package init(derives: Bool = true, filters: [Filter] = []) {
            self.derives = derives
            self.filters = filters
        }
    }

    package let sources: [Source]
    private(set) var rules: Rules
    /// True if another program owns the contents, and may send anything under a name.
    package let isForeign: Bool
    /// True if nothing may be derived from the contents.
    let isSecret: Bool
    /// Sources that turned out to be missing.
    package private(set) var absent: Set<Int> = []
    /// Sources of markup that are known to have no text, such as a browser's image.
    private(set) var textless: Set<Int> = []
    /// Sources that are known to be no pictures, whatever their types say.
    private var falsePictures: Set<Int> = []
    /// The sources of each item.
    private let ranges: [Range<Int>]
    private let kinds: [FormatKind]

    /// - Parameter sources: The sources in the order of their items. Each item has at least one source.
    package init(_ sources: [Source], rules: Rules, isForeign: Bool = false, isSecret: Bool = false) {
        self.sources = sources
        self.rules = rules
        self.isSecret = isSecret
        self.isForeign = isForeign
        kinds = FormatKind.of(sources.lazy.map(\.type))
        var ranges: [Range<Int>] = []
        for (index, source) in sources.enumerated() {
            if source.item < ranges.count {
                ranges[source.item] = ranges[source.item].lowerBound..<index + 1
            } else {
                ranges.append(index..<index + 1)
            }
        }
        self.ranges = ranges
    }

    /// Returns the catalog without some of its sources, for an owner that refuses targets that it listed.
    package func without(_ absent: Set<Int>) -> FormatCatalog {
        var rest = self
        rest.absent = absent
        return rest
    }

    /// The catalog without the formats that filters make.
    package var withoutFilters: FormatCatalog {
        var rest = self
        rest.rules.filters = []
        return rest
    }

    /// The maximum length of markup that ``withoutEmptyTexts(_:)`` reads, in bytes.
    private static let maxMarkup = 16_384
    /// The maximum total length of the markup that is read for one catalog, in bytes.
    private static let maxMarkupInAll = 1 << 20

    /// Returns the catalog without derived text for short markup that has no text.
    ///
    /// - Parameter bytes: Returns the bytes of a source, if they are available.
    package func withoutEmptyTexts(_ bytes: (Int) -> EncodedBytes?) -> FormatCatalog {
        var rest = self
        var limit = Self.maxMarkupInAll
        for item in 0..<itemCount where plainText(of: item) == nil {
            guard case .made(let step, let parts) = derivedText(of: item), case .source(let index)? = parts.first,
                step == .plainTextFromHTML || step == .plainTextFromRTF, let markup = bytes(index),
                markup.range.count <= min(Self.maxMarkup, limit)
            else { continue }
            limit -= markup.range.count
            if (try? step.carryOut(on: [markup])) == nil { rest.textless.insert(index) }
        }
        return rest
    }

    /// Returns the catalog without conversions of pictures from some sources.
    ///
    /// - Parameter isFalse: Returns true for a source that is known to be no picture.
    package func withoutFalsePictures(_ isFalse: (Int) -> Bool) -> FormatCatalog {
        guard rules.filters.contains(where: \.isOfPictures) else { return self }
        var rest = self
        rest.falsePictures = Set(sources.indices.filter { kinds[$0].contains(.image) && isFalse($0) })
        return rest
    }

    package var itemCount: Int { ranges.count }

    /// Returns the numbers of an item's sources.
    package func range(of item: Int) -> [Int] { indices(of: item..<item + 1) }

    /// Returns the representations, in the writer's order.
    package func real(items: Range<Int>) -> [Format] {
        indices(of: items).map { index in
            let source = sources[index]
            return Format(
                item: source.item, type: source.type, target: source.target, derivation: .source(index),
                isDerived: false)
        }
    }

    /// Returns the additional formats that can be derived: for each item, plain text first.
    package func derived(items: Range<Int>) -> [Format] {
        guard rules.derives, !isSecret else { return [] }
        return items.flatMap { item -> [Format] in
            var formats: [Format] = []
            if plainText(of: item) == nil, let text = derivedText(of: item) {
                formats.append(format(.utf8PlainText, text, of: item))
            }
            return formats + filtered(item, besides: formats.map(\.type))
        }
    }

    /// Returns the numbers of the sources of a range of items, without the missing sources.
    package func indices(of items: Range<Int>) -> [Int] {
        guard !items.isEmpty else { return [] }
        let all = ranges[items.lowerBound].lowerBound..<ranges[items.upperBound - 1].upperBound
        return absent.isEmpty ? Array(all) : all.filter { !absent.contains($0) }
    }

    /// Returns true if the type of the source at `index` conforms to the type of `kind`.
    func isSource(_ index: Int, _ kind: FormatKind) -> Bool { kinds[index].contains(kind) }

    /// Returns the numbers of an item's sources from which formats may be derived.
    func derivableSources(of item: Int) -> [Int] {
        range(of: item).filter { !sources[$0].isExact }
    }

    private func format(_ type: UniformType, _ derivation: Derivation, of item: Int) -> Format {
        Format(item: item, type: type, target: nil, derivation: derivation, isDerived: true)
    }

    // MARK: Text

    /// Returns the plain text of an item, in UTF-8; of several representations, the one whose encoding is declared
    /// best.
    package func plainText(of item: Int) -> Derivation? {
        let texts = indices(of: item..<item + 1).filter { isSource($0, .plainText) }
        if texts.isEmpty { return nil }
        // The common case is not ranked: there may be ten thousand items.
        if texts.count == 1, sources[texts[0]].type == .utf8PlainText { return utf8(texts[0]) }
        let offers = texts.map { (type: sources[$0].type, target: sources[$0].target) }
        return TypeQuery.best(of: offers, for: [.identifier(.utf8PlainText)]).map { utf8(texts[$0]) }
    }

    /// Derives plain text from the first source of an item that allows it.
    package func derivedText(of item: Int) -> Derivation? {
        let sources = derivableSources(of: item)
        func first(_ kind: FormatKind) -> Int? { sources.first { isSource($0, kind) } }
        if first(.fileURL) != nil { return fileList(item..<item + 1).map { $0.then(.pathLines) } }
        if let link = first(.url) {
            let isList = self.sources[link].target == "text/uri-list"
            return Derivation.source(link).then(isList ? .urlLines : .linkAddress)
        }
        for index in sources {
            let kind = kinds[index]
            let source = Derivation.source(index)
            if textless.contains(index) { continue }
            if kind.contains(.html) { return source.then(.plainTextFromHTML) }
            if kind.contains(.rtf) { return source.then(.plainTextFromRTF) }
            if kind.contains(.color) { return source.then(.colorText) }
            // XML, JSON and the like are readable as they are; a drawing (SVG) counts as a picture.
            if kind.contains(.text), !kind.contains(.image) { return source.then(.utf8Text) }
        }
        return nil
    }

    /// Returns a text source in UTF-8. A client's declaration is trusted, and a secret is not decoded.
    package func utf8(_ index: Int) -> Derivation {
        let isTrusted = !isForeign && (sources[index].type == .utf8PlainText || isSecret && isOfUnknownEncoding(index))
        return isTrusted ? .source(index) : Derivation.source(index).then(.utf8Text)
    }

    private func isOfUnknownEncoding(_ index: Int) -> Bool {
        sources[index].type == .plainText && sources[index].target == nil
    }

    /// Returns the choice for a reader that names no type. Text of unknown encoding that a client wrote is passed on as
    /// it was written.
    package func asWritten(_ choice: FormatChoice) -> FormatChoice {
        guard !isForeign, case .made(.utf8Text, let parts) = choice.derivation, parts.count == 1,
            case .source(let index) = parts[0], isOfUnknownEncoding(index)
        else { return choice }
        return FormatChoice(item: choice.item, type: choice.type, target: choice.target, derivation: parts[0])
    }

    // MARK: Files

    /// Returns the files of these items as one list; nil if there are no files.
    func fileList(_ items: Range<Int>) -> Derivation? {
        let found = items.compactMap { item in
            let lists = range(of: item).filter { isSource($0, .fileURL) }
            // FILE_NAME may have one of several files.
            return lists.first { !["FILE_NAME", "FILE"].contains(sources[$0].target) } ?? lists.first
        }
        return found.isEmpty ? nil : .made(.fileList, of: found.map { .source($0) })
    }

    // MARK: Filters

    private func filtered(_ item: Int, besides derived: [UniformType]) -> [Format] {
        if rules.filters.isEmpty { return [] }
        // Secrets are not given to programs.
        guard !range(of: item).contains(where: { sources[$0].type == .concealed }) else { return [] }
        let present = indices(of: item..<item + 1).map { sources[$0].type } + derived
        var made: [Format] = []
        for filter in rules.filters {
            let isPresent = (present + made.map(\.type)).contains { $0.conforms(to: filter.output) }
            guard !isPresent,
                let input = derivableSources(of: item).first(where: {
                    sources[$0].type.conforms(to: filter.input)
                        && !(filter.isOfPictures && falsePictures.contains($0))
                })
            else { continue }
            made.append(format(filter.output, Derivation.source(input).then(.filter(filter)), of: item))
        }
        return made
    }
}
