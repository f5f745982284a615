import BoardModel
import EditingGTK
import Pasteboard

/// The ways of an entry to the clipboard, and into the window that was active before this one.
extension HistoryPage {
    /// Copies the selected entries as one, and pastes them if the window is to be closed.
    func choose(closes: Bool) {
        guard let entry = selectedEntry, !isPasting else { return }
        if selectedEntries.count > 1 {
            model.copyAsOne(selectedEntries) { [weak self] in
                if closes { self?.paste(copied: $0) }
            }
        } else if closes, let thread {
            paste(entry.id, on: thread)
        } else {
            copy(entry.id, closes)
        }
    }

    /// Pastes the text of the selected entries without its style.
    func choosePlain() {
        guard selectedEntry != nil, !isPasting else { return }
        model.copyPlainText(of: selectedEntries.map(\.id)) { [weak self] in self?.paste(copied: $0) }
    }

    /// Pastes an entry that was made of others.
    ///
    /// - Parameter entry: The entry; nil if the history has none, such as while it is paused.
    private func paste(copied entry: Int?) {
        if let entry, let thread { paste(entry, on: thread) } else { onMessage?(Words.copiedPlain.text) }
    }

    private func copy(_ entry: Int, _ closes: Bool) {
        model.copy(entry) { [weak self] in
            if closes { self?.onFinish?() }
        }
    }

    /// Copies an entry, hides this window, and pastes the entry into the window that was active before.
    private func paste(_ entry: Int, on thread: BackgroundThread) {
        isPasting = true
        thread.perform {
            PasteCommand(entry: entry).map { (command: $0, isWindowFound: $0.findsWindow()) }
        } completion: { [weak self] started in
            guard let self else { return }
            guard let (command, isWindowFound) = started else { return finish(entry, .notFound) }
            if isWindowFound { onHide?(true) }
            thread.perform {
                command.awaitEnd()
            } completion: { [weak self] outcome in
                self?.finish(entry, outcome, isWindowFound)
            }
        }
    }

    private func finish(_ entry: Int, _ outcome: PasteCommand.Outcome, _ isWindowFound: Bool = false) {
        isPasting = false
        switch outcome {
        case .pasted: onFinish?()
        case .notFound: copy(entry, true)
        // Most desktops with Wayland let no program type, which a message with each entry would only repeat.
        case .copied where !isWindowFound && !Application.isOnX11: onFinish?()
        case .copied(let message), .failed(let message):
            onHide?(false)
            onMessage?(message)
        }
    }
}
