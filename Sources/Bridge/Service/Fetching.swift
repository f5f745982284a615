import LinuxSystem
import PasteboardModel
import PasteboardWire
import UniformTypes

/// Reading several items of one version: `Fetch`.
extension Service {
    typealias FetchReplies = [(reply: Methods.Fetch.Reply, descriptors: [Descriptor])]

    func fetch(
        _ parameters: Methods.Fetch.Parameters, for client: ClientSession, changes: Int = Service.changesOfOwner,
        _ finish: @escaping (Result<FetchReplies, BridgeError>) -> Void
    ) -> Cancel? {
        do throws(BridgeError) {
            let board = try board(named: parameters.pasteboard)
            let question = try ReadRequest(parameters)
            try Self.check(parameters.items)
            let count = board.count
            func reply(_ found: [Fetched]) -> Result<FetchReplies, BridgeError> {
                replies(to: parameters, of: client, count: count, found)
            }
            switch board.holder {
            case .nobody: throw .nothing(on: board)
            case .client(let version):
                var isWanted = true
                fetch(
                    parameters.items, question, version.forms, version.maker,
                    isAwaited: { version.supplies[$0].isAwaited }, isWanted: { isWanted }
                ) { result in
                    if case .success(let found) = result {
                        self.read(found.compactMap(\.typeThere), of: version, by: client)
                    }
                    finish(result.mapError { self.error($0, on: board) }.flatMap(reply))
                }
                return { isWanted = false }
            case .foreign:
                let reader = ForeignReader(
                    link: link, selection: board.selection, silence: question.patience,
                    isCaptured: board.captured != nil)
                var again: Cancel?
                contents(of: reader) { [self] result in
                    func fail(_ failure: ForeignReader.Failure) {
                        if case .ownerReplaced = failure, changes > 0 {
                            again = fetch(parameters, for: client, changes: changes - 1, finish)
                        } else {
                            finish(.failure(error(failure, on: board)))
                        }
                    }
                    switch result {
                    case .failure(let failure): fail(failure)
                    case .success(let contents):
                        fetch(parameters.items, question, contents.forms, contents.maker) { result in
                            switch result {
                            case .success(let found): finish(reply(found))
                            case .failure(let failure): fail(failure)
                            }
                        }
                    }
                }
                return {
                    reader.cancel()
                    again?()
                }
            }
        } catch {
            finish(.failure(error))
            return nil
        }
    }

    private static func check(_ items: [Int]?) throws(BridgeError) {
        guard let items, items.count > Contents.mostRepresentations else { return }
        throw BridgeError(
            .refused,
            "\(items.count) items are more than the \(Contents.mostRepresentations) that a pasteboard can have")
    }

    private func replies(
        to parameters: Methods.Fetch.Parameters, of client: ClientSession, count: Int, _ found: [Fetched]
    ) -> Result<FetchReplies, BridgeError> {
        var batches = FetchBatches(
            count: count, byDescriptor: parameters.descriptors ?? false, transfers: client.transfers)
        do throws(BridgeError) {
            for one in found { try batches.append(one) }
            return .success(batches.replies)
        } catch {
            batches.release()
            return .failure(error)
        }
    }

    /// The same of an entry of the history.
    func fetchEntry(
        _ parameters: Methods.Fetch.Parameters, for client: ClientSession,
        _ finish: @escaping (Result<FetchReplies, BridgeError>) -> Void
    ) {
        do throws(BridgeError) {
            let question = try ReadRequest(parameters)
            try Self.check(parameters.items)
            whenEntryIsRead(parameters.entry ?? 0) { [self] result in
                switch result {
                case .failure(let error): finish(.failure(error))
                case .success(let (version, count)):
                    fetch(parameters.items, question, version.forms, version.maker) { result in
                        finish(
                            result.mapError { BridgeError($0) }.flatMap {
                                self.replies(to: parameters, of: client, count: count, $0)
                            })
                    }
                }
            }
        } catch {
            finish(.failure(error))
        }
    }

    /// - Parameters:
    ///   - items: Nil for all.
    ///   - isAwaited: Whether a source is promised and not there.
    ///   - isWanted: Whether anybody is there for the rest; nothing promised is asked for else.
    private func fetch(
        _ items: [Int]?, _ question: ReadRequest, _ forms: FormatCatalog, _ maker: ConversionCache,
        isAwaited: (Int) -> Bool = { _ in false }, isWanted: @escaping () -> Bool = { true },
        _ finish: @escaping (Result<[Fetched], ForeignReader.Failure>) -> Void
    ) {
        // A list of files that came as one item is as many as it has entries, to who asks for a type. One that is only
        // promised is asked for by who wants files.
        var list = question.isOfTypes ? forms.onlyList : nil
        if let index = list, isAwaited(index), !question.wantsFiles { list = nil }
        entries(of: list, by: maker, within: question.patience) { [self] entries in
            let count: Int
            switch entries {
            case .failure(let failure): return finish(.failure(failure))
            case .success(let entries): count = max(forms.itemCount, entries)
            }
            // A set: each once, in the order asked for.
            var seen: Set<Int> = []
            let wanted = items?.filter { seen.insert($0).inserted } ?? Array(0..<count)
            if let absent = wanted.first(where: { $0 < 0 || $0 >= count }) {
                return finish(.failure(.error(.noItem(absent, of: count))))
            }
            if question.isOfTypes {
                fetchAnswers(wanted, question, forms, maker, isWanted, finish)
            } else {
                fetchAll(wanted, question, forms, maker, isWanted, finish)
            }
        }
    }

    /// What each of the items answers, or a hole.
    private func fetchAnswers(
        _ items: [Int], _ question: ReadRequest, _ forms: FormatCatalog, _ maker: ConversionCache, _ isWanted: @escaping () -> Bool,
        _ finish: @escaping (Result<[Fetched], ForeignReader.Failure>) -> Void
    ) {
        inTurn(items, while: isWanted) { item, next in
            self.answer(question.about(item), from: forms, by: maker) { result in
                switch result {
                case .success(let (choice, material)):
                    next(.success(Fetched(item: item, type: choice.type, target: choice.target, .there(material))))
                case .failure(.ownerReplaced): next(.failure(.ownerReplaced))
                case .failure(.error(let error)) where error.code == .noSuchType:
                    next(.success(Fetched(item: item, type: nil, target: nil, .hole)))
                case .failure(.error(let error)):
                    next(.success(Fetched(item: item, type: nil, target: nil, .missing(error.message))))
                }
            }
        } _: {
            finish($0)
        }
    }

    /// All that the items have.
    private func fetchAll(
        _ items: [Int], _ question: ReadRequest, _ forms: FormatCatalog, _ maker: ConversionCache, _ isWanted: @escaping () -> Bool,
        _ finish: @escaping (Result<[Fetched], ForeignReader.Failure>) -> Void
    ) {
        let sources = items.flatMap { forms.range(of: $0) }
        inTurn(sources, while: isWanted) { [self] index, next in
            let source = forms.sources[index]
            func fetched(_ content: Fetched.Content) -> Fetched {
                Fetched(
                    item: source.item, type: source.type, target: source.target, isExact: source.isExact, content)
            }
            make(.source(index), by: maker, within: question.patience) { result in
                switch result {
                case .success(let material): next(.success(fetched(.there(material))))
                case .failure(.source(.ownerReplaced)): next(.failure(.ownerReplaced))
                // What an owner offers and refuses, as some do a text they cannot put into Latin-1, is not there.
                case .failure(.refused):
                    next(.success(Fetched(item: source.item, type: nil, target: nil, .hole)))
                case .failure(let failure): next(.success(fetched(.missing(failure.reason))))
                }
            }
        } _: {
            finish($0)
        }
    }
}

/// One representation that was read, or why not.
struct Fetched {
    enum Content {
        case there(EncodedBytes)
        /// The item has none of the types.
        case hole
        case missing(String)
    }

    let item: Int
    let type: UniformType?
    let target: String?
    let isExact: Bool
    let content: Content

    init(item: Int, type: UniformType?, target: String?, isExact: Bool = false, _ content: Content) {
        self.item = item
        self.type = type
        self.target = target
        self.isExact = isExact
        self.content = content
    }
}

extension Fetched {
    /// Its type, if its bytes are there.
    fileprivate var typeThere: UniformType? {
        if case .there = content { type } else { nil }
    }
}

extension ConversionFailure {
    /// For the user.
    fileprivate var reason: String {
        switch self {
        case .impossible(let reason), .failed(let reason), .broken(let reason), .promiseBroken(let reason): reason
        case .noEntry(let entry, let count): BridgeError.noItem(entry, of: count).message
        case .source(.ownerReplaced): BridgeError.ownerKeepsChanging.message
        case .source(.error(let error)): error.message
        case .refused: "the owner refuses what it offers"
        }
    }
}
