import BridgeState
import EventLoop
import PasteboardModel
import PasteboardStore
import PasteboardWire

/// Restoring earlier contents: `Undo` and `Redo`.
extension Service {
    /// Undoes or redoes changes. This is one step of the count, no matter how many contents are passed over.
    func undo(
        _ direction: UndoDirection, _ parameters: Methods.Steps, by client: Client
    ) async throws(BridgeError) -> Methods.Stepped {
        guard !isLeaving else { throw .leaving }
        let steps = parameters.steps ?? 1
        guard steps > 0 else { throw BridgeError(.refused, "\(steps) is not a number of steps; give 1 or more") }
        let pasteboard = try registry.existing(parameters.pasteboard)
        let timeout = CallTimeout.of(parameters.timeout)
        while true {
            try check(pasteboard, ifCount: parameters.ifCount)
            let before = pasteboard.count
            let destination = try UndoDestination(direction, steps, on: pasteboard)
            // Other writers do not wait for the disk.
            guard let draft = try await draft(of: destination.contents, within: timeout) else {
                // Lost contents are passed over from now on.
                destination.contents.didDelete()
                pasteboard.undo.removeAll { $0 === destination.contents }
                continue
            }
            let count = try await asWriter(of: pasteboard, for: client, within: timeout) {
                () async throws(BridgeError) -> Int? in
                try check(pasteboard, ifCount: parameters.ifCount)
                // Other clients may have written to the pasteboard, or deleted the contents, during the reading.
                guard pasteboard.count == before, destination.contents.isRestorable else { return nil }
                let version = versions.version(
                    of: draft, by: client.writer, as: .undo(direction, destination.stack),
                    restoring: destination.contents)
                return try await write(
                    version, to: pasteboard, for: client, ifCount: parameters.ifCount, within: timeout)
            }
            guard let count else { continue }
            return Methods.Stepped(
                count: count, steps: destination.steps, action: destination.action,
                passed: destination.passed.isEmpty ? nil : destination.passed)
        }
    }

    // MARK: State

    /// Names the last change after its program, if the X server identifies the program in time.
    private func identifyOwner(of pasteboard: PasteboardState) async {
        guard pasteboard.isForeign else { return }
        let count = pasteboard.count
        let owner = await display.identified(pasteboard.owner, within: .seconds(1))
        if pasteboard.count == count { pasteboard.nameLastChange(by: owner) }
    }

    /// Returns the state of a pasteboard's undo.
    func undoState(_ name: String) async throws(BridgeError) -> Methods.GetUndoState.Reply {
        let pasteboard = try registry.existing(name)
        await identifyOwner(of: pasteboard)
        return Methods.GetUndoState.Reply(count: pasteboard.count, undo: pasteboard.undoState)
    }

    /// Returns the changes that can be undone and redone, each with the contents that it would restore.
    func listUndo(_ name: String) async throws(BridgeError) -> Methods.ListUndo.Reply {
        let pasteboard = try registry.existing(name)
        await identifyOwner(of: pasteboard)
        let (count, stack) = (pasteboard.count, pasteboard.undo)
        let entries = Set((stack.undoable + stack.redoable).compactMap(\.value.entry))
        let lines =
            entries.isEmpty || self.store.thread == nil
            ? [:]
            : try await persistence.withDiskTimeout { [persistence] () async throws(BridgeError) in
                try await persistence.ask { (store) throws(StoreFailure) in try store.entries(entries) }
            }
        func levels(_ entries: [UndoStack<RestorableContents>.Entry]) -> [WireUndoLevel] {
            entries.reversed().map { level in
                WireUndoLevel(
                    action: level.action, contents: level.value.entry.flatMap { lines[$0] }.map { WireHistoryEntry($0) }
                )
            }
        }
        return Methods.ListUndo.Reply(count: count, undo: levels(stack.undoable), redo: levels(stack.redoable))
    }

    /// Returns contents from memory or from the store; nil if they are lost.
    private func draft(
        of contents: RestorableContents, within timeout: Duration
    ) async throws(BridgeError) -> Draft? {
        if let draft = contents.draft { return draft }
        guard let entry = contents.entry else { return nil }
        let stored: StoredContents??
        do throws(StoreFailure) {
            stored = try await executor.withTimeout(timeout, cancels: false) {
                [store] () async throws(StoreFailure) -> StoredContents? in
                try await store.ask { (store) throws(StoreFailure) in try store.contents(of: entry) }
            }
        } catch {
            throw BridgeError(error)
        }
        guard let stored else {
            throw BridgeError(.refused, "the disk that the history is on does not answer; nothing was changed")
        }
        return stored.map { Draft($0) }
    }
}

/// The contents that a number of undo or redo steps leads to.
private struct UndoDestination {
    private(set) var stack: UndoStack<RestorableContents>
    private(set) var contents: RestorableContents
    /// The number of steps; fewer than requested if no more changes are left.
    private(set) var steps = 0
    /// The name of the last action that is undone or redone.
    private(set) var action: String?
    /// The contents that were passed over because they could not be captured.
    private(set) var passed: [WireLoss] = []

    init(_ direction: UndoDirection, _ wanted: Int, on pasteboard: PasteboardState) throws(BridgeError) {
        stack = pasteboard.undo
        contents = pasteboard.stored.contents ?? .nothing
        while steps < wanted {
            let name = direction == .undo ? stack.undoAction : stack.redoAction
            let next = direction == .undo ? stack.undo(from: contents) : stack.redo(from: contents)
            guard let next else { break }
            if direction == .undo { passed += pasteboard.losses(before: next) }
            (contents, action) = (next, name)
            steps += 1
        }
        guard steps > 0 else {
            let done = direction == .undo ? "undone" : "redone"
            let loss = direction == .undo ? pasteboard.losses(before: nil).last : nil
            throw BridgeError(
                .empty,
                "there is nothing to be \(done) on the pasteboard \(pasteboard.name.quoted)"
                    + (loss.map { "; \($0.text) could not be captured: \($0.reason)" } ?? ""))
        }
    }
}

extension WireLoss {
    /// The count and the program, such as `count 5 of gimp`.
    fileprivate var text: String { "count \(count)" + (program.map { " of \($0)" } ?? "") }
}
