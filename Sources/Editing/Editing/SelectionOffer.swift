public import FoundationEssentials
public import Pasteboard

/// The selection of a window, offered to all programs for pasting with the middle button, and rendered only on request.
///
/// ```swift
/// let selection = SelectionOffer(events: events)
/// selection.onLoss = { view.deselect() }
/// // Whenever the user has selected something, even in the middle of a drag:
/// selection.offer(types: ["public.utf8-plain-text"]) { _ in Data(view.selectedText.utf8) }
/// ```
///
/// Replacing the offer with each step of a drag costs little: until a program asks for the offered selection, a new
/// offer only replaces the closure, and other programs notice nothing. After a program has asked, a new offer writes
/// the pasteboard again, as a new change. Only one write runs at a time; of several offers made during a write, the
/// last one is written next.
///
/// An object must be used on the thread of its `PasteboardEvents`.
///
/// Source: the selection PRIMARY (ICCCM, section 2.6.1), `pasteboardChangedOwner(_:)` of NSPasteboard.
public final class SelectionOffer {
    /// True while the offered selection is on the pasteboard.
    public var isOwner: Bool { write?.count != nil }
    /// Called within `PasteboardEvents.dispatch()` when another program has selected something, or the bridge has
    /// ended. The toolkit's views should then show no selection, or a dimmed one.
    public var onLoss: (() -> Void)?
    /// Called within `PasteboardEvents.dispatch()` if the selection could not be offered.
    public var onError: ((any Error) -> Void)?

    /// A selection on the pasteboard, or on its way there.
    private final class Write {
        let types: [String]
        var render: (String) throws -> Data
        /// True if a program has asked for a representation, so that another selection needs another write.
        var isRendered = false
        /// The change count; nil while the write is in progress.
        var count: Int?
        var isLost = false
        var isWithdrawn = false

        init(types: [String], render: @escaping (String) throws -> Data) {
            self.types = types
            self.render = render
        }

        func data(_ type: String) throws -> Data {
            isRendered = true
            return try render(type)
        }
    }

    private let events: PasteboardEvents
    private let pasteboard: Pasteboard
    private var write: Write?
    /// The offer to write after the write in progress.
    private var next: Write?
    private var observation: PasteboardEvents.Registration?
    /// The last observed change count of the pasteboard.
    private var latestCount = 0

    /// Creates an object that offers nothing yet.
    ///
    /// - Parameters:
    ///   - events: The events of the window's loop.
    ///   - pasteboard: The pasteboard; by default that of X11's PRIMARY.
    public init(events: PasteboardEvents, pasteboard: Pasteboard = .find) {
        self.events = events
        self.pasteboard = pasteboard
    }

    deinit { observation?.cancel() }

    /// Offers a selection, replacing the previous one.
    ///
    /// - Parameters:
    ///   - types: TYPEs that each name one concrete type, best first. An empty list has the effect of ``withdraw()``.
    ///   - render: Returns the bytes of a type. It runs within `PasteboardEvents.dispatch()`, at most once for each
    ///     type and write, and should be done within a frame. If it throws, the reader gets the error.
    public func offer(types: [some PasteboardTypeName], render: @escaping (_ type: String) throws -> Data) {
        let types = types.map(\.typeName)
        guard !types.isEmpty else { return withdraw() }
        if let write, write.types == types, !write.isRendered, !write.isLost {
            write.render = render
            write.isWithdrawn = false
            next = nil
            return
        }
        next = Write(types: types, render: render)
        if write == nil || write?.count != nil { writeNext() }
    }

    /// Clears the pasteboard if it still has the selection; call this when nothing is selected. ``onLoss`` is not
    /// called.
    public func withdraw() {
        next = nil
        guard let write else { return }
        guard let count = write.count else {
            write.isWithdrawn = true
            return
        }
        self.write = nil
        clear(count)
    }

    private func clear(_ count: Int) {
        endObservation()
        // This fails if another program has written since; then there is nothing to clear.
        let board = pasteboard.async
        events.perform({ try await board.clear(ifChangeCount: count) }, completion: { _ in })
    }

    private func writeNext() {
        guard let new = next else { return }
        next = nil
        write = new
        var item = PasteboardItem()
        for type in new.types {
            item.setPromise(forType: type, provider: events.provider { try new.data(type) })
        }
        let loss = events.provider { [weak self, weak new] in
            self?.lost(new)
            return Data()
        }
        events.perform { [pasteboard, item] in
            try await pasteboard.async.setItems([item]) {
                Task(executorPreference: WorkExecutor.shared) { _ = try? await loss() }
            }
        } completion: { [weak self] result in
            self?.written(new, result)
        }
    }

    private func written(_ write: Write, _ result: Result<Int, any Error>) {
        guard write === self.write else { return }
        switch result {
        case .success(let count):
            write.count = count
            if next != nil { return writeNext() }
            if write.isWithdrawn { return withdraw() }
            if write.isLost || latestCount > count { return lost(write) }
            if observation == nil { observe(since: count) }
        case .failure(let error):
            self.write = nil
            endObservation()
            if !write.isWithdrawn { onError?(error) }
            writeNext()
        }
    }

    /// Watches for the loss of a written selection. Once all its promises are kept, nothing else reports the loss.
    private func observe(since count: Int) {
        observation = events.observe(pasteboard, since: count) { [weak self] _ in
            self?.endObservation()
        } change: { [weak self] change in
            guard let self else { return }
            latestCount = change.count
            if let write, let count = write.count, count != change.count { lost(write) }
        }
    }

    private func endObservation() {
        observation?.cancel()
        observation = nil
        latestCount = 0
    }

    private func lost(_ former: Write?) {
        guard let former, former === write else { return }
        guard former.count != nil else {
            former.isLost = true
            return
        }
        write = nil
        endObservation()
        if !former.isWithdrawn { onLoss?() }
    }
}
