import EventLoop
import FormatConversion
import LinuxSystem
import PasteboardModel
import PasteboardWire
import UniformTypes
import X11Bridge

/// The format that answers a reader, and its bytes.
struct Found {
    let choice: FormatChoice
    let bytes: EncodedBytes
}

/// The answer to a reader that may take the bytes while they arrive.
enum FoundOrStream {
    case whole(Found)
    case stream(FormatChoice, ReaderStream)

    var choice: FormatChoice {
        switch self {
        case .whole(let found): found.choice
        case .stream(let choice, _): choice
        }
    }
}

/// The replies to a `Get`.
enum GetAnswer {
    case whole(Answer<Methods.Get.Reply>)
    /// A first reply, and a last one when the stream has ended.
    case stream(Methods.Get.Reply, ReaderStream)
}

extension Service {
    /// Returns the bytes that answer a reader.
    ///
    /// - Parameter streams: True if the client reads several replies.
    func get(
        _ parameters: Methods.Get.Parameters, for client: ClientSession, streams: Bool = false
    ) async throws(BridgeError) -> GetAnswer {
        var request = try ReadRequest(parameters)
        // A connection of a link passes no descriptors.
        request.streams =
            streams && parameters.stream == true && parameters.descriptors == true && client.link == nil
        let (found, count, isStale) = try await read(parameters.pasteboard) {
            [self] (pasteboard) async throws(ForeignReader.Failure) in
            // The count of the version that is read: another may come meanwhile.
            let (count, version) = (pasteboard.count, pasteboard.version)
            try await client.checkMayRead(pasteboard, within: request.timeout)
            let (found, isStale) = try await find(
                request, on: pasteboard, for: client, allowsStale: parameters.stale == true)
            try client.checkUnchanged(pasteboard, since: count)
            if let version, parameters.watching != true {
                pasteOnce.noteRead([found.choice.type], of: version, on: pasteboard, isManager: isManager(client))
            }
            return (found, count, isStale)
        }
        switch found {
        case .whole(let found):
            return .whole(try client.answer(parameters, with: found, count: count, isStale: isStale))
        case .stream(let choice, let stream):
            let reply = Methods.Get.Reply(
                count: count, item: choice.item, type: choice.type.identifier, target: choice.target,
                bytes: WireBytes(descriptor: 0, offset: 0, length: 0), stream: true)
            return .stream(reply, stream)
        }
    }

    /// Returns the bytes of an entry of the history that answer a reader.
    func getEntry(
        _ parameters: Methods.Get.Parameters, for client: ClientSession
    ) async throws(BridgeError) -> Answer<Methods.Get.Reply> {
        let request = try ReadRequest(parameters)
        let (version, count) = try await historyEntry(parameters.entry ?? 0)
        try client.link?.checkMayKnow(version)
        let found: Found
        do {
            found = try await answer(request, from: client.permitted(version.formats), by: version.conversions)
        } catch {
            throw BridgeError(error)
        }
        return try client.answer(parameters, with: found, count: count)
    }

    func isManager(_ client: ClientSession) -> Bool { clipboardManager.isManager(process: client.process) }

    /// Returns the answer to a request from the holder of a pasteboard. If a foreign owner does not answer and the
    /// reader allows it, the answer comes from the captured contents.
    private func find(
        _ request: ReadRequest, on pasteboard: PasteboardState, for client: ClientSession, allowsStale: Bool
    ) async throws(ForeignReader.Failure) -> (found: FoundOrStream, isStale: Bool) {
        if let version = pasteboard.version { return (try await answer(request, from: version, for: client), false) }
        // The capture of the owner that is asked, which may be replaced meanwhile.
        guard let captured = pasteboard.captured, client.permitted(captured.formats).choice(for: request) != nil else {
            return (try await findForeign(request, on: pasteboard, for: client), false)
        }
        let isStale: Bool
        do {
            let found = try await executor.withTimeout(
                Self.waitingOwnerGrace,
                since: {
                    ProcessState.isAncestor(captured.writer.process, of: client.process) ? nil : .now
                }
            ) { [self] () async throws(ForeignReader.Failure) in
                try await findForeign(request, on: pasteboard, for: client)
            }
            if let found { return (found, false) }
            isStale = false
        } catch {
            guard case .error(let error) = error, error.code == .ownerSilent, allowsStale else { throw error }
            isStale = true
        }
        let formats = client.permitted(captured.formats)
        return (.whole(try await answer(request, from: formats, by: captured.conversions)), isStale)
    }

    /// The time that an owner has to answer a reader which it has started itself, as Emacs starts xclip: it answers
    /// nobody until the reader ends.
    private static let waitingOwnerGrace = Duration.milliseconds(250)

    private func answer(
        _ request: ReadRequest, from version: PasteboardState.Version, for client: ClientSession
    ) async throws(ForeignReader.Failure) -> FoundOrStream {
        try await answer(request, from: client.permitted(version.formats)) { [self] choice throws(ConversionFailure) in
            // Contents for one paste stay until all bytes are there.
            guard request.streams, !version.options.once, case .source(let index) = choice.derivation,
                case .promised(let promise, let target) = version.sources[index], promise.isOpen
            else {
                let bytes = try await convert(choice.derivation, by: version.conversions, within: request.timeout)
                return .whole(Found(choice: choice, bytes: bytes))
            }
            return try await begin(choice, for: client) { [executor] (onPart) async throws(ConversionFailure) in
                let read = try await executor.withTimeout(request.timeout, since: { promise.progress }) {
                    () async throws(ConversionFailure) in
                    try await promise.read(onPart: onPart).map {
                        EncodedBytes($0.file, $0.range, target: target)
                    }
                }
                guard let read else { throw .source(BridgeError.promiseTimedOut) }
                return read
            }
        }
    }

    private func findForeign(
        _ request: ReadRequest, on pasteboard: PasteboardState, for client: ClientSession
    ) async throws(ForeignReader.Failure) -> FoundOrStream {
        // The captured bytes answer if the owner dies in the middle, which a stream could not take back.
        let captured = pasteboard.captured?.formats.sources.compactMap(\.target) ?? []
        if let known = pasteboard.listedTargets {
            let reader = foreign.reader(of: pasteboard, idleTimeout: request.timeout)
            reader.known = known
            do {
                return try await answer(request, from: reader, besides: captured, for: client)
            } catch {
                // The owner may have other targets meanwhile.
                guard case .error(let error) = error, error.code == .noSuchType else { throw error }
                guard pasteboard.isForeign, !Task.isCancelled else { throw .ownerReplaced }
            }
        }
        let reader = foreign.reader(of: pasteboard, idleTimeout: request.timeout)
        reader.onList = pasteboard.notesTargets()
        return try await answer(request, from: reader, besides: captured, for: client)
    }

    /// - Parameter captured: The targets whose bytes are not streamed.
    private func answer(
        _ request: ReadRequest, from reader: ForeignReader, besides captured: [String], for client: ClientSession
    ) async throws(ForeignReader.Failure) -> FoundOrStream {
        let contents = try await foreign.contents(of: reader)
        let formats = client.permitted(contents.formats)
        return try await answer(request, from: formats) { [self] choice throws(ConversionFailure) in
            // Only bytes that the reader gets as they are can be passed on before all of them are there.
            guard request.streams, case .source(let index) = choice.derivation, let offered = contents.offered,
                !contents.isSecret, !captured.contains(offered[index].target)
            else {
                let bytes = try await convert(choice.derivation, by: contents.conversions, within: request.timeout)
                return .whole(Found(choice: choice, bytes: bytes))
            }
            return try await begin(choice, for: client) { (onPart) async throws(ConversionFailure) in
                try await reader.bytes(of: offered[index], source: index, onPart: onPart)
            }
        }
    }

    private func begin(
        _ choice: FormatChoice, for client: ClientSession, _ receive: @escaping ReaderStream.Receiver
    ) async throws(ConversionFailure) -> FoundOrStream {
        let beginning = try await ReaderStream.begin(
            on: executor, loop: client.loop, held: display.bytes, receive)
        return switch beginning {
        case .stream(let stream): .stream(choice, stream)
        case .whole(let bytes): .whole(Found(choice: choice, bytes: bytes))
        }
    }

    /// The maximum number of types that are tried if the owner refuses what it offers.
    private static let maxRefusals = 32

    /// Returns the format that answers a request, passing over formats that turn out to be unavailable: Emacs and GTK 4
    /// offer targets that they refuse, and Latin-1 does not hold every text.
    func answer(
        _ request: ReadRequest, from formats: FormatCatalog, by conversions: ConversionCache
    ) async throws(ForeignReader.Failure) -> Found {
        try await answer(request, from: formats) { [self] choice throws(ConversionFailure) in
            let bytes = try await convert(choice.derivation, by: conversions, within: request.timeout)
            return Found(choice: choice, bytes: bytes)
        }
    }

    private func answer<Value>(
        _ request: ReadRequest, from formats: FormatCatalog,
        _ read: (FormatChoice) async throws(ConversionFailure) -> Value
    ) async throws(ForeignReader.Failure) -> Value {
        var unavailable: Set<Derivation> = []
        var reason: BridgeError?
        while unavailable.count <= Self.maxRefusals, let choice = formats.choice(for: request, without: unavailable) {
            do {
                return try await read(choice)
            } catch {
                switch error {
                case .refused(let source): unavailable.insert(.source(source))
                case .impossible(let why):
                    unavailable.insert(choice.derivation)
                    reason = reason ?? formats.noAnswer(to: request, reason: why)
                // The reader's next type may be available; the failure is reported if none is.
                case .failed(let why):
                    unavailable.insert(choice.derivation)
                    reason = BridgeError(.transferBroken, why)
                case .promiseBroken(let why):
                    unavailable.insert(choice.derivation)
                    reason = BridgeError(.promiseBroken, why)
                case .noEntry(let entry, let count): throw .error(.noItem(entry, of: count))
                case .broken(let why): throw .error(BridgeError(.transferBroken, why))
                case .source(let failure): throw ForeignReader.Failure(failure)
                }
            }
        }
        throw .error(reason ?? formats.noAnswer(to: request, isRefused: !unavailable.isEmpty))
    }

    /// Makes a format. The timeout is that of the conversion, and the idle time of a promise before it; a foreign
    /// owner's idle time is measured by its reader.
    func convert(
        _ derivation: Derivation, by conversions: ConversionCache, within timeout: Duration
    ) async throws(ConversionFailure) -> EncodedBytes {
        if let bytes = conversions.present(derivation) { return bytes }
        let missing = derivation.sources.sorted().filter { conversions.present(.source($0)) == nil }
        for source in missing {
            if conversions.sources.timesOut {
                _ = try await conversions.bytes(of: .source(source))
            } else if try await conversions.bytes(of: .source(source), idleTimeout: timeout) == nil {
                throw .source(BridgeError.promiseTimedOut)
            }
        }
        guard let bytes = try await conversions.bytes(of: derivation, idleTimeout: timeout) else {
            throw .source(BridgeError.conversionTimedOut)
        }
        return bytes
    }
}

extension ForeignReader.Failure {
    /// Creates the failure to read a source.
    init(_ error: any Error) {
        switch error {
        case let failure as ForeignReader.Failure: self = failure
        case let error as BridgeError: self = .error(error)
        default: self = .error(BridgeError(.transferBroken, "the bytes could not be read: \(error)"))
        }
    }
}

extension FormatCatalog {
    fileprivate func choice(for request: ReadRequest, without unavailable: Set<Derivation> = []) -> FormatChoice? {
        choice(for: request.queries, item: request.item, exact: request.isExact, without: unavailable)
    }

    /// The error of a request that nothing answers.
    fileprivate func noAnswer(to request: ReadRequest, isRefused: Bool = false, reason: String? = nil) -> BridgeError {
        if let item = request.item, item >= itemCount { return .noItem(item, of: itemCount) }
        let items = request.item.map { $0..<$0 + 1 } ?? 0..<itemCount
        let offered = real(items: items) + (request.isExact ? [] : derived(items: items))
        // A dynamic identifier means nothing to people.
        let types = offered.map { $0.type.isDynamic ? $0.target ?? $0.type.identifier : $0.type.identifier }
        return .noSuchType(offered: types, isRefused: isRefused, reason: reason)
    }
}

extension BridgeError {
    static func noItem(_ item: Int, of count: Int) -> BridgeError {
        let there = count == 1 ? "is 1 item" : "are \(count) items"
        return BridgeError(.noSuchItem, "there is no item \(item): there \(there), counted from 0")
    }

    /// Returns the error for a reader none of whose types is available; it lists the available types.
    ///
    /// - Parameter reason: The reason why the contents could not be brought into the format asked for.
    fileprivate static func noSuchType(offered: [String], isRefused: Bool, reason: String?) -> BridgeError {
        var seen: Set<String> = []
        let types = offered.filter { seen.insert($0).inserted }
        let reason =
            reason
            ?? (isRefused
                ? "the owner refuses what it offers of the types asked for" : "none of the types asked for is there")
        return BridgeError(.noSuchType, types.isEmpty ? "\(reason); nothing is on offer" : reason, types: types)
    }

    fileprivate static let promiseTimedOut = BridgeError(
        .ownerSilent, "the program that promised that type did not provide it in time")

    fileprivate static let conversionTimedOut = BridgeError(
        .ownerSilent, "converting to that type takes longer than the timeout")
}
