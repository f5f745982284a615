import ArgumentParser
import BridgeClient
import CommandCore
package import PasteboardWire
import UniformTypes

struct TypesCommand: PasteboardSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "types", abstract: "List the types on offer, best first.",
        discussion: """
            Types that would be converted from another type come last, without a size. A type without a known \
            identifier is listed by its X11 target.

              xpb types --sizes
              xpb types --targets
            """)

    @Option(help: ArgumentHelp("List the types of this item only, counted from 0.", valueName: "N"))
    var item: Int?

    @Flag(help: "List MIME types, leaving out types that have none.")
    var mime = false

    @Flag(help: "List X11 targets.")
    var targets = false

    @Flag(help: "Add a TAB and the number of bytes that 'xpb get' writes, which may have to be fetched first.")
    var sizes = false

    @Flag(name: .customShort("0"), help: "End each line with NUL instead of a newline.")
    var endsWithNUL = false

    @OptionGroup var pasteboards: PasteboardFlags
    @OptionGroup(title: CommonFlags.title) var common: CommonFlags

    func validate() throws {
        if mime, targets { throw ValidationError("--mime and --targets exclude each other") }
        if let item, item < 0 { throw ValidationError("--item \(item): items are counted from 0") }
    }

    func perform(in session: Session) throws {
        let pasteboard = try session.pasteboard()
        let client = try session.connect()
        let contents = try session.describe(pasteboard, by: client, lengths: sizes, targets: targets)
        guard item.map(contents.items.indices.contains) ?? true else {
            throw Failure(.nothing, "there is no item \(item ?? 0); there are \(contents.items.count), counted from 0")
        }
        session.installTypes()
        let items = item.map { [contents.items[$0]] } ?? contents.items
        var listed = items.flatMap(\.representations).map { TypesJSON.Entry($0, withLength: sizes) }
        if targets {
            // With several items, a name may stand for all of them, and their total length is not known.
            listed = TypesJSON.Entry.named(
                items.flatMap { $0.targets ?? [] }, among: listed, withLength: sizes && items.count == 1)
        }
        var seen: Set<String> = []
        listed = listed.filter { entry in name(of: entry).map { seen.insert($0).inserted } ?? false }
        if sizes { listed = listed.map { measured($0, on: pasteboard, count: contents.count, by: client) } }
        if session.common.json {
            try session.output.write(json: TypesJSON(pasteboard: pasteboard, count: contents.count, types: listed))
        } else {
            let rows = listed.compactMap { entry in
                name(of: entry).map { sizes ? [$0, entry.length.map(String.init) ?? ""] : [$0] }
            }
            try session.output.write(rows: rows, endingWithNUL: endsWithNUL)
        }
    }

    private func name(of entry: TypesJSON.Entry) -> String? {
        if mime { return entry.mime }
        return targets ? entry.target : entry.name
    }

    /// Returns the entry with the length of the output of `get` for its name: text may be converted from the owner's
    /// encoding, and the best of several representations takes precedence over the first.
    private func measured(
        _ entry: TypesJSON.Entry, on pasteboard: String, count: Int, by client: BridgeClient
    ) -> TypesJSON.Entry {
        guard entry.length != nil, let type = UniformType(entry.type), let name = name(of: entry),
            [.text, .url, .fileURL].contains(where: { type.conforms(to: $0) }), !type.conforms(to: .image),
            // A read with `watching` is not a paste.
            let found = try? client.get(pasteboard: pasteboard, types: [name], item: item, watching: true),
            found.count == count
        else { return entry }
        var entry = entry
        entry.length = found.range.count
        return entry
    }
}

package struct TypesJSON: Encodable {
    package struct Entry: Encodable, Equatable {
        let type: String
        package let mime: String?
        package let target: String
        package fileprivate(set) var length: Int?
        let derived: Bool?

        /// The type's identifier, or the target of a type without a known identifier.
        var name: String { UniformType(type)?.isDynamic ?? false ? target : type }

        /// Returns an entry for each name that X11 clients see, with the known facts about its type.
        static func named(_ targets: [String], among listed: [Entry], withLength: Bool) -> [Entry] {
            targets.map { target in
                let type = UniformType(target: target)
                let entry =
                    listed.first { $0.target == target } ?? listed.first { $0.type == type.identifier }
                    ?? listed.first { UniformType($0.type)?.conforms(to: type) ?? false }
                return Entry(
                    type: entry?.type ?? type.identifier, mime: type.mimeName(target: target), target: target,
                    length: withLength && entry?.target == target ? entry?.length : nil, derived: entry?.derived)
            }
        }
    }

    let pasteboard: String
    let count: Int
    let types: [Entry]
}

extension TypesJSON.Entry {
    package init(_ representation: WireRepresentation, withLength: Bool) {
        let type = UniformType(representation.type) ?? UniformType(target: representation.type)
        self.init(
            type: representation.type, mime: type.mimeName(target: representation.target),
            target: representation.target ?? X11Targets.names(for: type, given: nil, exact: true).first
                ?? type.identifier,
            length: withLength ? representation.length : nil, derived: representation.derived)
    }
}
