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
            let question = try Question(parameters)
            if let items = parameters.items, items.count > Contents.mostRepresentations {
                throw BridgeError(
                    .refused,
                    "\(items.count) items are more than the \(Contents.mostRepresentations) that a pasteboard can have")
            }
            let count = board.count
            func reply(_ found: [Fetched]) -> Result<FetchReplies, BridgeError> {
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
            switch board.holder {
            case .nobody: throw .nothing(on: board)
            case .client(let version):
                var isWanted = true
                fetch(
                    parameters.items, question, version.forms, version.maker,
                    isAwaited: { version.supplies[$0].isAwaited }, isWanted: { isWanted }
                ) { result in
                    finish(result.mapError { self.error($0, on: board) }.flatMap(reply))
                }
                return { isWanted = false }
            case .foreign:
                let reader = ForeignReader(link: link, selection: board.selection, silence: question.patience)
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

    /// - Parameters:
    ///   - items: Nil for all.
    ///   - isAwaited: Whether a source is promised and not there.
    ///   - isWanted: Whether anybody is there for the rest; nothing promised is asked for else.
    private func fetch(
        _ items: [Int]?, _ question: Question, _ forms: Forms, _ maker: Maker,
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
        _ items: [Int], _ question: Question, _ forms: Forms, _ maker: Maker, _ isWanted: @escaping () -> Bool,
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
        _ items: [Int], _ question: Question, _ forms: Forms, _ maker: Maker, _ isWanted: @escaping () -> Bool,
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
        case there(Material)
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

/// The replies to a `Fetch`, each within what one message takes.
private struct FetchBatches {
    /// So many descriptors go with a message, and so many bytes of it, which leaves room for the rest.
    private static let mostDescriptors = WireLimits().descriptorsPerMessage
    private static let longest = WireLimits().messageBytes / 4

    let count: Int
    let byDescriptor: Bool
    let transfers: ClientTransfers
    private(set) var replies: Service.FetchReplies
    /// Of the last reply.
    private var places: [ObjectIdentifier: Int] = [:]
    private var length = 0
    /// Of all, for clients that take no descriptors.
    private var handles: [ObjectIdentifier: String] = [:]

    init(count: Int, byDescriptor: Bool, transfers: ClientTransfers) {
        self.count = count
        self.byDescriptor = byDescriptor
        self.transfers = transfers
        replies = [(Methods.Fetch.Reply(count: count, found: []), [])]
    }

    mutating func append(_ fetched: Fetched) throws(BridgeError) {
        var found = WireFound(
            item: fetched.item, type: fetched.type?.identifier, target: fetched.target,
            exact: fetched.isExact ? true : nil)
        // What a number of members, their names and the punctuation take, escapes included.
        if case .missing(let reason) = fetched.content { found.missing = reason }
        let size = 256 + 6 * [found.type, found.target, found.missing].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
        if length + size > Self.longest || places.count >= Self.mostDescriptors {
            replies.append((Methods.Fetch.Reply(count: count, found: []), []))
            places = [:]
            length = 0
        }
        length += size
        switch fetched.content {
        case .hole, .missing: break
        case .there(let material): found.bytes = try bytes(material.file, material.range)
        }
        replies[replies.count - 1].reply.found.append(found)
    }

    /// The client is not told of the handles.
    func release() {
        for handle in handles.values { try? transfers.release(handle) }
    }

    private mutating func bytes(_ file: MemoryFile, _ range: Range<Int>) throws(BridgeError) -> WireBytes {
        let key = ObjectIdentifier(file)
        guard byDescriptor else {
            if handles[key] == nil { handles[key] = try transfers.download(file, 0..<file.length) }
            let handle = handles[key]
            return WireBytes(handle: handle, offset: range.lowerBound, length: range.count)
        }
        let place = places[key] ?? replies[replies.count - 1].descriptors.count
        if places[key] == nil {
            places[key] = place
            replies[replies.count - 1].descriptors.append(file.descriptor)
        }
        return WireBytes(descriptor: place, offset: range.lowerBound, length: range.count)
    }
}

extension MakeFailure {
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

/// Does something for one element after the other, each of which may take its time, and collects what comes of it. A
/// failure ends it. Once it is not wanted any more it ends without a word.
///
/// A loop, as there may be thousands, and a call within a call would cost some of the stack each.
func inTurn<Element, Value, Failure: Error>(
    _ elements: [Element], while isWanted: @escaping () -> Bool,
    _ body: @escaping (Element, @escaping (Result<Value, Failure>) -> Void) -> Void,
    _ finish: @escaping (Result<[Value], Failure>) -> Void
) {
    var values: [Value] = []
    values.reserveCapacity(elements.count)
    func proceed() {
        while values.count < elements.count {
            guard isWanted() else { return }
            var isWithin = true
            var isDone = false
            body(elements[values.count]) { result in
                switch result {
                case .success(let value):
                    values.append(value)
                    isDone = true
                    if !isWithin { proceed() }
                case .failure(let failure): finish(.failure(failure))
                }
            }
            isWithin = false
            guard isDone else { return }
        }
        finish(.success(values))
    }
    proceed()
}
