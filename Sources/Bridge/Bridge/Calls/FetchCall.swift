import BridgeState
import FormatConversion
import PasteboardModel
import PasteboardWire
import UniformTypes

/// One representation that was read, or the reason why it was not.
struct Fetched {
    enum Content {
        case present(EncodedBytes)
        /// The item has none of the requested types.
        case none
        case missing(String)
    }

    let item: Int
    var type: UniformType?
    var target: String?
    var isExact = false
    let content: Content
}

extension Service {
    /// Returns the replies with the items of a pasteboard's contents.
    func fetch(
        _ parameters: Methods.Fetch.Parameters, for client: Client
    ) async throws(BridgeError) -> [FetchBatches.Batch] {
        let request = try ReadRequest(parameters)
        try Self.check(parameters.items)
        let (found, count, noteRead) = try await withHolder(of: parameters.pasteboard) {
            [self] (pasteboard) async throws(ForeignReader.Failure) in
            let (count, version) = (pasteboard.count, pasteboard.version)
            try await client.checkMayRead(pasteboard, within: request.timeout)
            guard let version else {
                let contents = try await foreign.contents(
                    of: foreign.reader(of: pasteboard, idleTimeout: request.timeout))
                let formats = client.permitted(contents.formats)
                let found = try await fetch(parameters.items, request, formats, contents.conversions)
                try client.checkUnchanged(pasteboard, since: count)
                return (found, count, nil as (() -> Void)?)
            }
            let formats = client.permitted(version.formats)
            let found = try await fetch(parameters.items, request, formats, version.conversions) {
                version.sources[$0].isPending
            }
            let types = found.compactMap(\.presentType)
            if parameters.watching == true { return (found, count, nil) }
            return (
                found, count,
                { [self] in pasteOnce.noteRead(types, of: version, on: pasteboard, isManager: isManager(client)) }
            )
        }
        let batches = try batches(for: client, parameters, count: count, found)
        // A client that gets an error may ask again.
        noteRead?()
        return batches
    }

    /// Returns the replies with the items of an entry of the history.
    func fetchEntry(
        _ parameters: Methods.Fetch.Parameters, for client: Client
    ) async throws(BridgeError) -> [FetchBatches.Batch] {
        let request = try ReadRequest(parameters)
        try Self.check(parameters.items)
        let (version, count) = try await historyEntry(parameters.entry ?? 0)
        try client.link?.checkMayDisclose(version)
        let formats = client.permitted(version.formats)
        let found: [Fetched]
        do {
            found = try await fetch(parameters.items, request, formats, version.conversions)
        } catch {
            throw BridgeError(error)
        }
        return try batches(for: client, parameters, count: count, found)
    }

    static func check(_ items: [Int]?) throws(BridgeError) {
        guard let items, items.count > Contents.maxRepresentations else { return }
        throw BridgeError(
            .refused,
            "\(items.count) items are more than the \(Contents.maxRepresentations) that a pasteboard can have")
    }

    private func batches(
        for client: Client, _ parameters: Methods.Fetch.Parameters, count: Int, _ found: [Fetched]
    ) throws(BridgeError) -> [FetchBatches.Batch] {
        var batches = FetchBatches(
            count: count, byDescriptor: parameters.descriptors ?? false, transfers: client.transfers)
        do throws(BridgeError) {
            for one in found { try batches.append(one) }
            return batches.batches
        } catch {
            batches.release()
            throw error
        }
    }

    /// - Parameters:
    ///   - items: The items to read; nil for all.
    ///   - isPending: Returns true for a source that is promised and not available.
    private func fetch(
        _ items: [Int]?, _ request: ReadRequest, _ formats: FormatCatalog, _ conversions: ConversionCache,
        isPending: (Int) -> Bool = { _ in false }
    ) async throws(ForeignReader.Failure) -> [Fetched] {
        let wanted = try await chosenItems(items, request, formats, conversions, isPending: isPending)
        return request.namesTypes
            ? try await fetchChosen(wanted, request, formats, conversions)
            : try await fetchAll(wanted, request, formats, conversions)
    }

    /// Returns the numbers of the items that a request names, without repetitions, in the request's order.
    ///
    /// - Parameters:
    ///   - items: The items of the request; nil for all.
    ///   - isPending: Returns true for a source that is promised and not available.
    func chosenItems(
        _ items: [Int]?, _ request: ReadRequest, _ formats: FormatCatalog, _ conversions: ConversionCache,
        isPending: (Int) -> Bool
    ) async throws(ForeignReader.Failure) -> [Int] {
        // For a reader that requests types, each file of a list that came as one item counts as an item. A list that is
        // only promised is not requested if the reader wants no files.
        var list = request.namesTypes ? formats.onlyFileList : nil
        if let index = list, isPending(index), !request.wantsFiles { list = nil }
        let entries = try await entryCount(of: list, by: conversions, within: request.timeout)
        let count = max(formats.itemCount, entries)
        let wanted = items?.uniqued() ?? Array(0..<count)
        if let absent = wanted.first(where: { $0 < 0 || $0 >= count }) { throw .error(.noItem(absent, of: count)) }
        return wanted
    }

    /// Reads, for each item, the format that answers a request for types.
    private func fetchChosen(
        _ items: [Int], _ request: ReadRequest, _ formats: FormatCatalog, _ conversions: ConversionCache
    ) async throws(ForeignReader.Failure) -> [Fetched] {
        var fetched: [Fetched] = []
        fetched.reserveCapacity(items.count)
        for item in items {
            do {
                let (choice, bytes) = try await readFormat(of: formats, request.about(item), by: conversions)
                fetched.append(
                    Fetched(item: item, type: choice.type, target: choice.target, content: .present(bytes)))
            } catch {
                // The client is gone: no other format is requested.
                if Task.isCancelled { throw error }
                guard case .error(let reason) = error else { throw error }
                let content: Fetched.Content = reason.code == .noSuchType ? .none : .missing(reason.message)
                fetched.append(Fetched(item: item, content: content))
            }
        }
        return fetched
    }

    private func fetchAll(
        _ items: [Int], _ request: ReadRequest, _ formats: FormatCatalog, _ conversions: ConversionCache
    ) async throws(ForeignReader.Failure) -> [Fetched] {
        var indices = items.flatMap { formats.range(of: $0) }
        if formats.isForeign, indices.count > 1 {
            let targets = indices.compactMap { formats.sources[$0].target }
            indices.removeAll { CapturePlan.isUnasked(formats.sources[$0].target ?? "", of: targets) }
        }
        var all: [Fetched] = []
        all.reserveCapacity(indices.count)
        for index in indices {
            let source = formats.sources[index]
            func fetched(_ content: Fetched.Content) -> Fetched {
                Fetched(
                    item: source.item, type: source.type, target: source.target, isExact: source.isExact,
                    content: content)
            }
            do {
                let bytes = try await conversions.bytes(of: .source(index), within: request.timeout)
                all.append(fetched(.present(bytes)))
            } catch {
                if case .source(let failure as ForeignReader.Failure) = error, case .ownerReplaced = failure {
                    throw failure
                }
                if Task.isCancelled { throw .error(BridgeError(.transferBroken, error.message)) }
                // An owner may offer a target and refuse it, as some owners do with text that does not fit into
                // Latin-1.
                if case .refused = error {
                    all.append(Fetched(item: source.item, content: .none))
                } else {
                    all.append(fetched(.missing(error.message)))
                }
            }
        }
        return all
    }

    // MARK: Lists of files

    /// The maximum number of items that a list of files counts as. Further files are only in the first item's list.
    private static let maxEntries = 1_024
    /// The maximum length of a list, in bytes. A longer list is one item.
    private static let maxListLength = 1 << 20

    /// Returns the number of entries in a list of files that came as one item. A list that cannot be read in time
    /// counts as one entry.
    func entryCount(
        of list: Int?, by conversions: ConversionCache, within timeout: Duration
    ) async throws(ForeignReader.Failure) -> Int {
        guard let list else { return 1 }
        do throws(ConversionFailure) {
            let bytes = try await conversions.bytes(of: .source(list), within: timeout)
            guard bytes.range.count <= Self.maxListLength else { return 1 }
            let lines = Derivation.made(.fileList, of: [.source(list)]).then(.urlLines)
            let text = try await conversions.bytes(of: lines, within: timeout).bytes()
            return min(max(1, text.count { $0 == 0x0A } + 1), Self.maxEntries)
        } catch {
            if case .source(let failure as ForeignReader.Failure) = error, case .ownerReplaced = failure {
                throw failure
            }
            return 1
        }
    }
}

extension FormatCatalog {
    /// The source that is a list of files, if the contents are one item with such a list.
    var onlyFileList: Int? {
        guard itemCount == 1 else { return nil }
        return sources.firstIndex { $0.type.conforms(to: .fileURL) && $0.target != nil }
    }
}

extension Fetched {
    fileprivate var presentType: UniformType? {
        if case .present = content { type } else { nil }
    }
}
