import BridgeState
import Configuration
import EventLoop
import FormatConversion
import Logging
import PasteboardModel
import PasteboardWire
import SelectionProtocol
import UniformTypes

/// The copying of new contents between `general` and `find`, for users who want CLIPBOARD and PRIMARY to be the same:
/// see the setting `sync`.
///
/// A program's contents are copied when their capture is complete, and thus within the rules for captures. A client's
/// contents are copied once no newer contents have come for the capture delay. Secrets, contents that are removed by
/// themselves, and promises stay where they are.
///
/// The other pasteboard keeps its owner if it has the same text, since a terminal that loses PRIMARY loses its
/// highlight. A copy is never copied back.
final class PasteboardSync {
    /// The writing of pasteboards, which is up to the service.
    struct Writer {
        /// Writes a version, unless the pasteboard has a later change.
        let write: (PasteboardState.Version, PasteboardState) async throws(BridgeError) -> Void
        /// Clears a pasteboard, unless it has a change that is later than an origin.
        let clear: (PasteboardState, ContentsOrigin) async throws(BridgeError) -> Void
    }

    /// A version that was copied from the other pasteboard.
    private struct Copy {
        let id: OfferID
        let restorable: RestorableContents?
        /// The version that was copied.
        let source: OfferID
    }

    private let registry: PasteboardRegistry
    private let persistence: PasteboardPersistence
    private let settings: Settings
    private let versions: VersionFactory
    private let foreign: ForeignSelections
    private let executor: EventLoopExecutor
    private let logger: Logger
    var writer: Writer?
    /// The latest copy on each pasteboard.
    private var copies: [PasteboardName: Copy] = [:]
    /// The count of the latest step of each pasteboard. Contents that were found when a display was attached have no
    /// step, and are not new.
    private var steps: [PasteboardName: Int] = [:]
    /// The tasks that wait for the latest contents of each pasteboard and compare them.
    private var tasks: [PasteboardName: LoopTask] = [:]

    /// The timeout for each step of an owner whose text is compared.
    private static let readTimeout = Duration.seconds(1)
    /// The limit on text that is compared, in bytes. Longer text counts as different.
    private static let maxCompared = 1 << 20

    init(
        registry: PasteboardRegistry, persistence: PasteboardPersistence, settings: Settings, versions: VersionFactory,
        foreign: ForeignSelections, executor: EventLoopExecutor, logger: Logger
    ) {
        self.registry = registry
        self.persistence = persistence
        self.settings = settings
        self.versions = versions
        self.foreign = foreign
        self.executor = executor
        self.logger = logger
    }

    /// Copies the contents of a pasteboard that has changed.
    func changed(_ source: PasteboardState) {
        guard source.name == .general || source.name == .find else { return }
        steps[source.name] = source.count
        contentsChanged(on: source)
    }

    /// Copies the captured contents of a program.
    func captured(_ source: PasteboardState) {
        if steps[source.name] == source.count { contentsChanged(on: source) }
    }

    private func contentsChanged(on source: PasteboardState) {
        tasks.removeValue(forKey: source.name)?.cancel()
        guard settings.configuration.sync.copies(fromFind: source.name == .find), let target = target(of: source) else {
            return
        }
        let version = source.captured ?? source.version
        if version?.isBlank ?? source.isHeldByNobody {
            if source.name == .general { executor.start { [self] in await removeCopy(of: source, from: target) } }
        } else if let version, version.maySync, version.id != copies[source.name]?.id {
            tasks[source.name] = executor.start { [self] in
                if !source.isForeign {
                    await executor.sleep(until: .now + .seconds(settings.configuration.captureDelay))
                }
                if !Task.isCancelled { await copy(version, of: source, to: target) }
            }
        }
    }

    private func target(of source: PasteboardState) -> PasteboardState? {
        registry[source.name == .general ? .find : .general]
    }

    private func copy(
        _ version: PasteboardState.Version, of source: PasteboardState, to target: PasteboardState
    ) async {
        let origin = source.origin
        if let known = await text(of: version), await text(on: target) == known { return }
        guard !Task.isCancelled else { return }
        var draft = version.draft
        // PRIMARY is not recorded: a password that its program removes would stay in the history.
        if target.name == .find { draft.isMemoryOnly = true } else if source.isForeign { draft.isMemoryOnly = false }
        let writer = PasteboardState.Writer(
            process: version.writer.process, program: version.writer.program, origin: origin, yieldsToLater: true)
        let copy = versions.version(of: draft, by: writer, as: .copy(action: writer.action))
        // For the same reason, undo passes over the copy.
        if target.name == .find { copy.restorable?.didDelete() }
        copies[target.name] = Copy(id: copy.id, restorable: copy.restorable, source: version.id)
        // A write that has begun is completed, even if newer contents come and cancel this task.
        executor.start { [self] in
            await perform("copied") { (writer) throws(BridgeError) in try await writer.write(copy, target) }
        }
    }

    /// Removes the copy of contents that were removed or, as password tools do, replaced with empty text.
    private func removeCopy(of source: PasteboardState, from target: PasteboardState) async {
        guard let version = target.version, version.id == copies[target.name]?.id else { return }
        await perform("removed") { (writer) throws(BridgeError) in try await writer.clear(target, source.origin) }
    }

    /// Forgets the copy of a password that its program has removed: the copy leaves its pasteboard, undo and the
    /// history.
    func forget(_ version: OfferID, of source: PasteboardState) {
        guard let target = target(of: source), let copy = copies[target.name], copy.source == version else { return }
        copy.restorable?.didDelete()
        executor.start { [self] in
            await removeCopy(of: source, from: target)
            target.undo.removeAll { !$0.isRestorable }
            persistence.writeRecord(of: target, withdrawing: [copy.restorable?.entry].compactMap(\.self))
        }
    }

    private func perform(_ action: String, _ body: (Writer) async throws(BridgeError) -> Void) async {
        guard let writer else { return }
        do {
            try await body(writer)
        } catch {
            logger.info("the contents were not \(action) for the setting sync: \(error.message)")
        }
    }

    // MARK: Comparing

    private func text(of version: PasteboardState.Version) async -> [UInt8]? {
        await Self.text(of: version.formats, by: version.conversions)
    }

    private func text(on pasteboard: PasteboardState) async -> [UInt8]? {
        if let version = pasteboard.captured ?? pasteboard.version { return await text(of: version) }
        guard pasteboard.isForeign else { return nil }
        let reader = foreign.reader(of: pasteboard, idleTimeout: Self.readTimeout)
        guard let contents = try? await foreign.contents(of: reader), !contents.isSecret else { return nil }
        return await Self.text(of: contents.formats, by: contents.conversions)
    }

    private static func text(of formats: FormatCatalog, by conversions: ConversionCache) async -> [UInt8]? {
        guard let choice = formats.choice(for: [.identifier(.utf8PlainText)]),
            let bytes = try? await conversions.bytes(of: choice.derivation, within: readTimeout),
            bytes.range.count <= maxCompared
        else { return nil }
        return try? bytes.bytes()
    }
}

extension PasteboardState.Version {
    /// True for contents that may be on both pasteboards. Promised bytes are made only for a program that asks.
    fileprivate var maySync: Bool { !hasHint && promises.isEmpty }
}
