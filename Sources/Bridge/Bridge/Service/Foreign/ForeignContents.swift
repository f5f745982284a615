import FormatConversion
import LinuxSystem
import PasteboardModel
import PasteboardWire
import SelectionProtocol
import UniformTypes
import X11Bridge

struct ForeignContents {
    let formats: FormatCatalog
    let conversions: ConversionCache
    /// The targets that the owner was asked for; nil if all contents came in one archive.
    let offered: [ForeignReader.Offered]?
    /// All contents, if they came in one archive.
    let archived: Draft?

    /// True for a secret.
    var isSecret: Bool { offered?.contains { CapturePlan.isSecret($0.target) } ?? false }

    /// The targets under which X11 programs are offered what a Wayland program has. Nothing is derived from a secret
    /// (invariant 9).
    var relayedNames: [FormatName] {
        let names = formats.names(items: 0..<formats.itemCount).filter { $0.isPossible { _ in nil } }
        return isSecret ? names.filter(\.isSource) : names
    }
}

extension FormatName {
    fileprivate var isSource: Bool { if case .source = derivation { true } else { false } }
}

extension Service {
    /// The number of times that the owner may change while a call reads from it.
    private static let maxOwnerChanges = 3

    /// Reads from the holder of a pasteboard, and tries again if a foreign owner is replaced meanwhile.
    ///
    /// - Parameter attempt: Reads from the present holder.
    func read<Value>(
        _ pasteboard: String, _ attempt: (PasteboardState) async throws(ForeignReader.Failure) -> Value
    ) async throws(BridgeError) -> Value {
        for _ in 0...Self.maxOwnerChanges {
            let state = try registry.existing(pasteboard)
            if state.isHeldByNobody { throw .nothing(on: state) }
            do {
                return try await attempt(state)
            } catch {
                guard case .ownerReplaced = error else {
                    throw state.isHeldByNobody ? .nothing(on: state) : BridgeError(error)
                }
            }
        }
        throw .ownerKeepsChanging
    }
}

extension Draft {
    /// Creates contents with the items of an archive; nil for bytes that are not an archive, or that name types no
    /// owner could offer.
    init?(archive file: MemoryFile) {
        guard let prefix = try? file.bytes(in: 0..<min(file.length, ItemArchive.maxHeaderLength)),
            let archive = try? ItemArchive(header: prefix, length: file.length), !archive.items.isEmpty,
            archive.items.reduce(0, { $0 + $1.count }) <= Contents.maxRepresentations
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
        guard contents.nameCount <= Contents.maxNames else { return nil }
        self.init(contents, backings: [.file(file)], options: ContentsOptions(concealed: contents.marks.isConcealed))
    }

    private static func isTarget(_ name: String) -> Bool {
        (1...TypeQuery.maxLength).contains(name.utf8.count) && !X11Targets.isProtocolTarget(name)
    }
}
