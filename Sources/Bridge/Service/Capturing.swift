import Configuration
import Logging
import PasteboardModel
import PasteboardWire
import SelectionProtocol
import UniformTypes

/// Capturing what other programs have copied, so that it outlives them.
///
/// A foreign owner's contents are asked of it as long as it lives. When it dies with nobody after it, what was captured
/// becomes the contents: see ``takeOver(_:death:)``.
extension Service {
    // MARK: Of the bridge's own accord

    /// Who holds a pasteboard is another: what is being taken of the former owner's contents is of no use any more, and
    /// those of the new one are taken when nothing newer has come for a while.
    func ownerChanged(_ board: Board) {
        let capture = replaceCapture(of: board, rules: CaptureRules(settings.configuration))
        guard let capture, !isLeaving else { return }
        if let refusal = refusal(of: board) { return capture.skip(refusal) }
        begin(capture, of: board, after: .seconds(settings.configuration.captureDelay))
    }

    /// How long it is until it is looked again whether the user has selected what is to be captured of PRIMARY.
    private static let selectingTime = Duration.milliseconds(200)

    private func begin(_ capture: Capture, of board: Board, after delay: Duration) {
        capture.alarm = alarms.set(.now + delay) { [unowned self, unowned board] in
            capture.alarm = nil
            guard board.name == .find else { return begin(capture, of: board, within: Self.captureTime) }
            // A program that is asked in the middle of a drag may stand still, and its answer is not the last.
            link.observe(within: .seconds(1)) { [unowned self, weak board] isSelecting in
                guard let board, capture.state == .waiting, capturing[ObjectIdentifier(board)] === capture else {
                    return
                }
                if isSelecting {
                    begin(capture, of: board, after: Self.selectingTime)
                } else {
                    begin(capture, of: board, within: Self.captureTime)
                }
            }
        }
    }

    /// How long the capture of one copy may take: an owner that drips would never come to an end.
    private static let captureTime = Duration.seconds(30)

    private func begin(
        _ capture: Capture, of board: Board, within patience: Duration, _ finish: @escaping () -> Void = {}
    ) {
        capture.onEnd = { [unowned self, unowned board] in
            if let alarm = capture.alarm { alarms.cancel(alarm) }
            capture.alarm = nil
            keep(capture, of: board)
            finish()
        }
        capture.alarm = alarms.set(.now + patience) {
            capture.alarm = nil
            capture.stop(.late)
        }
        capture.begin()
    }

    /// Why nothing of a pasteboard is captured, whatever is on it.
    private func refusal(of board: Board) -> CaptureRefusal? {
        if link.isForwarded { return .forwarded }
        if !settings.configuration.capture { return .off }
        return board.name == .find && !settings.configuration.capturePrimary ? .primary : nil
    }

    /// Ends the capture of a pasteboard's former contents.
    ///
    /// - Returns: One of the present contents, which waits; nil where they are no other program's.
    private func replaceCapture(of board: Board, rules: CaptureRules) -> Capture? {
        let key = ObjectIdentifier(board)
        if let former = capturing.removeValue(forKey: key) {
            if let alarm = former.alarm { alarms.cancel(alarm) }
            former.alarm = nil
            former.stop()
        }
        guard case .foreign(let window) = board.holder, !board.isRemoved else { return nil }
        let capture = Capture(
            window: WindowID(window), selection: board.selection, link: link, silence: Patience.usual, rules: rules)
        capture.reader.onList = board.notesList()
        capturing[key] = capture
        return capture
    }

    /// What was taken is there when the owner dies, if it is still the owner.
    private func keep(_ capture: Capture, of board: Board) {
        guard capturing[ObjectIdentifier(board)] === capture, capture.state == .taken else { return }
        let draft = capture.draft
        board.captured = version(
            of: draft, by: capture.writer, as: .copy(action: draft.action(by: capture.writer)))
        logger.debug("\(board.name) captured", metadata: ["count": "\(board.count)"])
        keepLate(board)
    }

    // MARK: When it is asked for

    /// Takes what a pasteboard's foreign owner offers, at once and within larger limits: the owner is about to end, and
    /// waits for it. Secrets are not taken.
    ///
    /// - Parameters:
    ///   - targets: What is asked for; nil for all that is worth taking.
    ///   - patience: What is not there by then is not waited for.
    ///   - finish: Called once, with whether all that was asked for is held.
    func take(
        everythingOn board: Board, targets: [String]?, within patience: Duration, _ finish: @escaping (Bool) -> Void
    ) {
        switch board.holder {
        case .client: return finish(true)
        case .nobody: return finish(false)
        case .foreign: break
        }
        let rules = CaptureRules(atEnd: settings.configuration, only: targets)
        guard !link.isForwarded, let capture = replaceCapture(of: board, rules: rules) else { return finish(false) }
        begin(capture, of: board, within: patience) { finish(capture.isWhole) }
    }

    // MARK: After the owner's death

    /// The owner of a pasteboard is gone, and nobody has come after it: what was captured of its contents becomes the
    /// contents, which is no step.
    ///
    /// What was being taken at that moment counts as far as it is whole, if it can stand for the contents.
    ///
    /// - Parameter death: When the owner died, in the server's time; nil where the server is gone.
    /// - Returns: Whether there was anything to take over.
    func takeOver(_ board: Board, death: ServerTime?) -> Bool {
        guard case .foreign = board.holder, !link.isForwarded else { return false }
        capturing[ObjectIdentifier(board)]?.stop()
        guard let captured = board.captured else { return false }
        // By the rules of now.
        let version = version(of: captured.draft, by: captured.writer, as: captured.cause, like: captured)
        board.adopt(.client(version), at: UnixTime.now)
        ownerChanged(board)
        guard let death, link.isAttached, !isLeaving else { return true }
        offered[version.id] = version
        // However late it comes through, the server refuses it if anybody has owned the selection since.
        link.takeOver(offer(of: version, on: board), death: death, within: Patience.longest) { [self] outcome in
            // The display thread may never have had it, and does not tell then that it is gone.
            if outcome != .done { offered[version.id] = nil }
            // Who owned it since is told by an event of its own.
            if outcome != .done { logger.info("\(board.selection) was not taken over: \(outcome)") }
        }
        return true
    }

    // MARK: Status

    /// What is captured of each pasteboard that another program holds.
    var captures: [WireCapture] {
        table.all.compactMap { board in
            guard let capture = capturing[ObjectIdentifier(board)] else { return nil }
            var wire = WireCapture(pasteboard: board.name.string, count: board.count, state: .waiting)
            switch capture.state {
            case .waiting: break
            case .taking: wire.state = .taking
            case .taken: wire.state = .captured
            case .skipped(let refusal):
                wire.state = .skipped
                wire.reason = refusal.reason
            }
            if let captured = board.captured {
                if wire.state == .skipped { wire.state = .captured }
                wire.types = captured.contents.types.map(\.identifier)
                wire.length = captured.supplies.compactMap { $0.material?.range.count }.reduce(0, +)
                wire.reason = capture.shortfall.map { "a part was left out: \($0.reason)" }
            }
            return wire
        }
    }
}
