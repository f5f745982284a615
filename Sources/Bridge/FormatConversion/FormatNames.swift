import Formats
import PasteboardModel
import UniformTypes

/// One X11 target under which contents are available.
package struct FormatName: Sendable {
    package let name: String
    package let propertyType: String
    /// The size of the value's units in bits: 8 or 16.
    package let format: Int
    package let derivation: Derivation

    /// Returns the name if its bytes are the unchanged bytes of a representation, or fixed bytes without a secret; else
    /// nil.
    ///
    /// - Parameter present: Returns the bytes of a source, if they are available.
    package func unchanged(_ present: (Int) -> EncodedBytes?) -> FormatName? {
        if case .made(.constant, _) = derivation { return self }
        return derivation.unchangedSource(present).map {
            FormatName(name: name, propertyType: propertyType, format: format, derivation: .source($0))
        }
    }
}

extension FormatCatalog {
    /// Returns the targets under which these items are available, best first, without repetitions.
    ///
    /// X11 has no items. The text of several items is joined by newlines, and their files are put into one list. For
    /// any other type, the first item that has the type answers.
    package func names(items: Range<Int>) -> [FormatName] {
        if isSecret { return ownNames(items: items) }
        var list = NameList()
        let texts = items.compactMap { plainText(of: $0) }
        // If one item has text, the text of the other items is added, even if it has to be derived.
        let all =
            texts.isEmpty || !rules.derives ? texts : items.compactMap { plainText(of: $0) ?? derivedText(of: $0) }
        if all.count > 1 { list.addText(.made(.joinedTexts, of: all)) }
        // Text comes before the list of files: programs that take the first name they know would paste the list as
        // text.
        if texts.isEmpty, rules.derives, fileList(items) != nil { addDerivedText(of: items, to: &list) }
        addFiles(of: items, to: &list)
        addSources(of: items, to: &list)
        guard rules.derives else { return list.names }

        if texts.isEmpty {
            addDerivedText(of: items, to: &list)
        } else {
            // Text is available under all names of text, in any encoding.
            for item in items where derivableSources(of: item).contains(where: { isSource($0, .plainText) }) {
                if let text = plainText(of: item) { list.addText(text) }
            }
        }
        for format in derived(items: items) where format.type != .utf8PlainText {
            for name in X11Targets.names(for: format.type, given: nil, exact: false) {
                list.add(name, format.derivation)
            }
        }
        if items.count > 1 { list.add(ItemArchive.mediaType, archive(of: items)) }
        return list.names
    }

    /// Returns the names of secret contents: the names of each representation, and for text all names of text. The
    /// bytes decide later which names are possible: see ``FormatName/unchanged(_:)``.
    private func ownNames(items: Range<Int>) -> [FormatName] {
        var list = NameList()
        addSources(of: items, to: &list)
        for item in items where derivableSources(of: item).contains(where: { isSource($0, .plainText) }) {
            if let text = plainText(of: item) { list.addText(text) }
        }
        return list.names
    }

    /// Returns all of these items in one stream, for another bridge that reads from this one.
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

    /// Adds the derived text of the items, joined by newlines. Files become one path per line.
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
        // A list that the writer gave stays as it is, unless other items have files too.
        if files.allSatisfy({ sources[$0].item == sources[first].item }) {
            for index in files {
                if let target = sources[index].target { list.add(target, .source(index)) }
            }
        }
        // The sources that say whether the files were cut.
        let verbs = indices(of: items).filter { isVerb($0) }.map { Derivation.source($0) }
        for name in X11Targets.names(for: .fileURL, given: nil, exact: false) {
            list.add(name, name == "text/uri-list" ? all : .made(.copiedFiles, of: [all] + verbs))
        }
        if rules.transfersFiles, rules.derives {
            for name in Rules.transferTargets { list.add(name, all.then(.transferKey)) }
        }
        if !verbs.isEmpty, !indices(of: items).contains(where: { sources[$0].target == Self.cutMark }) {
            list.add(Self.cutMark, .made(.cutMark, of: verbs))
        }
    }

    /// Adds all sources under their own names.
    private func addSources(of items: Range<Int>, to list: inout NameList) {
        let given = Set(
            Set(indices(of: items).lazy.map { sources[$0].target }).compactMap { $0.map { Array($0.utf8) } })
        // Sources with equal properties have equal names: of ten thousand items, one is examined.
        var seen: Set<Source.Names> = []
        for index in indices(of: items) where seen.insert(sources[index].names).inserted {
            add(index, to: &list, given: given)
        }
    }

    private func isVerb(_ index: Int) -> Bool {
        guard let target = sources[index].target else { return false }
        return target == Self.cutMark || target.hasPrefix("x-special/") && target.hasSuffix("-copied-files")
    }

    /// KDE's target for cut files: `1` if they were cut.
    static let cutMark = CopiedFiles.Verb.kdeCutSelectionType

    /// - Parameter given: Names that writers gave to sources. Each name stands for the bytes of its source.
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
                list.add(name, derivation(for: name, of: index))
            }
        }
    }

    private func derivation(for name: String, of index: Int) -> Derivation {
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
        // The mark of nspasteboard.org counts by its presence, KDE's by its value.
        if sources[index].type == .concealed { return .made(.constant(Array("secret".utf8)), of: []) }
        return source
    }
}

extension FormatCatalog.Source {
    /// The properties that determine the names on X11. Targets are compared by bytes, because canonically equivalent
    /// strings are different targets.
    fileprivate struct Names: Hashable {
        let type: UniformType
        let target: [UInt8]?
        let isExact: Bool
    }

    fileprivate var names: Names { Names(type: type, target: target.map { Array($0.utf8) }, isExact: isExact) }
}

/// Names in order, without repetitions. Names are compared by bytes, because canonically equivalent strings are
/// different targets.
private struct NameList {
    private(set) var names: [FormatName] = []
    private var seen: Set<[UInt8]> = []

    mutating func add(_ name: String, _ derivation: Derivation, type: String? = nil) {
        guard seen.insert(Array(name.utf8)).inserted else { return }
        names.append(
            FormatName(
                name: name, propertyType: type ?? name, format: name == "application/x-color" ? 16 : 8,
                derivation: derivation))
    }

    mutating func addText(_ utf8: Derivation) {
        for name in X11Targets.names(for: .utf8PlainText, given: nil, exact: false) { addText(utf8, as: name) }
    }

    mutating func addText(_ utf8: Derivation, as name: String) {
        switch name {
        case "STRING": add(name, utf8.then(.replacingLatin1Text))
        case "COMPOUND_TEXT": add(name, utf8.then(.compoundText))
        // The owner chooses the type of TEXT, and names it in the answer (ICCCM 2.6.2).
        case "TEXT": add(name, utf8, type: "UTF8_STRING")
        default: add(name, utf8)
        }
    }
}
