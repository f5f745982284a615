package import BridgeState
import Configuration
import EventLoop
import FormatConversion
import LinuxSystem
import Logging
import PasteboardModel
package import PasteboardWire
import SelectionCrossing
import SelectionProtocol
import UniformTypes
import X11Bridge

/// The capture of contents that other programs have copied, so that the contents outlive their owners.
///
/// A foreign owner is asked for its contents as long as it lives. When the owner dies and no other owner follows, the
/// captured contents become the pasteboard's: see ``keep(on:)``.
package final class CaptureController {
    private struct Entry {
        let capture: Capture
        /// The task that waits, captures and times out; cancelled when the capture is replaced.
        var task: LoopTask?
    }

    weak var observer: (any CaptureObserver)?
    /// Called with a version that a pasteboard had, when it is forgotten as a password.
    var onForget: (OfferID, PasteboardState) -> Void = { _, _ in }
    private let display: DisplayProxy
    private let settings: Settings
    private let versions: VersionFactory
    private let persistence: PasteboardPersistence
    private let foreign: ForeignSelections
    private let lifetime: BridgeLifetime
    private let executor: EventLoopExecutor
    private let logger: Logger
    /// The latest capture of each pasteboard that another program holds.
    private var entries: [ObjectIdentifier: Entry] = [:]
    private var removed = RemovedContents()
    private var replaced = ReplacedTexts()
    /// The latest contents that were lost with their programs, oldest first.
    package private(set) var losses: [WireLoss] = []

    /// The timeout for the capture of one copy: a slow transfer might never end.
    private static let timeout = Duration.seconds(30)
    /// The pause between checks of whether the user has finished selecting.
    private static let selectingPause = Duration.milliseconds(200)
    /// The maximum number of ``losses``.
    private static let maxLosses = 16

    init(
        display: DisplayProxy, settings: Settings, versions: VersionFactory, persistence: PasteboardPersistence,
        foreign: ForeignSelections, lifetime: BridgeLifetime, executor: EventLoopExecutor, logger: Logger
    ) {
        self.display = display
        self.settings = settings
        self.versions = versions
        self.persistence = persistence
        self.foreign = foreign
        self.lifetime = lifetime
        self.executor = executor
        self.logger = logger
    }

    /// Remembers contents that a pasteboard has lost, so that they are not captured if a program puts them back.
    ///
    /// - Parameter isReplaced: True if other contents have replaced the lost contents.
    func noteRemoval(of version: PasteboardState.Version, isReplaced: Bool) {
        removed.note(version, isReplaced: isReplaced, now: .now)
    }

    /// Records the contents of a pasteboard that are about to be replaced.
    func noteReplacement(on pasteboard: PasteboardState) { replaced.note(pasteboard) }

    // MARK: After each copy

    /// Ends the capture of the former owner's contents. Captures the new owner's contents once no newer contents have
    /// come for a while.
    func ownerChanged(_ pasteboard: PasteboardState) {
        let capture = replaceCapture(of: pasteboard, rules: CaptureRules(settings.configuration))
        guard let capture, !lifetime.isLeaving else { return }
        if let refusal = refusal(of: pasteboard) { return capture.skip(refusal) }
        start(capture, of: pasteboard) { [self] in
            // A secret's mark must be seen before the program ends.
            if await observer?.needsCapture(pasteboard) != true, !pasteboard.isBehindCompositor {
                await executor.sleep(until: .now + .seconds(settings.configuration.captureDelay))
            }
            if pasteboard.name == .find { await awaitSelectionEnd(for: capture) }
            guard !Task.isCancelled, isCurrent(capture, of: pasteboard) else { return }
            await run(capture, of: pasteboard, within: Self.timeout)
        }
    }

    /// Waits until the user has finished selecting: a program that is asked in the middle of a drag may not react, and
    /// its answer would soon be outdated.
    private func awaitSelectionEnd(for capture: Capture) async {
        while !Task.isCancelled, capture.state == .waiting,
            await display.ask(SelectingQuery(), within: .seconds(1)) == true
        {
            await executor.sleep(until: .now + Self.selectingPause)
        }
    }

    /// Returns the reason why no contents of a pasteboard are captured, whatever it holds.
    private func refusal(of pasteboard: PasteboardState) -> CaptureRefusal? {
        if display.isGuest { return .forwarded }
        if !settings.configuration.capture { return .off }
        let capturesFind = settings.configuration.capturePrimary || settings.configuration.sync.copies(fromFind: true)
        return pasteboard.name == .find && !capturesFind ? .primary : nil
    }

    /// Ends the capture of a pasteboard's previous contents.
    ///
    /// - Parameter reusing: True if the previous contents are still present.
    /// - Returns: A waiting capture of the present contents; nil if the contents are not another program's.
    private func replaceCapture(
        of pasteboard: PasteboardState, rules: CaptureRules, reusing: Bool = false
    ) -> Capture? {
        let key = ObjectIdentifier(pasteboard)
        let former = entries.removeValue(forKey: key)
        former?.capture.stop()
        former?.task?.cancel()
        guard case .foreign(let owner) = pasteboard.holder, !pasteboard.isRemoved else { return nil }
        let capture = Capture(
            owner: owner, selection: foreign.selection(of: pasteboard), display: display,
            idleTimeout: CallTimeout.default, rules: rules, isBehindCompositor: pasteboard.isBehindCompositor,
            after: reusing ? former?.capture : nil)
        capture.reader.onList = pasteboard.notesTargets()
        entries[key] = Entry(capture: capture)
        return capture
    }

    private func start(_ capture: Capture, of pasteboard: PasteboardState, _ body: @escaping () async -> Void) {
        let task = executor.start(body)
        if isCurrent(capture, of: pasteboard) { entries[ObjectIdentifier(pasteboard)]?.task = task }
    }

    private func isCurrent(_ capture: Capture, of pasteboard: PasteboardState) -> Bool {
        entries[ObjectIdentifier(pasteboard)]?.capture === capture
    }

    /// Runs a capture, and stores its result in case the owner dies.
    private func run(_ capture: Capture, of pasteboard: PasteboardState, within timeout: Duration) async {
        let isDone: Void? = await executor.withTimeout(timeout) { [observer] in
            if let refusal = await observer?.refusalOfUnmarked(pasteboard) { return capture.skip(refusal) }
            await capture.run()
        }
        if isDone == nil { capture.stop(after: timeout) }
        // The compositor's window still owns a selection that a Wayland program has cleared, and refuses all targets.
        if capture.reader.isUnlisted, pasteboard.isBehindCompositor, isCurrent(capture, of: pasteboard) {
            observer?.compositorRefused(pasteboard)
            return
        }
        storeResult(of: capture, on: pasteboard)
    }

    private func storeResult(of capture: Capture, on pasteboard: PasteboardState) {
        guard isCurrent(capture, of: pasteboard), capture.state == .captured else { return }
        if capture.isRepetition, pasteboard.captured != nil { return }
        var draft = capture.draft
        // The setting sync needs the contents of PRIMARY, but does not record them.
        if pasteboard.name == .find, !settings.configuration.capturePrimary { draft.isMemoryOnly = true }
        let version = versions.version(
            of: draft, by: capture.writer, as: .copy(action: capture.writer.action))
        if removed.contains(version, now: .now) { return capture.discard(.removed) }
        forgetPassword(before: version, on: pasteboard)
        pasteboard.captured = version
        logger.debug("\(pasteboard.name) captured", metadata: ["count": "\(pasteboard.count)"])
        persistence.storeLate(pasteboard)
        observer?.captured(pasteboard, isWhole: capture.hasAllFormats)
    }

    /// Removes text from undo and the history if an empty copy has soon replaced it.
    func forgetPassword(before version: PasteboardState.Version, on empty: PasteboardState) {
        let time = settings.configuration.forgetEmptied
        guard version.isBlank, let text = replaced.takeText(before: empty, within: time) else { return }
        logger.info("\(empty.name): text is forgotten, since an empty copy replaced it within \(time) s")
        text.contents.didDelete()
        empty.undo.removeAll { !$0.isRestorable }
        removed.noteSecret(text.version, now: .now)
        persistence.writeRecord(of: empty, withdrawing: [text.contents.entry].compactMap(\.self))
        onForget(text.version.id, empty)
    }

    /// Returns true if contents with these targets may be captured, whichever program owns them. Returns false while an
    /// excepted program is running, since that program may be the owner.
    func mayCapture(_ targets: [String], on pasteboard: PasteboardState) -> Bool {
        let rules = CaptureRules(settings.configuration)
        guard refusal(of: pasteboard) == nil, rules.runningException() == nil else { return false }
        return (try? CapturePlan(targets, program: nil, rules: rules)) != nil
    }

    /// Returns the secrecy of a pasteboard's contents.
    func secrecy(of pasteboard: PasteboardState) -> FormerSecrecy {
        if let version = pasteboard.version { return version.isSecret ? .secret : .open }
        guard pasteboard.isForeign else { return .open }
        if let listed = pasteboard.listedTargets {
            return listed.contains(where: SecretMark.isMark) ? .secret : .open
        }
        return switch entries[ObjectIdentifier(pasteboard)]?.capture.state {
        case .waiting, .capturing, .skipped(.removed): .unknown
        case .captured, .skipped, nil: .open
        }
    }

    // MARK: On request

    /// Captures the contents of a foreign owner at once and within larger limits: the owner is about to end, and waits.
    /// Secrets are not captured.
    ///
    /// - Parameter targets: The targets to capture; nil for all that are worth capturing.
    /// - Returns: true if everything requested is held.
    package func capture(
        everythingOn pasteboard: PasteboardState, targets: [String]?, within timeout: Duration
    ) async -> Bool {
        switch pasteboard.holder {
        case .client: return true
        case .nobody: return false
        case .foreign: break
        }
        let rules = CaptureRules(atEnd: settings.configuration, only: targets)
        guard !display.isGuest, let capture = replaceCapture(of: pasteboard, rules: rules, reusing: true) else {
            return false
        }
        let end = PendingValue<Void>()
        start(capture, of: pasteboard) { [self] in
            await run(capture, of: pasteboard, within: timeout)
            end.deliver(())
        }
        await end.get()
        return capture.isWhole
    }

    // MARK: After the owner's death

    /// Ends the capture of contents whose owner has ended, or has lost the selection without a later copy. The complete
    /// part of a capture under way is kept if it can stand for the contents.
    ///
    /// - Parameter notesLoss: True to report contents that were not captured as lost.
    func ownerEnded(_ pasteboard: PasteboardState, notesLoss: Bool = true) {
        guard pasteboard.isForeign, !display.isGuest else { return }
        stopCapture(of: pasteboard)
        if notesLoss { noteLoss(of: pasteboard) }
    }

    /// Makes the captured contents the pasteboard's contents, without a step.
    func keep(on pasteboard: PasteboardState) {
        guard let captured = pasteboard.captured else { return }
        noteOmissions(of: pasteboard)
        // The renewed version follows the present rules.
        pasteboard.setHolder(.client(versions.renewed(captured)), at: UnixTime.now)
        ownerChanged(pasteboard)
    }

    /// Ends a capture under way at once, and stores the part that is complete.
    private func stopCapture(of pasteboard: PasteboardState) {
        guard let entry = entries[ObjectIdentifier(pasteboard)] else { return }
        let wasCapturing = entry.capture.state == .capturing
        entry.capture.stop(entry.capture.refusal ?? .failed)
        if wasCapturing { storeResult(of: entry.capture, on: pasteboard) }
        entry.task?.cancel()
    }

    // MARK: Losses

    /// Returns the contents that would be lost if a pasteboard's owner ended or were replaced now; nil if everything
    /// that the rules name is captured.
    func loss(of pasteboard: PasteboardState) -> WireLoss? {
        guard pasteboard.isForeign, let capture = entries[ObjectIdentifier(pasteboard)]?.capture,
            let refusal = capture.refusal, refusal != .secret, refusal != .removed
        else { return nil }
        return self.loss(of: pasteboard, capture, types: capture.missing, reason: refusal)
    }

    private func loss(
        of pasteboard: PasteboardState, _ capture: Capture, types: [String], reason: CaptureRefusal
    ) -> WireLoss {
        WireLoss(
            pasteboard: pasteboard.name.string, count: pasteboard.count, program: capture.writer.program,
            types: types, reason: reason.reason, time: UnixTime.now)
    }

    /// Reports the contents that are lost with a program, unless the user wants the loss.
    private func noteLoss(of pasteboard: PasteboardState) {
        guard let refusal = entries[ObjectIdentifier(pasteboard)]?.capture.refusal, !refusal.isWanted,
            let loss = loss(of: pasteboard)
        else { return }
        note(loss)
    }

    /// Reports the targets that are lost because the bridge takes the contents over from a program that had no time to
    /// make them.
    func noteOmissions(of pasteboard: PasteboardState) {
        guard let capture = entries[ObjectIdentifier(pasteboard)]?.capture, !capture.omitted.isEmpty else { return }
        note(loss(of: pasteboard, capture, types: capture.omitted, reason: .tooSlow))
    }

    /// Reports that the copy before the present state is lost because a program on the other side, X11 or Wayland,
    /// copied at the same moment.
    func noteCrossing(on pasteboard: PasteboardState) {
        note(
            WireLoss(
                pasteboard: pasteboard.name.string, count: pasteboard.count - 1, types: [],
                reason: "another program copied at the same moment, and the compositor kept neither copy",
                time: UnixTime.now))
    }

    private func note(_ loss: WireLoss) {
        let isKnown = losses.contains {
            ($0.pasteboard, $0.count, $0.types) == (loss.pasteboard, loss.count, loss.types)
        }
        guard !isKnown else { return }
        losses = losses.suffix(Self.maxLosses - 1) + [loss]
        let types = loss.types.isEmpty ? "copy" : loss.types.joined(separator: ", ")
        logger.warning(
            """
            \(loss.program ?? "a program") ended, and its \(types) (\(loss.pasteboard) \(loss.count)) is lost: \
            \(loss.reason)
            """)
    }

    // MARK: Status

    /// Returns the state of the capture of each pasteboard that another program holds.
    package func status(of pasteboards: [PasteboardState]) -> [WireCapture] {
        pasteboards.compactMap { pasteboard in
            guard let capture = entries[ObjectIdentifier(pasteboard)]?.capture else { return nil }
            var wire = WireCapture(pasteboard: pasteboard.name.string, count: pasteboard.count, state: .waiting)
            switch capture.state {
            case .waiting: break
            case .capturing: wire.state = .taking
            case .captured: wire.state = .captured
            case .skipped(let refusal):
                wire.state = .skipped
                wire.reason = refusal.reason
            }
            if let captured = pasteboard.captured {
                if wire.state == .skipped { wire.state = .captured }
                wire.types = captured.contents.types.map(\.identifier)
                wire.length = captured.sources.compactMap { $0.bytes?.range.count }.reduce(0, +)
                wire.reason = capture.shortfall.map { "a part was left out: \($0.reason)" }
            }
            return wire
        }
    }
}
