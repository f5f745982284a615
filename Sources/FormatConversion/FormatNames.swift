import PasteboardModel
import UniformTypes

/// One X11 target that contents can be asked for under.
package struct FormatName: Sendable {
    package let name: String
    /// The type of the property that answers, by name.
    package let propertyType: String
    /// 8, or 16 where the value is made of such units.
    package let format: Int
    package let recipe: Derivation

    package init(name: String, propertyType: String, format: Int, recipe: Derivation) {
        self.name = name
        self.propertyType = propertyType
        self.format = format
        self.recipe = recipe
    }
}

/// The names that contents have on X11.
extension FormatCatalog {
    /// The targets under which these items can be asked for, the best first, each once. X11 knows one item: of several,
    /// the texts are joined by newlines and the files stand in one list; of other types the first item that has them
    /// gives them.
    package func names(items: Range<Int>) -> [FormatName] {
        if isSecret { return ownNames(items: items) }
        var list = NameList()
        let texts = items.compactMap { plainText(of: $0) }
        // Where one item has a text, the others' stand beside it, though they have to be made.
        let all =
            texts.isEmpty || !rules.derives ? texts : items.compactMap { plainText(of: $0) ?? derivedText(of: $0) }
        if all.count > 1 { list.addText(.made(.joinedTexts, of: all)) }
        // Before the list of files, which programs that take the first name they know would paste as a text.
        if texts.isEmpty, rules.derives, fileList(items) != nil { addDerivedText(of: items, to: &list) }
        addFiles(of: items, to: &list)
        addSources(of: items, to: &list)
        guard rules.derives else { return list.names }

        if texts.isEmpty {
            addDerivedText(of: items, to: &list)
        } else {
            // Whatever encoding the text came in, it has all the names of a text.
            for item in items where open(item).contains(where: { isSource($0, .plainText) }) {
                if let text = plainText(of: item) { list.addText(text) }
            }
        }
        for form in derived(items: items) where form.type != .utf8PlainText {
            for name in X11Targets.names(for: form.type, given: nil, exact: false) { list.add(name, form.recipe) }
        }
        if items.count > 1 { list.add(ItemArchive.mediaType, archive(of: items)) }
        return list.names
    }

    /// Each representation under its own names, and a text under those of every text: which of them a secret can have, its
    /// bytes say.
    private func ownNames(items: Range<Int>) -> [FormatName] {
        var list = NameList()
        addSources(of: items, to: &list)
        for item in items where open(item).contains(where: { isSource($0, .plainText) }) {
            if let text = plainText(of: item) { list.addText(text) }
        }
        return list.names
    }

    /// All of these items in one stream, for a bridge that asks this one for them.
    private func archive(of items: Range<Int>) -> Derivation {
        let indices = indices(of: items)
        let parts = indices.map { index in
            let source = sources[index]
            return ArchivedPart(
                item: source.item - items.lowerBound, type: source.type.identifier, target: source.target,
                isExact: source.isExact)
        }
        return .made(.archive(parts), of: indices.map { .source($0) })
    }

    /// All files have one path a line.
    private func addDerivedText(of items: Range<Int>, to list: inout NameList) {
        let derived = items.compactMap { derivedText(of: $0) }
        if derived.count > 1 {
            list.addText(.made(.joinedTexts, of: derived))
        } else if let text = derived.first {
            list.addText(text)
        }
    }

    private func addFiles(of items: Range<Int>, to list: inout NameList) {
        let files = indices(of: items).filter { isSource($0, .fileURL) }
        guard let first = files.first, !files.contains(where: { sources[$0].isExact }),
            let all = fileList(items)
        else { return }
        // A list that was given stays as it was given, where there is no other item's.
        if files.allSatisfy({ sources[$0].item == sources[first].item }) {
            for index in files {
                if let target = sources[index].target { list.add(target, .source(index)) }
            }
        }
        // What says whether they were cut.
        let verbs = indices(of: items).filter { isVerb($0) }.map { Derivation.source($0) }
        for name in X11Targets.names(for: .fileURL, given: nil, exact: false) {
            list.add(name, name == "text/uri-list" ? all : .made(.copiedFiles, of: [all] + verbs))
        }
        if !verbs.isEmpty, !indices(of: items).contains(where: { sources[$0].target == Self.cutMark }) {
            list.add(Self.cutMark, .made(.cutMark, of: verbs))
        }
    }

    /// All under their own names.
    private func addSources(of items: Range<Int>, to list: inout NameList) {
        let given = Set(
            Set(indices(of: items).lazy.map { sources[$0].target }).compactMap { $0.map { Array($0.utf8) } })
        // Of several that are known alike the first has all the names: of ten thousand items one is looked at.
        var seen: Set<Source.Names> = []
        for index in indices(of: items) where seen.insert(sources[index].names).inserted {
            add(index, to: &list, given: given)
        }
    }

    private func isVerb(_ index: Int) -> Bool {
        guard let target = sources[index].target else { return false }
        return target == Self.cutMark || target.hasPrefix("x-special/") && target.hasSuffix("-copied-files")
    }

    /// The target whose `1` says that files were cut.
    static let cutMark = "application/x-kde-cutselection"

    /// - Parameter given: Names that some source was given: each stands for that one's bytes.
    private func add(_ index: Int, to list: inout NameList, given: Set<[UInt8]>) {
        let source = sources[index]
        for name in X11Targets.names(for: source.type, given: source.target, exact: source.isExact) {
            if name == source.target {
                list.add(name, .source(index))
            } else if given.contains(Array(name.utf8)) {
                continue
            } else if isSource(index, .plainText), X11Targets.isTextName(name) {
                list.addText(utf8(index), as: name)
            } else {
                list.add(name, recipe(for: name, of: index))
            }
        }
    }

    private func recipe(for name: String, of index: Int) -> Derivation {
        let source = Derivation.source(index)
        if isSource(index, .fileURL) {
            let list = Derivation.made(.fileList, of: [source])
            return name == "text/uri-list" ? list : .made(.copiedFiles, of: [list, source])
        }
        if isSource(index, .url) {
            let title = range(of: sources[index].item).first { sources[$0].type == .urlName }
            let parts = [source] + [title.map { .source($0) }].compactMap(\.self)
            switch name {
            case "text/x-moz-url": return .made(.mozillaLink, of: parts)
            case "_NETSCAPE_URL": return .made(.netscapeLink, of: parts)
            default: return source.then(.linkAddress)
            }
        }
        if isSource(index, .color) { return source.then(.color) }
        // The mark of nspasteboard.org says it by being there; KDE's says it by its value.
        if sources[index].type == .concealed { return .made(.constant(Array("secret".utf8)), of: []) }
        return source
    }
}

extension FormatCatalog.Source {
    /// All that its names on X11 depend on. Two targets that Unicode holds to be equal are two.
    fileprivate struct Names: Hashable {
        let type: UniformType
        let target: [UInt8]?
        let isExact: Bool
    }

    fileprivate var names: Names { Names(type: type, target: target.map { Array($0.utf8) }, isExact: isExact) }
}

/// Names in their order, each once, told apart by their bytes: two that Unicode holds to be equal are two.
private struct NameList {
    private(set) var names: [FormatName] = []
    private var seen: Set<[UInt8]> = []

    mutating func add(_ name: String, _ recipe: Derivation, type: String? = nil) {
        guard seen.insert(Array(name.utf8)).inserted else { return }
        names.append(
            FormatName(
                name: name, propertyType: type ?? name, format: name == "application/x-color" ? 16 : 8, recipe: recipe))
    }

    /// All names of a text.
    mutating func addText(_ utf8: Derivation) {
        for name in X11Targets.names(for: .utf8PlainText, given: nil, exact: false) { addText(utf8, as: name) }
    }

    mutating func addText(_ utf8: Derivation, as name: String) {
        switch name {
        case "STRING": add(name, utf8.then(.latin1Text))
        case "COMPOUND_TEXT": add(name, utf8.then(.compoundText))
        // The owner chooses the type of TEXT, and says which (ICCCM 2.6.2).
        case "TEXT": add(name, utf8, type: "UTF8_STRING")
        default: add(name, utf8)
        }
    }
}
