package import UniformTypes

/// What answers a reader.
package struct FormatChoice: Sendable {
    package let item: Int
    package let type: UniformType
    package let target: String?
    package let recipe: Derivation

    package init(item: Int, type: UniformType, target: String?, recipe: Derivation) {
        self.item = item
        self.type = type
        self.target = target
        self.recipe = recipe
    }
}

/// Choosing the form that a reader gets.
extension FormatCatalog {
    /// What a reader that names no type gets: text if there is text, else what comes first; nothing is made for it.
    package static let anything: [TypeQuery] = [.class(.text), .pattern("*")]

    /// The form that answers the first of the queries that any does, from one item, or the first item that has one.
    ///
    /// - Parameters:
    ///   - exact: Only what is there, under its own names.
    ///   - without: What turned out not to be had.
    package func choice(
        for queries: [TypeQuery], item: Int? = nil, exact: Bool = false, without: Set<Derivation> = []
    ) -> FormatChoice? {
        let refused = Set(without.compactMap { if case .source(let index) = $0 { index } else { nil } })
        if !refused.isEmpty {
            return self.without(refused).choice(
                for: queries, item: item, exact: exact,
                without: without.filter { if case .source = $0 { false } else { true } })
        }
        if let item, item >= itemCount { return listEntry(item, for: queries, without: without) }
        let items = item.map { $0..<$0 + 1 } ?? 0..<itemCount
        for query in queries {
            if let found = choice(for: query, items, exact: exact, without: without) { return found }
        }
        return nil
    }

    /// A list of files that came as one item is as many items as it has entries.
    private func listEntry(_ item: Int, for queries: [TypeQuery], without: Set<Derivation>) -> FormatChoice? {
        guard itemCount == 1, let list = fileList(0..<1),
            TypeQuery.best(of: [(type: .fileURL, target: nil)], for: queries) != nil
        else { return nil }
        let entry = list.then(.listEntry(item))
        return entry.uses(without)
            ? nil : FormatChoice(item: item, type: .fileURL, target: nil, recipe: entry)
    }

    private func choice(
        for query: TypeQuery, _ items: Range<Int>, exact: Bool, without: Set<Derivation>
    ) -> FormatChoice? {
        func isThere(_ recipe: Derivation) -> Bool { !recipe.uses(without) }
        func best(_ forms: (Range<Int>) -> [Format]) -> Format? {
            // The item's order goes first: a later item answers what no earlier one does.
            for item in items {
                let own = forms(item..<item + 1)
                if let index = TypeQuery.best(of: own.map { ($0.type, $0.target) }, for: [query]) { return own[index] }
            }
            return nil
        }
        func answer(_ form: Format) -> FormatChoice { delivered(form, for: query, items, decodes: true) }
        // A text that turned out not to be decodable may have another that is.
        func real(_ items: Range<Int>) -> [Format] {
            let real = self.real(items: items)
            return without.isEmpty ? real : real.filter { isThere(answer($0).recipe) }
        }
        if exact { return best(real).map(answer) }
        if let name = query.literalName {
            // The very name: what is there under it, else what X11 clients are given under it.
            let given = self.real(items: items).first { form in
                isThere(form.recipe) && form.target.map { $0.utf8.elementsEqual(name.utf8) } ?? false
            }
            if let found = given {
                return delivered(found, for: query, items, decodes: false)
            }
            if let found = names(items: items).first(where: { $0.name.utf8.elementsEqual(name.utf8) }),
                isThere(found.recipe)
            {
                return FormatChoice(
                    item: items.lowerBound, type: UniformType(target: name), target: name, recipe: found.recipe)
            }
        }
        if let charset = query.literalName.flatMap({ UniformType.charset(ofMIMEType: $0) }),
            !["utf-8", "utf8"].contains(charset)
        {
            // Other bytes than these would be no answer.
            guard ["iso-8859-1", "latin1"].contains(charset),
                let text = items.lazy.compactMap({ plainText(of: $0) }).first,
                isThere(text.then(.latin1Text))
            else { return nil }
            return FormatChoice(
                item: items.lowerBound, type: .plainText, target: query.literalName, recipe: text.then(.latin1Text))
        }
        let there = best(real)
        // A class is asked for by who wants a text, not the markup of one; all else is taken from what is there.
        if let there, query != .class(.text) || there.type.conforms(to: .plainText) {
            return answer(there)
        }
        return (best { derived(items: $0).filter { isThere($0.recipe) } } ?? there).map(answer)
    }

    /// Text asked for by identifier or class comes in UTF-8, a colour asked for by its class as CSS writes it, a file as
    /// its URL; all else as it is.
    private func delivered(_ form: Format, for query: TypeQuery, _ items: Range<Int>, decodes: Bool) -> FormatChoice {
        func answer(_ recipe: Derivation) -> FormatChoice {
            FormatChoice(item: form.item, type: form.type, target: form.target, recipe: recipe)
        }
        guard decodes, !form.isDerived, case .source(let index) = form.recipe else { return answer(form.recipe) }
        if query.wantsDecodedText {
            if form.type.conforms(to: .plainText) { return answer(utf8(index)) }
            if form.type.conforms(to: .html) { return answer(form.recipe.then(.utf8HTML)) }
        }
        switch query {
        case .class(.color): return answer(form.recipe.then(.colorText))
        case .class(.files):
            if let list = fileList(items) { return answer(list.then(.urlLines)) }
        case .class(.url), .identifier(.url), .identifier(.fileURL):
            if form.type.conforms(to: .fileURL) {
                return answer(Derivation.made(.fileList, of: [form.recipe]).then(.listEntry(0)))
            }
            if form.type.conforms(to: .url) { return answer(form.recipe.then(.linkAddress)) }
        default: break
        }
        return answer(form.recipe)
    }
}

extension TypeQuery {
    /// The MIME type or target name that was asked for by its very name.
    var literalName: String? {
        switch self {
        case .mimeType(let name), .target(let name): name
        case .identifier, .class, .pattern: nil
        }
    }
}
