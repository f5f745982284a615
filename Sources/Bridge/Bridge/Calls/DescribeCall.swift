import BridgeState
import FormatConversion
import LinuxSystem
import Logging
import PasteboardModel
import PasteboardWire
import UniformTypes

extension Service {
    func describe(
        _ parameters: Methods.Describe.Parameters, for client: Client
    ) async throws(BridgeError) -> Methods.Describe.Reply {
        let timeout = CallTimeout.of(parameters.timeout)
        return try await withHolder(of: parameters.pasteboard) {
            [self] (pasteboard) async throws(ForeignReader.Failure) in
            // The count and the owner of the described version, which another version may replace during the call.
            let (count, owner) = (pasteboard.count, pasteboard.owner)
            try await client.checkMayDisclose(pasteboard, within: timeout)
            if let version = pasteboard.version {
                let items = try await items(
                    of: version, parameters, for: client, isPending: version.sources.map(\.isPending), within: timeout)
                return Methods.Describe.Reply(count: count, owner: owner, items: items, options: version.wireOptions)
            }
            let reader = foreign.reader(of: pasteboard, idleTimeout: timeout)
            let contents = try await foreign.contents(of: reader)
            let lengths = parameters.lengths == true ? try await lengths(of: contents, reader) : nil
            let items = try await items(
                of: client.permitted(contents.formats), contents.conversions, parameters, lengths: lengths,
                isPending: nil, within: timeout)
            try client.checkUnchanged(pasteboard, since: count)
            if reader.isShortened {
                let program = owner.program ?? "a program"
                logger.notice(
                    "\(program) lists more targets on \(pasteboard.name) than are read; the rest are left out")
            }
            return Methods.Describe.Reply(
                count: count, owner: owner, items: items, options: nil, shortened: reader.isShortened ? true : nil)
        }
    }

    func describeEntry(
        _ parameters: Methods.Describe.Parameters, for client: Client
    ) async throws(BridgeError) -> Methods.Describe.Reply {
        let (version, count) = try await historyEntry(parameters.entry ?? 0)
        try client.link?.checkMayDisclose(version)
        do {
            let items = try await items(
                of: version, parameters, for: client, isPending: nil, within: CallTimeout.of(parameters.timeout))
            return Methods.Describe.Reply(
                count: count, owner: WireOwner(kind: .none, program: version.writer.program), items: items,
                options: version.wireOptions)
        } catch {
            throw BridgeError(error)
        }
    }

    private func items(
        of version: PasteboardState.Version, _ parameters: Methods.Describe.Parameters, for client: Client,
        isPending: [Bool]?, within timeout: Duration
    ) async throws(ForeignReader.Failure) -> [WireItem] {
        let lengths = parameters.lengths == true ? version.sources.map { $0.bytes?.range.count } : nil
        return try await items(
            of: client.permitted(version.formats), version.conversions, parameters, lengths: lengths,
            isPending: isPending, within: timeout)
    }

    private func items(
        of formats: FormatCatalog, _ conversions: ConversionCache, _ parameters: Methods.Describe.Parameters,
        lengths: [Int?]?, isPending: [Bool]?, within timeout: Duration
    ) async throws(ForeignReader.Failure) -> [WireItem] {
        let list = formats.onlyFileList.flatMap { isPending?[$0] == true ? nil : $0 }
        let entries = try await entryCount(of: list, by: conversions, within: timeout)
        return formats.items(
            lengths: lengths, isPending: isPending, withTargets: parameters.targets ?? false, entries: entries)
    }

    /// Returns the lengths of a foreign owner's contents, after reading them.
    private func lengths(
        of contents: ForeignContents, _ reader: ForeignReader
    ) async throws(ForeignReader.Failure) -> [Int?] {
        guard let offered = contents.offered else {
            return contents.archived?.representationSources.map { $0.bytes?.range.count } ?? []
        }
        return try await reader.all(offered) { $0.file.length }
    }
}

extension FormatCatalog {
    /// - Parameter entries: The number of files in the only item; each file after the first becomes its own item.
    fileprivate func items(lengths: [Int?]?, isPending: [Bool]?, withTargets: Bool, entries: Int) -> [WireItem] {
        let items = (0..<itemCount).map { item in
            let items = item..<item + 1
            let present = indices(of: items).map { index in
                WireRepresentation(
                    type: sources[index].type.identifier, target: sources[index].target, length: lengths?[index],
                    promised: isPending?[index] == true ? true : nil)
            }
            let derived = derived(items: items).map {
                WireRepresentation(type: $0.type.identifier, target: nil, derived: true)
            }
            return WireItem(
                representations: present + derived, targets: withTargets ? targets(of: items) : nil)
        }
        let file = WireRepresentation(type: UniformType.fileURL.identifier, target: nil)
        return items + (1..<max(entries, 1)).map { _ in WireItem(representations: [file]) }
    }

    /// Returns the targets that X clients can ask for; for a foreign owner, the targets that it offers.
    private func targets(of items: Range<Int>) -> [String] {
        isForeign ? indices(of: items).compactMap { sources[$0].target } : names(items: items).map(\.name)
    }
}

extension PasteboardState.Version {
    /// The options as a client sees them; nil if there are none.
    fileprivate var wireOptions: WireOptions? {
        let left = expiry.map { max($0 - .now, .zero) }
        guard left != nil || options != ContentsOptions() else { return nil }
        func flag(_ isSet: Bool) -> Bool? { isSet ? true : nil }
        return WireOptions(
            expires: left.map { max($0.millisecondsRoundedDown, 1) }, localOnly: flag(options.localOnly),
            once: flag(options.once), concealed: flag(options.concealed), memory: flag(options.memoryOnly))
    }
}
