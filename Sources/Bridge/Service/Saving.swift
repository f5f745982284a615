import Logging
import PasteboardModel
import SelectionProtocol

/// SAVE_TARGETS: what a program wants done that is about to end (freedesktop.org, "Clipboard Manager Specification").
extension Service {
    /// How long a request may take; GTK 3 waits for ten seconds, Qt 5 for five.
    static let savingTime = Duration.seconds(3)
    /// How long the program's answers are waited for, so that it is answered in time what comes of them.
    private static let takingTime = Duration.milliseconds(2_500)

    /// Takes what is on the clipboard, owns it in place of the program that has it, and answers then: when that one ends, or
    /// gives its selections up first as Chromium does, nothing is lost.
    ///
    /// - Parameters:
    ///   - number: Of the request.
    ///   - requestor: The window of the program that asks.
    ///   - targets: What is asked for; nil for all that may be taken.
    ///   - asked: A time of the server's at which the program had the clipboard.
    func save(_ number: Int, by requestor: WindowID, targets: [String]?, asked: ServerTime) {
        guard !isLeaving, let board = table[.general] else { return link.saved(number, false) }
        saves.insert(number)
        take(everythingOn: board, targets: targets, within: Self.takingTime) { [self] isHeld in
            guard isHeld, case .foreign(let window) = board.holder else { return saved(number, isHeld) }
            isSame(requestor, as: board.captured?.writer.process ?? 0) { [self] isOwner in
                // It is held, and who has it has not asked for more.
                guard isOwner else { return saved(number, true) }
                relieve(board, of: WindowID(window), asked: asked) { self.saved(number, $0) }
            }
        }
    }

    /// Whether a window belongs to a process, as far as that can be told.
    private func isSame(_ window: WindowID, as process: Int32, _ finish: @escaping (Bool) -> Void) {
        link.identify(window, within: .milliseconds(200)) { finish($0 == nil || process == 0 || $0 == process) }
    }

    private func saved(_ number: Int, _ isHeld: Bool) {
        link.saved(number, isHeld)
        saves.remove(number)
        if saves.isEmpty { onceSaved() }
    }

    /// Calls `finish` when the programs that wait for their contents to be saved are answered.
    func finishSaving(_ finish: @escaping () -> Void) {
        guard !saves.isEmpty else { return finish() }
        onceSaved = { [unowned self] in
            onceSaved = {}
            finish()
        }
    }

    /// Owns a pasteboard with what was captured of it in place of its owner, which asked for that. It is no step: the
    /// contents are the same.
    private func relieve(
        _ board: PasteboardState, of window: WindowID, asked: ServerTime, _ finish: @escaping (Bool) -> Void
    ) {
        guard let captured = board.captured, !link.isForwarded else { return finish(false) }
        relieving[captured.id] = (board, captured)
        offered[captured.id] = captured
        let patience = Duration.seconds(1)
        let alarm = alarms.set(.now + patience) { finish(false) }
        link.relieve(offer(of: captured, on: board), of: window, asked: asked, within: patience) { [self] outcome in
            if outcome != .done {
                logger.info("\(board.selection) was not taken over: \(outcome)")
                relieving[captured.id] = nil
                // Its owner may have died meanwhile, and it may be what is owned after that.
                if board.version?.id != captured.id { offered[captured.id] = nil }
            }
            if alarms.cancel(alarm) { finish(outcome == .done) }
        }
    }

    /// That offer is owned now. Where it is in place of a program that asked for it, it becomes the contents.
    ///
    /// - Returns: Whether it is.
    func didRelieve(_ board: PasteboardState, by offer: OfferID) -> Bool {
        guard let (former, version) = relieving.removeValue(forKey: offer), former === board,
            board.captured?.id == offer
        else { return false }
        board.adopt(.client(version), at: UnixTime.now)
        ownerChanged(board)
        return true
    }
}
