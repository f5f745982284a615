package import EventLoop
package import Formats
import LinuxSystem

/// Xlib's converter of compound text, which runs on the X thread.
package struct CompoundTextConverter {
    package enum Direction {
        case toCompoundText, fromCompoundText
    }

    /// The maximum length of text, in bytes. Longer text is converted by this module's steps, because the X thread
    /// serves X clients.
    let maxLength: Int
    package let convert: (Direction, [UInt8]) async throws(ConversionFailure) -> [UInt8]

    package init(maxLength: Int, convert: @escaping (Direction, [UInt8]) async throws(ConversionFailure) -> [UInt8]) {
        self.maxLength = maxLength
        self.convert = convert
    }
}

/// Returns a key for the files of a list; see ``ConversionStep/transferKey``.
package typealias FileTransfer = (URIList) async throws(ConversionFailure) -> String

/// The conversions of one version's sources. Each conversion is carried out once, and shared by all tasks that ask for
/// it.
package final class ConversionCache {
    /// The representations of the version.
    package struct Sources {
        package let present: (Int) -> EncodedBytes?
        let read: (Int) async throws(ConversionFailure) -> EncodedBytes
        /// True if ``read`` itself times out.
        package let timesOut: Bool
        /// Returns the time at which bytes of a source that is being read arrived last; nil if no bytes have arrived.
        let progress: (Int) -> ContinuousClock.Instant?

        package init(
            present: @escaping (Int) -> EncodedBytes?,
            read: @escaping (Int) async throws(ConversionFailure) -> EncodedBytes, timesOut: Bool,
            progress: @escaping (Int) -> ContinuousClock.Instant? = { _ in nil }
        ) {
            self.present = present
            self.read = read
            self.timesOut = timesOut
            self.progress = progress
        }
    }

    /// A conversion under way, with the tasks that wait for it.
    private final class Work {
        var task: LoopTask?
        var waiting: [ObjectIdentifier: PendingValue<Outcome>] = [:]
    }

    private typealias Outcome = Result<EncodedBytes, ConversionFailure>

    private enum State {
        case underWay(Work)
        case ended(Outcome)
    }

    package let sources: Sources
    private let pool: ConversionPool
    private let compoundText: CompoundTextConverter
    private let fileTransfer: FileTransfer?
    private let executor: EventLoopExecutor
    private var states: [Derivation: State] = [:]

    package init(
        _ sources: Sources, pool: ConversionPool, compoundText: CompoundTextConverter,
        fileTransfer: FileTransfer? = nil, executor: EventLoopExecutor
    ) {
        self.sources = sources
        self.pool = pool
        self.compoundText = compoundText
        self.fileTransfer = fileTransfer
        self.executor = executor
    }

    /// Returns the bytes of a derivation if they are available at once.
    package func present(_ derivation: Derivation) -> EncodedBytes? {
        if case .ended(.success(let bytes)) = states[derivation] { return bytes }
        guard case .source(let index) = derivation else { return nil }
        return sources.present(index)
    }

    /// Returns the bytes of a derivation. If the task is cancelled and no other task waits for them, the conversion is
    /// cancelled too.
    package func bytes(of derivation: Derivation) async throws(ConversionFailure) -> EncodedBytes {
        if let bytes = present(derivation) { return bytes }
        switch states[derivation] {
        case .ended(let outcome): return try outcome.get()
        case .underWay(let work): return try await wait(for: work)
        case nil:
            let work = Work()
            states[derivation] = .underWay(work)
            return try await wait(for: work) { [self] in
                work.task = executor.start { await self.make(derivation, for: work) }
            }
        }
    }

    /// Returns the bytes of a derivation, or nil after a timeout. The timeout restarts whenever bytes of the sources
    /// arrive.
    package func bytes(
        of derivation: Derivation, idleTimeout: Duration
    ) async throws(ConversionFailure) -> EncodedBytes? {
        let sources = derivation.sources
        return try await executor.withTimeout(
            idleTimeout, since: { [self] in sources.compactMap(self.sources.progress).max() }
        ) { [self] () async throws(ConversionFailure) in
            try await bytes(of: derivation)
        }
    }

    private func wait(for work: Work, starting start: () -> Void = {}) async throws(ConversionFailure) -> EncodedBytes {
        let outcome = PendingValue<Outcome>()
        let key = ObjectIdentifier(outcome)
        work.waiting[key] = outcome
        start()
        let result = await outcome.get {
            work.waiting[key] = nil
            if work.waiting.isEmpty { work.task?.cancel() }
            outcome.deliver(.failure(.broken("the conversion was cancelled")))
        }
        return try result.get()
    }

    private func make(_ derivation: Derivation, for work: Work) async {
        let outcome: Outcome
        do throws(ConversionFailure) {
            outcome = .success(try await derive(derivation))
        } catch {
            outcome = .failure(error)
        }
        // A failure that is not final may succeed the next time, when the owner answers or the display is back.
        states[derivation] = outcome.isFinal && derivation.isCached ? .ended(outcome) : nil
        for waiting in work.waiting.values { waiting.deliver(outcome) }
    }

    private func derive(_ derivation: Derivation) async throws(ConversionFailure) -> EncodedBytes {
        switch derivation {
        case .source(let index): try await sources.read(index)
        case .made(let step, let parts): try await perform(step, on: try await self.bytes(of: parts, for: step))
        }
    }

    private func bytes(
        of parts: [Derivation], for step: ConversionStep
    ) async throws(ConversionFailure) -> [EncodedBytes] {
        var bytes: [EncodedBytes] = []
        bytes.reserveCapacity(parts.count)
        for part in parts {
            do throws(ConversionFailure) {
                bytes.append(try await self.bytes(of: part))
            } catch {
                // An item whose markup has no text adds no text.
                guard case .impossible = error, step == .joinedTexts, part != parts.last || !bytes.isEmpty else {
                    throw error
                }
            }
            if Task.isCancelled { throw .broken("the conversion was cancelled") }
        }
        return bytes
    }

    private func perform(
        _ step: ConversionStep, on parts: [EncodedBytes]
    ) async throws(ConversionFailure) -> EncodedBytes {
        if parts.contains(where: { $0.held.secret != nil }) {
            guard let unchanged = step.unchanged(parts) else { throw .secret }
            return unchanged
        }
        if step == .transferKey, let fileTransfer {
            return try .of(Array(try await fileTransfer(try ConversionStep.list(parts)).utf8))
        }
        guard let direction = step.compoundTextDirection(of: parts, maxLength: compoundText.maxLength) else {
            return try await pool.run(step, on: parts)
        }
        let text = try parts[0].bytes()
        let whole = direction == .toCompoundText ? ConversionStep.compoundTextCharacters(text) : text
        return try .of(try await compoundText.convert(direction, whole))
    }
}

extension ConversionStep {
    /// Returns the direction of a conversion that only Xlib can do.
    fileprivate func compoundTextDirection(
        of parts: [EncodedBytes], maxLength: Int
    ) -> CompoundTextConverter.Direction? {
        guard let length = parts.first?.range.count, length <= maxLength else { return nil }
        return switch self {
        case .compoundText: .toCompoundText
        case .utf8Text where parts.first?.isCompoundText == true: .fromCompoundText
        default: nil
        }
    }
}

extension Result where Success == EncodedBytes, Failure == ConversionFailure {
    /// True if another try would end the same way.
    fileprivate var isFinal: Bool {
        switch self {
        case .success, .failure(.impossible), .failure(.failed), .failure(.noEntry): true
        // A broken promise may be renewed.
        case .failure(.broken), .failure(.source), .failure(.refused), .failure(.promiseBroken): false
        }
    }
}

extension Derivation {
    /// True if the result is cached, which costs a descriptor. Entries of a list are not cached: each is computed
    /// quickly, and there may be thousands of them.
    fileprivate var isCached: Bool {
        guard case .made(let step, _) = self else { return true }
        switch step {
        case .listEntry, .urlLines, .linkAddress, .colorText, .constant, .cutMark: return false
        case .utf8Text, .latin1Text, .replacingLatin1Text, .compoundText, .utf8HTML, .plainTextFromHTML,
            .plainTextFromRTF, .joinedTexts, .archive, .fileList, .copiedFiles, .pathLines, .mozillaLink, .netscapeLink,
            .color, .transferKey, .filter:
            return true
        }
    }
}
