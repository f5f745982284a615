package import UniformTypes

/// The format that answers a reader.
package struct FormatChoice: Sendable {
    package let item: Int
    package let type: UniformType
    package let target: String?
    package let derivation: Derivation
}

extension FormatCatalog {
    /// The queries of a reader that names no type: text if there is any, else the first representation. Nothing is
    /// converted for such a reader.
    package static let anything: [TypeQuery] = [.class(.text), .pattern("*")]

    /// Returns the best format for the first query that has an answer, from the given item or else from the first item
    /// with an answer.
    ///
    /// - Parameters:
    ///   - exact: True for representations only, under their own names.
    ///   - without: Derivations that turned out to be unavailable.
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
            if let byExtension = query.byExtension,
                let found = choice(for: byExtension, items, exact: exact, without: without)
            {
                return found
            }
        }
        return nil
    }

    /// Returns an entry of a list of files: a list in one item counts as one item for each entry.
    private func listEntry(_ item: Int, for queries: [TypeQuery], without: Set<Derivation>) -> FormatChoice? {
        guard itemCount == 1, let list = fileList(0..<1),
            TypeQuery.best(of: [(type: .fileURL, target: nil)], for: queries) != nil
        else { return nil }
        let entry = list.then(.listEntry(item))
        return entry.uses(without)
            ? nil : FormatChoice(item: item, type: .fileURL, target: nil, derivation: entry)
    }

    private func choice(
        for query: TypeQuery, _ items: Range<Int>, exact: Bool, without: Set<Derivation>
    ) -> FormatChoice? {
        func isAvailable(_ derivation: Derivation) -> Bool { !derivation.uses(without) }
        func best(_ formats: (Range<Int>) -> [Format]) -> Format? {
            // The order of items takes precedence: a later item answers only if no earlier one does.
            for item in items {
                let own = formats(item..<item + 1)
                if let index = TypeQuery.best(of: own.map { ($0.type, $0.target) }, for: [query]) { return own[index] }
            }
            return nil
        }
        func answer(_ format: Format) -> FormatChoice { delivered(format, for: query, items, decodes: true) }
        // If one form of the text turned out to be undecodable, another form may be decodable.
        func real(_ items: Range<Int>) -> [Format] {
            let real = self.real(items: items)
            return without.isEmpty ? real : real.filter { isAvailable(answer($0).derivation) }
        }
        if exact { return best(real).map(answer) }
        if let name = query.literalName {
            // The exact name: a representation that has the name, else the format that X11 clients get under the name.
            let given = self.real(items: items).first { format in
                isAvailable(format.derivation) && format.target.map { $0.utf8.elementsEqual(name.utf8) } ?? false
            }
            if let found = given {
                return delivered(found, for: query, items, decodes: false)
            }
            if let found = names(items: items).first(where: { $0.name.utf8.elementsEqual(name.utf8) }),
                isAvailable(found.derivation)
            {
                return FormatChoice(
                    item: items.lowerBound, type: UniformType(target: name), target: name, derivation: found.derivation)
            }
        }
        if let charset = query.literalName.flatMap({ UniformType.charset(ofMIMEType: $0) }),
            !["utf-8", "utf8"].contains(charset)
        {
            // No other encoding would answer the request.
            guard ["iso-8859-1", "latin1"].contains(charset),
                query.literalName.flatMap({ MIMEType($0)?.essence }) == "text/plain",
                let text = items.lazy.compactMap({ plainText(of: $0) }).first,
                isAvailable(text.then(.latin1Text))
            else { return nil }
            return FormatChoice(
                item: items.lowerBound, type: .plainText, target: query.literalName, derivation: text.then(.latin1Text))
        }
        let present = best(real)
        // A reader that asks for the class `text` wants plain text rather than markup. For all other queries,
        // representations come before derived formats.
        if let present, query != .class(.text) || present.type.conforms(to: .plainText) {
            return answer(present)
        }
        if let derived = best({ derived(items: $0).filter { isAvailable($0.derivation) } }) {
            if let all = pathsOfAll(items, for: derived), isAvailable(all) {
                return FormatChoice(item: derived.item, type: derived.type, target: nil, derivation: all)
            }
            return answer(derived)
        }
        // Markup without text is a picture, whose source is of no use as text.
        guard let present, !isTextless(present, without) else { return nil }
        return answer(present)
    }

    /// Returns the paths of the files of all items if a format is the paths of one item's files: files that this bridge
    /// holds as items are one list in other programs.
    private func pathsOfAll(_ items: Range<Int>, for format: Format) -> Derivation? {
        let own = fileList(format.item..<format.item + 1)?.then(.pathLines)
        return items.count > 1 && format.derivation == own ? fileList(items)?.then(.pathLines) : nil
    }

    /// Returns true for markup that is known to have no text.
    private func isTextless(_ format: Format, _ without: Set<Derivation>) -> Bool {
        guard case .source(let index) = format.derivation else { return false }
        return textless.contains(index) || without.contains(format.derivation.then(.plainTextFromHTML))
    }

    /// Returns a format as the query wants it: text by identifier or class in UTF-8, a color by its class in CSS, a
    /// file as its URL, the files of several items as a list, and everything else as it is.
    private func delivered(_ format: Format, for query: TypeQuery, _ items: Range<Int>, decodes: Bool) -> FormatChoice {
        func answer(_ derivation: Derivation) -> FormatChoice {
            FormatChoice(item: format.item, type: format.type, target: format.target, derivation: derivation)
        }
        let derivation = format.derivation
        guard decodes, !format.isDerived, case .source(let index) = derivation else { return answer(derivation) }
        if query.wantsDecodedText {
            if format.type.conforms(to: .plainText) { return answer(utf8(index)) }
            if format.type.conforms(to: .html) { return answer(derivation.then(.utf8HTML)) }
        }
        switch query {
        case .class(.color): return answer(derivation.then(.colorText))
        case .class(.files):
            if let list = fileList(items) { return answer(list.then(.urlLines)) }
        case .pattern where items.count > 1 && format.type.conforms(to: .fileURL) && !sources[index].isExact:
            if let list = fileList(items) { return answer(list.then(.urlLines)) }
        case .class(.url), .identifier(.url), .identifier(.fileURL):
            if format.type.conforms(to: .fileURL) {
                return answer(Derivation.made(.fileList, of: [derivation]).then(.listEntry(0)))
            }
            if format.type.conforms(to: .url) { return answer(derivation.then(.linkAddress)) }
        default: break
        }
        return answer(derivation)
    }
}

extension TypeQuery {
    /// The MIME type or target that the query names exactly.
    var literalName: String? {
        switch self {
        case .mimeType(let name), .target(let name): name
        case .identifier, .class, .pattern: nil
        }
    }
}
