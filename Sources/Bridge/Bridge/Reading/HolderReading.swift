import BridgeServer
import BridgeState
import EventLoop
import FormatConversion
import LinuxSystem
import PasteboardModel
import PasteboardWire
import X11Bridge

/// The reading of a pasteboard from its holder: the contents that a client wrote, or another program's selection.
extension Service {
    /// The number of times that the owner may change while a call reads from it.
    private static let maxOwnerChanges = 3

    /// Returns the result of `read` for a pasteboard that has a holder. If a foreign owner is replaced during the
    /// reading, the new owner is read.
    func withHolder<Value>(
        of name: String, _ read: (PasteboardState) async throws(ForeignReader.Failure) -> Value
    ) async throws(BridgeError) -> Value {
        for _ in 0...Self.maxOwnerChanges {
            let pasteboard = try registry.existing(name)
            if pasteboard.isHeldByNobody { throw .nothing(on: pasteboard) }
            do {
                return try await read(pasteboard)
            } catch {
                guard case .ownerReplaced = error else {
                    throw pasteboard.isHeldByNobody ? .nothing(on: pasteboard) : BridgeError(error)
                }
            }
        }
        throw .ownerKeepsChanging
    }

    /// The timeout for an owner to answer a reader that the owner itself has started, as Emacs starts xclip. Such an
    /// owner answers no request until the reader ends.
    private static let waitingOwnerGrace = Duration.milliseconds(250)

    /// Reads the format of a pasteboard that answers a request. If a foreign owner does not answer, the captured
    /// contents are read if the reader allows stale contents, or if the owner waits for the reader.
    func readHolder(
        of pasteboard: PasteboardState, _ request: ReadRequest, for client: Client, allowsStale: Bool
    ) async throws(ForeignReader.Failure) -> (Reading, isStale: Bool) {
        if let version = pasteboard.version { return (try await readVersion(version, request, for: client), false) }
        // The capture of the owner that is read: another owner may replace it.
        guard let captured = pasteboard.captured, client.permitted(captured.formats).choice(for: request) != nil else {
            return (try await readOwner(of: pasteboard, request, for: client), false)
        }
        let isStale: Bool
        do {
            let reading = try await executor.withTimeout(
                Self.waitingOwnerGrace,
                since: { ProcessState.isAncestor(captured.writer.process, of: client.process) ? nil : .now }
            ) { [self] () async throws(ForeignReader.Failure) in
                try await readOwner(of: pasteboard, request, for: client)
            }
            if let reading { return (reading, false) }
            isStale = false
        } catch {
            guard case .error(let error) = error, error.code == .ownerSilent, allowsStale else { throw error }
            isStale = true
        }
        let formats = client.permitted(captured.formats)
        let (choice, bytes) = try await readFormat(of: formats, request, by: captured.conversions)
        return (.whole(choice, bytes), isStale)
    }

    private func readVersion(
        _ version: PasteboardState.Version, _ request: ReadRequest, for client: Client
    ) async throws(ForeignReader.Failure) -> Reading {
        try await client.permitted(version.formats).first(answering: request) {
            [self] choice throws(ConversionFailure) in
            // Contents for one paste are not streamed: a read counts as the paste only when all bytes have arrived.
            guard request.streams, !version.tracksPastes, case .source(let index) = choice.derivation,
                case .promised(let promise, let target) = version.sources[index], promise.isOpen
            else {
                return .whole(
                    choice, try await version.conversions.bytes(of: choice.derivation, within: request.timeout))
            }
            return try await stream(choice, to: client) { [executor] (onPart) async throws(ConversionFailure) in
                let read = try await executor.withTimeout(request.timeout, since: { promise.progress }) {
                    () async throws(ConversionFailure) in try await promise.read(onPart: onPart)
                }
                guard let read else { throw .source(BridgeError.promiseTimedOut) }
                return read.map { EncodedBytes($0.file, $0.range, target: target) }
            }
        }
    }

    private func readOwner(
        of pasteboard: PasteboardState, _ request: ReadRequest, for client: Client
    ) async throws(ForeignReader.Failure) -> Reading {
        // If the owner dies midway, captured bytes can be the answer, but streamed bytes cannot be taken back.
        let captured = pasteboard.captured?.formats.sources.compactMap(\.target) ?? []
        if let known = pasteboard.listedTargets {
            let reader = foreign.reader(of: pasteboard, idleTimeout: request.timeout)
            reader.known = known
            do {
                return try await readSelection(by: reader, request, besides: captured, for: client)
            } catch {
                // The owner may have other targets by now.
                guard case .error(let error) = error, error.code == .noSuchType else { throw error }
                guard pasteboard.isForeign, !Task.isCancelled else { throw .ownerReplaced }
            }
        }
        let reader = foreign.reader(of: pasteboard, idleTimeout: request.timeout)
        reader.onList = pasteboard.notesTargets()
        return try await readSelection(by: reader, request, besides: captured, for: client)
    }

    /// - Parameter captured: The targets whose bytes are not streamed.
    private func readSelection(
        by reader: ForeignReader, _ request: ReadRequest, besides captured: [String], for client: Client
    ) async throws(ForeignReader.Failure) -> Reading {
        let contents = try await foreign.contents(of: reader)
        let formats = client.permitted(contents.formats)
        return try await formats.first(answering: request) { [self] choice throws(ConversionFailure) in
            // Only bytes that the reader gets as they are can be passed on before all of them are there.
            guard request.streams, case .source(let index) = choice.derivation, let offered = contents.offered,
                !contents.isSecret, !captured.contains(offered[index].target)
            else {
                return .whole(
                    choice, try await contents.conversions.bytes(of: choice.derivation, within: request.timeout))
            }
            return try await stream(choice, to: client) { (onPart) async throws(ConversionFailure) in
                try await reader.bytes(of: offered[index], source: index, onPart: onPart)
            }
        }
    }

    private func stream(
        _ choice: FormatChoice, to client: Client, _ receive: @escaping ReaderStream.Receiver
    ) async throws(ConversionFailure) -> Reading {
        let beginning = try await ReaderStream.begin(
            on: executor, loop: client.session.loop, held: display.bytes, receive)
        return switch beginning {
        case .stream(let stream): .stream(choice, stream)
        case .whole(let bytes): .whole(choice, bytes)
        }
    }

    // MARK: Formats

    /// Reads the format that answers a request from contents that are at hand or promised.
    func readFormat(
        of formats: FormatCatalog, _ request: ReadRequest, by conversions: ConversionCache
    ) async throws(ForeignReader.Failure) -> (FormatChoice, EncodedBytes) {
        try await formats.first(answering: request) { choice throws(ConversionFailure) in
            (choice, try await conversions.bytes(of: choice.derivation, within: request.timeout))
        }
    }
}

extension ConversionCache {
    /// Returns the bytes of a format, after reading or making them. The timeout applies to the conversion, and before
    /// that to a promise's idle time. The reader of a foreign owner measures the owner's idle time.
    func bytes(of derivation: Derivation, within timeout: Duration) async throws(ConversionFailure) -> EncodedBytes {
        if let bytes = present(derivation) { return bytes }
        let missing = derivation.sources.sorted().filter { present(.source($0)) == nil }
        for source in missing {
            if sources.timesOut {
                _ = try await bytes(of: .source(source))
            } else if try await bytes(of: .source(source), idleTimeout: timeout) == nil {
                throw .source(BridgeError.promiseTimedOut)
            }
        }
        guard let bytes = try await bytes(of: derivation, idleTimeout: timeout) else {
            throw .source(BridgeError.conversionTimedOut)
        }
        return bytes
    }
}

extension BridgeError {
    fileprivate static let promiseTimedOut = BridgeError(
        .ownerSilent, "the program that promised that type did not provide it in time")

    fileprivate static let conversionTimedOut = BridgeError(
        .ownerSilent, "converting to that type takes longer than the timeout")
}
