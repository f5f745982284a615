import BridgeState
import FormatConversion
import PasteboardWire

extension Service {
    /// Returns the numbers of the items that would answer a reader of these types. No bytes are read, except those of a
    /// list of files, since each file is an item.
    func match(
        _ parameters: Methods.Match.Parameters, for client: Client
    ) async throws(BridgeError) -> Methods.Match.Reply {
        let request = try ReadRequest(parameters)
        try Self.check(parameters.items)
        return try await withHolder(of: parameters.pasteboard) {
            [self] (pasteboard) async throws(ForeignReader.Failure) in
            let (count, version) = (pasteboard.count, pasteboard.version)
            try await client.checkMayDisclose(pasteboard, within: request.timeout)
            let items: [Int]
            if let version {
                let formats = client.permitted(version.formats)
                items = try await self.items(parameters.items, for: request, formats, version.conversions) {
                    version.sources[$0].isPending
                }
            } else {
                let contents = try await foreign.contents(
                    of: foreign.reader(of: pasteboard, idleTimeout: request.timeout))
                let formats = client.permitted(contents.formats)
                items = try await self.items(parameters.items, for: request, formats, contents.conversions)
            }
            try client.checkUnchanged(pasteboard, since: count)
            return Methods.Match.Reply(count: count, items: items)
        }
    }

    private func items(
        _ items: [Int]?, for request: ReadRequest, _ formats: FormatCatalog, _ conversions: ConversionCache,
        isPending: (Int) -> Bool = { _ in false }
    ) async throws(ForeignReader.Failure) -> [Int] {
        try await chosenItems(items, request, formats, conversions, isPending: isPending).sorted().filter { item in
            formats.choice(for: request.queries, item: item) != nil
        }
    }
}
