import LinuxSystem
import PasteboardModel
import SelectionProtocol
import UniformTypes

/// What a foreign owner offers, as it is read.
struct ForeignContents {
    let forms: FormatCatalog
    let maker: ConversionCache
    /// What the owner was asked for; nil where all came in one archive.
    let offered: [ForeignReader.Offered]?
    /// All of it, where it came in one archive.
    let archived: Draft?
}

extension Service {
    /// What a foreign owner offers. X11 knows one item; an owner that has several and can say so has them in an archive,
    /// from which all are read.
    func contents(
        of reader: ForeignReader, _ finish: @escaping (Result<ForeignContents, ForeignReader.Failure>) -> Void
    ) {
        reader.types { [self] result in
            switch result {
            case .failure(let failure): finish(.failure(failure))
            case .success(let offered):
                func asOffered() {
                    finish(
                        .success(
                            ForeignContents(
                                forms: FormatCatalog(offered, rules: rules), maker: maker(for: offered, of: reader),
                                offered: offered, archived: nil)))
                }
                guard let archive = offered.first(where: { $0.target == ItemArchive.mediaType }) else {
                    return asOffered()
                }
                reader.bytes(of: archive) { [self] result in
                    switch result {
                    case .failure(.conversion(.ownerReplaced)): finish(.failure(.ownerReplaced))
                    case .success(let value):
                        guard let draft = Draft(archive: value.file) else { return asOffered() }
                        finish(.success(contents(of: draft)))
                    case .failure: asOffered()
                    }
                }
            }
        }
    }

    private func contents(of draft: Draft) -> ForeignContents {
        let supplies = draft.supplies
        return ForeignContents(
            forms: FormatCatalog(draft.sources, rules: rules, isForeign: true),
            maker: ConversionCache(workshop: workshop, link: link, timesSources: true) { supplies[$0].read($1) }, offered: nil,
            archived: draft)
    }
}

extension Draft {
    /// The items of an archive; nil for what is none, or has types and names that no owner could offer.
    init?(archive file: MemoryFile) {
        guard let prefix = try? file.bytes(in: 0..<min(file.length, ItemArchive.longestHeader)),
            let archive = try? ItemArchive(header: prefix, length: file.length), !archive.items.isEmpty,
            archive.items.reduce(0, { $0 + $1.count }) <= Contents.mostRepresentations
        else { return nil }
        var items: [Item] = []
        for (parts, ranges) in zip(archive.items, archive.ranges) {
            let representations = zip(parts, ranges).compactMap { part, range -> Representation? in
                guard part.target.map(Self.isTarget) ?? true else { return nil }
                return UniformType(part.type).map {
                    Representation(type: $0, target: part.target, exact: part.exact, range: range)
                }
            }
            guard !parts.isEmpty, representations.count == parts.count else { return nil }
            items.append(Item(representations: representations))
        }
        let contents = Contents(items: items)
        guard contents.nameCount <= Contents.mostNames else { return nil }
        self.init(contents, blobs: [.file(file)], options: ContentsOptions(concealed: contents.marks.isConcealed))
    }

    private static func isTarget(_ name: String) -> Bool {
        (1...TypeQuery.maximumLength).contains(name.utf8.count) && !X11Targets.isProtocolTarget(name)
    }
}
