package import FormatConversion
package import LinuxSystem
package import PasteboardModel
import PasteboardWire
import SelectionProtocol
import UniformTypes
import X11Bridge

package struct ForeignContents {
    package let formats: FormatCatalog
    package let conversions: ConversionCache
    /// The targets that the owner was asked for; nil if all contents came in one archive.
    package let offered: [ForeignReader.Offered]?
    /// All contents, if they came in one archive.
    package let archived: Draft?

    /// True for a secret.
    package var isSecret: Bool { offered?.contains { SecretMark.isMark($0.target) } ?? false }

    /// The targets under which X11 programs are offered a Wayland program's contents. Nothing is derived from a secret
    /// (invariant 9).
    package var crossingNames: [FormatName] {
        let names = formats.names(items: 0..<formats.itemCount).filter { $0.isPossible { _ in nil } }
        return isSecret ? names.filter(\.isSource) : names
    }
}

extension FormatName {
    fileprivate var isSource: Bool { if case .source = derivation { true } else { false } }
}

extension Draft {
    /// Creates contents with the items of an archive; nil if the bytes are not an archive, or name types that no owner
    /// could offer.
    package init?(archive file: MemoryFile) {
        guard let prefix = try? file.bytes(in: 0..<min(file.length, ItemArchive.maxHeaderLength)),
            let archive = try? ItemArchive(header: prefix, length: file.length), let contents = Contents(archive)
        else { return nil }
        self.init(contents, backings: [.file(file)], options: ContentsOptions(concealed: contents.marks.isConcealed))
    }
}

extension Contents {
    /// Creates the contents of an archive, whose bytes are in the first source from an offset on; nil if a name or the
    /// number of representations is not permitted.
    package init?(_ archive: ItemArchive, at offset: Int = 0) {
        guard !archive.items.isEmpty, archive.items.reduce(0, { $0 + $1.count }) <= Self.maxRepresentations else {
            return nil
        }
        var items: [Item] = []
        for (parts, ranges) in zip(archive.items, archive.ranges) {
            let representations = zip(parts, ranges).compactMap { part, range -> Representation? in
                guard part.target.map(Self.isTarget) ?? true else { return nil }
                return UniformType(part.type).map {
                    Representation(
                        type: $0, target: part.target, exact: part.exact,
                        range: range.lowerBound + offset..<range.upperBound + offset)
                }
            }
            guard !parts.isEmpty, representations.count == parts.count else { return nil }
            items.append(Item(representations: representations))
        }
        self.init(items: items)
        guard nameCount <= Self.maxNames else { return nil }
    }

    private static func isTarget(_ name: String) -> Bool {
        (1...TypeQuery.maxLength).contains(name.utf8.count) && !X11Targets.isProtocolTarget(name)
    }
}
