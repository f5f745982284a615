package import UniformTypes

/// All forms in which contents can be had: what is there, and what can be made of it.
///
/// Nothing in here looks at bytes: a form that turns out to be impossible (a text that Latin-1 cannot hold) is refused
/// when it is asked for. The same rules serve X11 peers, readers of the bridge, and the contents of foreign owners.
package struct FormatCatalog: Sendable {
    /// One representation, by what is known of it.
    package struct Source: Sendable {
        package let item: Int
        package let type: UniformType
        package let target: String?
        /// Nothing is to be derived from it.
        package let isExact: Bool

        package init(item: Int, type: UniformType, target: String?, isExact: Bool = false) {
            self.item = item
            self.type = type
            self.target = target
            self.isExact = isExact
        }
    }

    /// One type that an item has, or can have.
    package struct Format: Sendable {
        package let item: Int
        package let type: UniformType
        package let target: String?
        package let recipe: Derivation
        let isDerived: Bool

        package init(item: Int, type: UniformType, target: String?, recipe: Derivation, isDerived: Bool) {
            self.item = item
            self.type = type
            self.target = target
            self.recipe = recipe
            self.isDerived = isDerived
        }
    }

    /// What may be made of contents.
    package struct Rules: Equatable, Sendable {
        /// Whether types are derived at all.
        package var derives = true
        package var filters: [Filter] = []

        package init(derives: Bool = true, filters: [Filter] = []) {
            self.derives = derives
            self.filters = filters
        }
    }

    package let sources: [Source]
    package let rules: Rules
    /// Whether another program owns them, which may send anything under a name.
    package let isForeign: Bool
    /// Whether nothing is to be made of them.
    package let isSecret: Bool
    /// Sources that turned out not to be there.
    package private(set) var absent: Set<Int> = []
    /// Which sources each item has.
    private let ranges: [Range<Int>]
    /// What matters of each source's type.
    private let kinds: [FormatKind]

    /// - Parameter sources: In the order of their items, of which each has at least one.
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

    /// The same without some of the sources: an owner refuses what it advertised.
    package func without(_ absent: Set<Int>) -> FormatCatalog {
        var rest = self
        rest.absent = absent
        return rest
    }

    /// How many items there are.
    package var itemCount: Int { ranges.count }

    /// The numbers of an item's sources.
    package func range(of item: Int) -> [Int] { indices(of: item..<item + 1) }

    /// What is there, in the writer's order.
    package func real(items: Range<Int>) -> [Format] {
        indices(of: items).map { index in
            let source = sources[index]
            return Format(
                item: source.item, type: source.type, target: source.target, recipe: .source(index), isDerived: false)
        }
    }

    /// What can be made besides, the plain text first.
    package func derived(items: Range<Int>) -> [Format] {
        guard rules.derives, !isSecret else { return [] }
        return items.flatMap { item -> [Format] in
            var forms: [Format] = []
            if plainText(of: item) == nil, let text = derivedText(of: item) {
                forms.append(form(.utf8PlainText, text, of: item))
            }
            return forms + filtered(item, besides: forms.map(\.type))
        }
    }

    /// The numbers of the sources that belong to these items.
    package func indices(of items: Range<Int>) -> [Int] {
        guard !items.isEmpty else { return [] }
        let all = ranges[items.lowerBound].lowerBound..<ranges[items.upperBound - 1].upperBound
        return absent.isEmpty ? Array(all) : all.filter { !absent.contains($0) }
    }

    /// Whether a source's type conforms to one of these types.
    func isSource(_ index: Int, _ kind: FormatKind) -> Bool { kinds[index].contains(kind) }

    /// The numbers of an item's sources that something may be derived from.
    func open(_ item: Int) -> [Int] {
        range(of: item).filter { !sources[$0].isExact }
    }

    private func form(_ type: UniformType, _ recipe: Derivation, of item: Int) -> Format {
        Format(item: item, type: type, target: nil, recipe: recipe, isDerived: true)
    }

    // MARK: Texts

    /// The plain text that an item has, in UTF-8; of several the one whose encoding is told best.
    package func plainText(of item: Int) -> Derivation? {
        let texts = indices(of: item..<item + 1).filter { isSource($0, .plainText) }
        if texts.isEmpty { return nil }
        // What most items are need not be weighed: there may be ten thousands of them.
        if texts.count == 1, sources[texts[0]].type == .utf8PlainText { return utf8(texts[0]) }
        let offers = texts.map { (type: sources[$0].type, target: sources[$0].target) }
        return TypeQuery.best(of: offers, for: [.identifier(.utf8PlainText)]).map { utf8(texts[$0]) }
    }

    /// A plain text of what an item has instead, the first that has one.
    package func derivedText(of item: Int) -> Derivation? {
        let open = open(item)
        func first(_ kind: FormatKind) -> Int? { open.first { isSource($0, kind) } }
        if first(.fileURL) != nil { return fileList(item..<item + 1).map { $0.then(.pathLines) } }
        if let link = first(.url) { return Derivation.source(link).then(.linkAddress) }
        for index in open {
            let kind = kinds[index]
            let source = Derivation.source(index)
            if kind.contains(.html) { return source.then(.plainTextFromHTML) }
            if kind.contains(.rtf) { return source.then(.plainTextFromRTF) }
            if kind.contains(.color) { return source.then(.colorText) }
            // XML, JSON and their like are texts as they are; a drawing is a picture first.
            if kind.contains(.text), !kind.contains(.image) { return source.then(.utf8Text) }
        }
        return nil
    }

    /// A text source in UTF-8. One that a client of ours calls so is not looked at.
    package func utf8(_ index: Int) -> Derivation {
        let source = sources[index]
        let isUTF8 = source.type == .utf8PlainText || (source.type == .plainText && source.target == nil)
        return isUTF8 && !isForeign ? .source(index) : Derivation.source(index).then(.utf8Text)
    }

    // MARK: Files

    /// The files of these items as one list; nil where there are none.
    package func fileList(_ items: Range<Int>) -> Derivation? {
        let found = items.compactMap { item in
            range(of: item).first { isSource($0, .fileURL) }
        }
        return found.isEmpty ? nil : .made(.fileList, of: found.map { .source($0) })
    }

    // MARK: Filters

    private func filtered(_ item: Int, besides derived: [UniformType]) -> [Format] {
        if rules.filters.isEmpty { return [] }
        // A secret is given to no program.
        guard !range(of: item).contains(where: { sources[$0].type == .concealed }) else { return [] }
        let present = indices(of: item..<item + 1).map { sources[$0].type } + derived
        var made: [Format] = []
        for filter in rules.filters {
            let isThere = (present + made.map(\.type)).contains { $0.conforms(to: filter.output) }
            guard !isThere, let input = open(item).first(where: { sources[$0].type.conforms(to: filter.input) }) else {
                continue
            }
            made.append(form(filter.output, Derivation.source(input).then(.filter(filter)), of: item))
        }
        return made
    }
}
