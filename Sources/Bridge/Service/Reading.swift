import LinuxSystem
import PasteboardModel
import PasteboardWire
import UniformTypes

/// Reading: `Get`.
extension Service {
    /// What a reader that names no type gets: text if there is text, else what comes first.
    private static let anything: [TypeQuery] = [.class(.text), .pattern("*")]

    private static func queries(_ types: [String]?) throws(BridgeError) -> [TypeQuery] {
        guard let types, !types.isEmpty else { return anything }
        var queries: [TypeQuery] = []
        for type in types {
            guard let query = TypeQuery.parse(type) else {
                throw BridgeError(.invalidType, "'\(type)' can be no type; 'xpb types' lists those on offer")
            }
            queries.append(query)
        }
        return queries
    }

    /// How often the owner may change while it is asked, before that is an error.
    static let changesOfOwner = 3

    func get(
        _ parameters: Methods.Get.Parameters, for client: ClientSession, changes: Int = Service.changesOfOwner,
        _ finish: @escaping (Answer<Methods.Get.Reply>) -> Void
    ) -> Cancel? {
        do throws(BridgeError) {
            let board = try board(named: parameters.pasteboard)
            let queries = try Self.queries(parameters.types)
            switch board.holder {
            case .nobody: throw .nothing(on: board)
            case .client(let version):
                let found = try Self.best(of: version, on: board, for: queries, item: parameters.item)
                finish(
                    client.reply(
                        parameters, count: board.count, item: found.item, type: found.type, target: found.target,
                        file: found.file, range: found.range))
                return nil
            case .foreign:
                if let item = parameters.item, item != 0 { throw .noItem(item, of: 1) }
                return getForeign(board, queries, parameters, for: client, changes: changes, finish)
            }
        } catch {
            finish(.failure(error))
            return nil
        }
    }

    /// What answers a reader.
    private struct Found {
        let item: Int
        let type: UniformType
        let target: String?
        let file: MemoryFile
        let range: Range<Int>
    }

    /// The representation that answers, from one item, or the first item that has one.
    private static func best(
        of version: Board.Version, on board: Board, for queries: [TypeQuery], item wanted: Int?
    ) throws(BridgeError) -> Found {
        let contents = version.contents
        if let wanted, !contents.items.indices.contains(wanted) { throw .noItem(wanted, of: contents.items.count) }
        let searched = wanted.map { [$0] } ?? Array(contents.items.indices)
        // Each query over all items before the next: the order of preference is the reader's.
        for query in queries {
            for item in searched {
                let offered = contents.items[item].representations
                if let index = TypeQuery.best(of: offered.map { ($0.type, $0.target) }, for: [query]) {
                    let representation = offered[index]
                    return Found(
                        item: item, type: representation.type, target: representation.target,
                        file: version.files[representation.source], range: representation.range)
                }
            }
            // A name that X11 clients are offered, STRING for a text: they and readers here get the same bytes.
            if let name = query.literalName, let derived = derived(name, from: version, on: board) { return derived }
        }
        throw .noSuchType(
            offered: searched.flatMap { contents.items[$0].representations.map(\.type.identifier) })
    }

    private static func derived(_ name: String, from version: Board.Version, on board: Board) -> Found? {
        let offer = OfferBuilder.offer(for: version, on: board.selection)
        guard let target = offer.targets.first(where: { $0.name == name }) else { return nil }
        let body = offer.bodies[target.body]
        return Found(item: 0, type: UniformType(target: name), target: name, file: body.file, range: body.range)
    }

    private func getForeign(
        _ board: Board, _ queries: [TypeQuery], _ parameters: Methods.Get.Parameters, for client: ClientSession,
        changes: Int, _ finish: @escaping (Answer<Methods.Get.Reply>) -> Void
    ) -> Cancel {
        var again: Cancel?
        let reader = ForeignReader(
            link: link, selection: board.selection, silence: Patience.of(parameters.timeout))
        reader.value(for: queries) { result in
            do throws(ForeignReader.Failure) {
                let value = try result.get()
                finish(
                    self.decoded(value, for: queries).flatMap { file in
                        client.reply(
                            parameters, count: board.count, item: 0, type: value.offered.type,
                            target: value.offered.target, file: file, range: 0..<file.length)
                    })
            } catch {
                switch error {
                case .ownerReplaced where changes > 0:
                    again = self.get(parameters, for: client, changes: changes - 1, finish)
                default: finish(.failure(self.error(error, on: board)))
                }
            }
        }
        return {
            reader.cancel()
            again?()
        }
    }

    /// A reader's failure in the words of the wire.
    func error(_ failure: ForeignReader.Failure, on board: Board) -> BridgeError {
        if case .nobody = board.holder { return .nothing(on: board) }
        switch failure {
        case .ownerReplaced: return .ownerKeepsChanging
        case .error(let error): return error
        }
    }

    /// Text asked for by identifier or class comes in UTF-8; all else comes as it was sent.
    private func decoded(
        _ value: ForeignReader.Value, for queries: [TypeQuery]
    ) -> Result<MemoryFile, BridgeError> {
        let offered = value.offered
        let answered = queries.first { TypeQuery.best(of: [(offered.type, offered.target)], for: [$0]) != nil }
        guard answered?.wantsDecodedText == true, offered.type.conforms(to: .plainText) else {
            return .success(value.file)
        }
        do {
            if let text = try TextDecoding.utf8(value.file, target: offered.target, type: value.type) {
                return .success(text)
            }
        } catch {
            return .failure(BridgeError(.transferBroken, "the text could not be kept: \(error)"))
        }
        return .failure(
            BridgeError(
                .invalidType,
                "the text came as \(value.type), which is not decoded; "
                    + "'xpb get -t \(offered.target)' gives its bytes"))
    }
}

extension BridgeError {
    static func nothing(on board: Board) -> BridgeError {
        BridgeError(.empty, "nothing is on the pasteboard '\(board.name)'")
    }

    static func noItem(_ item: Int, of count: Int) -> BridgeError {
        let there = count == 1 ? "is 1 item" : "are \(count) items"
        return BridgeError(.noSuchItem, "there is no item \(item): there \(there), counted from 0")
    }
}

extension TypeQuery {
    /// The MIME type or target name that was asked for by its very name.
    fileprivate var literalName: String? {
        switch self {
        case .mimeType(let name), .target(let name): name
        case .identifier, .class, .pattern: nil
        }
    }
}
