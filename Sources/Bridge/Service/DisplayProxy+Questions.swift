import EventLoop
import SelectionProtocol
import X11Display

/// What only the display thread knows.
extension DisplayProxy {
    /// Calls `body` when all changes are known that were made before now, or when the X server lets the display thread
    /// stand: then with what is known.
    func whenCurrent(within patience: Duration, _ body: @escaping () -> Void) {
        // The display thread takes what it is told only once it is awake: looked at in this order, it has done that.
        if commands.isEmpty, activity.isSettled {
            // Reported before it slept, so it is in the queue.
            receive()
            return body()
        }
        catchUp(within: patience, body)
    }

    /// Calls `body` when the display thread has handled what it was told before, and what had come by then; or when the X
    /// server lets it stand.
    func catchUp(within patience: Duration, _ body: @escaping () -> Void) {
        let ticket = wait(patience) { _ in body() }
        commands.send(.catchUp(ticket))
    }

    /// Whether anybody owns a selection that is not watched.
    func seek(_ selection: String, within patience: Duration, _ finish: @escaping (Bool) -> Void) {
        let ticket = wait(patience) { outcome in
            if case .sought(let isOwned) = outcome { finish(isOwned) } else { finish(false) }
        }
        commands.send(.seek(selection: selection, ticket))
    }

    /// The process behind a window; nil where that is not told in time.
    func identify(_ window: WindowID, within patience: Duration, _ finish: @escaping (Int32?) -> Void) {
        let ticket = wait(patience) { outcome in
            if case .identified(let process) = outcome { finish(process) } else { finish(nil) }
        }
        // Who floods the bridge with the same question does not fill the display thread's queue with it.
        if identifying.ask(ticket, of: window, isWaiting: isWaiting) { commands.send(.identify(window, ticket)) }
    }

    /// Whether the user may be selecting, by the pointer or by keys.
    func observe(within patience: Duration, _ finish: @escaping (_ isSelecting: Bool) -> Void) {
        let ticket = wait(patience) { outcome in
            if case .observed(let isSelecting) = outcome { finish(isSelecting) } else { finish(false) }
        }
        commands.send(.observe(ticket))
    }

    /// Has the display thread bring a text to or from compound text.
    func recode(
        _ recoding: Recoding, _ text: [UInt8], within patience: Duration, _ finish: @escaping (Recoded) -> Void
    ) {
        let ticket = wait(patience) { outcome in
            if case .recoded(let recoded) = outcome { finish(recoded) } else { finish(.unavailable) }
        }
        commands.send(.recode(recoding, text, ticket))
    }

    /// Calls `finish` with what the display thread does, or with what it told last where it does not say in time.
    func tellTraffic(within patience: Duration, _ finish: @escaping (DisplayTraffic) -> Void) {
        let ticket = wait(patience) { [self] outcome in
            if case .traffic(let traffic) = outcome { finish(traffic) } else { finish(self.traffic) }
        }
        if tellingTraffic.ask(ticket, of: true, isWaiting: isWaiting) { commands.send(.tellTraffic(ticket)) }
    }
}
