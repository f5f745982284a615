import BridgeClient
import Formats
import FoundationEssentials
import LinuxSystem
import PasteboardModel
import PasteboardWire
import SystemPackage
import UniformTypes

struct ReadRepresentation: Sendable {
    let type: String
    let target: String?
    let exact: Bool
    let data: Data
}

struct ReadItem: Sendable {
    var representations: [ReadRepresentation] = []
    /// The types whose bytes could not be read, each with the reason.
    var missing: [(type: String, reason: String)] = []

    /// Adds a representation that was found, or the reason why it could not be read.
    fileprivate mutating func add(_ found: WireFound, _ files: inout ReceivedFiles, asked: String?) throws {
        if let type = found.type, let bytes = found.bytes {
            let data = try files.data(bytes)
            let isExact = found.exact ?? false
            representations.append(ReadRepresentation(type: type, target: found.target, exact: isExact, data: data))
        } else if let reason = found.missing {
            missing.append((found.type ?? asked ?? "", reason))
        }
    }
}

extension Pasteboard {
    /// Reads the first item's representation of the first of the types that the item has.
    ///
    /// - Parameter entry: An entry of the history to read instead of the pasteboard.
    func representation(ofTypes types: [String], entry: Int? = nil) -> Operation<ReadRepresentation?> {
        Operation(Methods.Get.self, .longRead) { [name] client in
            .init(
                pasteboard: name, types: types, item: 0, timeout: client.timeoutMilliseconds, descriptors: true,
                entry: entry)
        } value: { reply, encoded in
            var files = ReceivedFiles(encoded.descriptors)
            return try ReadRepresentation(
                type: reply.type, target: reply.target, exact: false, data: files.data(reply.bytes))
        }.orNil
    }

    /// Reads several items, all from the same change count.
    ///
    /// - Parameters:
    ///   - types: The types; for each item, the first available type is read. Nil for every representation as it was
    ///     written.
    ///   - numbers: The numbers of the items, from 0; nil for all.
    ///   - entry: An entry of the history to read instead of the pasteboard.
    ///   - watching: True if the read is not a paste.
    func representations(
        ofTypes types: [String]?, inItemSet numbers: [Int]?, entry: Int? = nil, watching: Bool = false
    ) -> Operation<[ReadItem]> {
        var options = CallOptions.longRead
        options.hasSeveralReplies = true
        return Operation(Methods.Fetch.self, options) { [name] client in
            Request(
                parameters: .init(
                    pasteboard: name, types: types, items: numbers, timeout: client.timeoutMilliseconds,
                    descriptors: true, entry: entry, watching: watching ? true : nil))
        } values: { replies in
            var items: [Int: ReadItem] = [:]
            for (reply, encoded) in replies {
                var files = ReceivedFiles(encoded.descriptors)
                for found in reply.found {
                    try items[found.item, default: ReadItem()].add(found, &files, asked: types?.first)
                }
            }
            let order = numbers ?? items.keys.sorted()
            return order.map { items[$0] ?? ReadItem() }
        }.orNil(where: [.empty, .noSuchPasteboard]).map { items in
            if let items { return items }
            if let first = numbers?.first { throw Self.noItem(first, of: 0) }
            return []
        }
    }

    /// Reads the types on offer. No bytes are fetched.
    var offers: Operation<Contents> {
        Operation(Methods.Describe.self, .longRead) { [name] client in
            .init(pasteboard: name, timeout: client.timeoutMilliseconds)
        } value: { reply, _ in
            Contents(
                items: reply.items.map { item in
                    Item(
                        representations: item.representations.map {
                            Representation(type: UniformType($0.type) ?? .data, target: $0.target)
                        })
                })
        }.orNil.map { $0 ?? Contents() }
    }

    var itemCount: Operation<Int> { offers.map(\.items.count) }

    /// Returns true if the first item has any of the types.
    func isOffering(_ types: [String]) -> Operation<Bool> {
        matches(types, inItemSet: [0]).orNil(where: [.noSuchItem]).map { found in
            found.flatMap(\.self)?.isEmpty == false
        }
    }

    /// Returns true if the first item has any of the types; nil if the owner does not list its types in time.
    func isOffering(_ types: [String], within time: Duration) -> Operation<Bool?> {
        matches(types, inItemSet: [0], within: time).orNil(where: [.noSuchItem]).map { found -> Bool? in
            found.flatMap(\.self)?.isEmpty == false
        }.orNil(where: [.ownerSilent]).map { $0 ?? nil }
    }

    func isOffering(_ types: [String], inItemSet numbers: [Int]?) -> Operation<Bool> {
        self.numbers(withTypes: types, inItemSet: numbers).map { !$0.isEmpty }
    }

    /// Returns the numbers of the items that have any of the types, as determined by the bridge.
    func numbers(withTypes types: [String], inItemSet numbers: [Int]? = nil) -> Operation<[Int]> {
        matches(types, inItemSet: numbers).map { found -> [Int] in
            if found == nil, let first = numbers?.first { throw Self.noItem(first, of: 0) }
            return found ?? []
        }
    }

    /// Returns the numbers of the items that have any of the types; nil if there are no items.
    private func matches(
        _ types: [String], inItemSet numbers: [Int]?, within time: Duration? = nil
    ) -> Operation<[Int]?> {
        Operation(Methods.Match.self, .longRead) { [name] client in
            let timeout = time?.millisecondsRoundedUp ?? client.timeoutMilliseconds
            return .init(pasteboard: name, types: types, items: numbers, timeout: timeout)
        } value: { reply, _ -> [Int] in
            reply.items
        }.orNil(where: [.empty, .noSuchPasteboard])
    }

    /// Reads the types of the first item.
    var typesOnOffer: Operation<[String]> {
        offers.map { $0.items.first?.types.map(\.identifier) ?? [] }
    }

    /// Returns the types of each item, in the order of the numbers.
    func types(inItemSet numbers: [Int]?) -> Operation<[[String]]> {
        offers.map { contents in
            try (numbers ?? Array(contents.items.indices)).flatMap { number in
                try Self.converting { () throws(NoSuchItem) in try contents.types(inItemSet: [number]) }
            }.map { $0.map(\.identifier) }
        }
    }

    var wholeItems: Operation<[PasteboardItem]> { wholeItems(ofEntry: nil) }

    /// - Parameter entry: An entry of the history to read instead of the pasteboard.
    func wholeItems(ofEntry entry: Int?) -> Operation<[PasteboardItem]> {
        representations(ofTypes: nil, inItemSet: nil, entry: entry).map { items in
            items.map { item in
                PasteboardItem(
                    representations: item.representations.map { representation in
                        .init(
                            type: representation.type, target: representation.target, exact: representation.exact,
                            bytes: .data(representation.data))
                    },
                    missingTypes: item.missing.map(\.type))
            }
        }
    }

    /// Runs `body`, and converts its error to a ``PasteboardError``.
    private static func converting<Result>(_ body: () throws(NoSuchItem) -> Result) throws(PasteboardError) -> Result {
        do {
            return try body()
        } catch {
            throw noItem(error.item, of: error.count)
        }
    }

    private static func noItem(_ number: Int, of count: Int) -> PasteboardError {
        PasteboardError(code: .noSuchItem, message: NoSuchItem(item: number, count: count).message)
    }

    // MARK: Values of a kind

    func value<Value>(_ codec: Codec<Value>) -> Operation<Value?> {
        representation(ofTypes: codec.types).map { read in try read.flatMap { try codec.value($0.data, $0.type) } }
    }

    /// Reads the value of each item; nil for an item without a value.
    func values<Value>(_ codec: Codec<Value>, inItemSet numbers: [Int]?) -> Operation<[Value?]> {
        representations(ofTypes: codec.types, inItemSet: numbers).map { items in
            try items.map { item in
                if let first = item.representations.first { return try codec.value(first.data, first.type) }
                if let missing = item.missing.first {
                    throw PasteboardError(code: .transferBroken, message: missing.reason)
                }
                return nil
            }
        }
    }

    /// Reads the values of all items that have a value.
    func allValues<Value>(_ codec: Codec<Value>) -> Operation<[Value]> {
        values(codec, inItemSet: nil).map { $0.compactMap(\.self) }
    }

    func has<Value>(_ codec: Codec<Value>) -> Operation<Bool> {
        isOffering(codec.types, inItemSet: nil)
    }

    /// Reads whether the files are cut, in any format that programs use for this mark.
    var cutMark: Operation<Bool> {
        representation(ofTypes: [CopiedFiles.gnomeType]).map { read in
            read.flatMap { CopiedFiles([UInt8]($0.data)) }?.verb == .cut
        }
    }

    func writing(
        _ urls: [URL], isCut: Bool, _ options: PasteboardOptions, _ count: Int?
    ) -> Operation<Int> {
        guard isCut, !urls.isEmpty else { return writing(urls, .url, options, count) }
        return Operation { [name] client in
            guard urls.allSatisfy(\.isFileURL) else {
                throw PasteboardError(code: .invalidValue, message: "only files can be cut; leave other URLs out")
            }
            var items = try urls.map(Codec<URL>.url.item)
            items[0].setData(Data(CopiedFiles.Verb.cut.kdeCutSelection), forType: CopiedFiles.Verb.kdeCutSelectionType)
            return try SetCall(
                pasteboard: name, items: items, options: options, ifChangeCount: count
            ).operation.start(client)
        }
    }

    func writing<Value>(
        _ values: [Value], _ codec: Codec<Value>, _ options: PasteboardOptions, _ count: Int?
    ) -> Operation<Int> {
        Operation { [name] client in
            try SetCall(
                pasteboard: name, items: try values.map(codec.item), options: options, ifChangeCount: count
            ).operation.start(client)
        }
    }
}

extension ReceivedFiles {
    /// Returns the bytes. Many bytes are mapped into memory instead of copied.
    fileprivate mutating func data(_ bytes: WireBytes) throws -> Data {
        let (file, range) = try part(bytes)
        do throws(Errno) {
            return try file.data(in: range)
        } catch {
            throw PasteboardError(code: .transferBroken, message: "the bytes from the bridge cannot be read: \(error)")
        }
    }
}
