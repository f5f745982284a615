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

    private let registry: PasteboardRegistry
    private let settings: Settings
    private let versions: VersionFactory
    private let foreign: ForeignSelections
    private let executor: EventLoopExecutor
    private let logger: Logger
    var writer: Writer?
    /// The versions that were copied to each pasteboard last.
    private var copies: [PasteboardName: OfferID] = [:]
    /// The tasks that copy the latest contents of each pasteboard.
    private var tasks: [PasteboardName: LoopTask] = [:]

    /// The timeout for each step of an owner whose text is compared.
    private static let readTimeout = Duration.seconds(1)
    /// The limit on text that is compared, in bytes. Longer text counts as different.
    private static let maxCompared = 1 << 20

    init(
        registry: PasteboardRegistry, settings: Settings, versions: VersionFactory, foreign: ForeignSelections,
        executor: EventLoopExecutor, logger: Logger
    ) {
        self.registry = registry
        self.settings = settings
        self.versions = versions
        self.foreign = foreign
        self.executor = executor
        self.logger = logger
    }

    /// Copies the contents of a pasteboard that has changed, or whose contents are captured.
    func contentsChanged(on source: PasteboardState) {
        guard source.name == .general || source.name == .find else { return }
        tasks.removeValue(forKey: source.name)?.cancel()
        let other = source.name == .general ? PasteboardName.find : .general
        guard settings.configuration.sync.copies(fromFind: source.name == .find), let target = registry[other] else {
            return
        }
        let version = source.captured ?? source.version
        if version?.isBlank ?? source.isHeldByNobody {
            if source.name == .general { start(source) { [self] in await removeCopy(of: source, from: target) } }
        } else if let version, version.maySync, version.id != copies[source.name] {
            start(source) { [self] in
                if !source.isForeign {
                    await executor.sleep(until: .now + .seconds(settings.configuration.captureDelay))
                }
                if !Task.isCancelled { await copy(version, of: source, to: target) }
            }
        }
    }

    private func start(_ source: PasteboardState, _ body: @escaping () async -> Void) {
        tasks[source.name] = executor.start(body)
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
        copies[target.name] = copy.id
        await perform("copied") { (writer) throws(BridgeError) in try await writer.write(copy, target) }
    }

    /// Removes the copy of contents that were removed or, as password tools do, replaced with empty text. Otherwise a
    /// password would stay in PRIMARY.
    private func removeCopy(of source: PasteboardState, from target: PasteboardState) async {
        guard let version = target.version, version.id == copies[target.name] else { return }
        version.restorable?.didDelete()
        await perform("removed") { (writer) throws(BridgeError) in try await writer.clear(target, source.origin) }
        target.undo.removeAll { !$0.isRestorable }
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
