import Undo

/// The undo manager, with the operations of the model.
final class ModelSubject {
    private struct Failure: Error {}

    private final class Number {
        var value = 0
    }

    let manager = UndoManager()
    /// The notices since the last operation, except ``UndoManager/Notice/didChange``, which only updates ``shown``.
    private(set) var notices: [String] = []
    private(set) var shown = Menu()
    private var numbers = (0..<ModelOperation.slots).map { _ in Number() }
    private var pending: (slot: Int, change: Change)?
    private var observation: UndoManager.Observation?
    private var isMuted = false
    /// The handlers that have failed once.
    private var failed: Set<Int> = []
    private var registrations = 0

    init() {
        manager.onEventGroupOpened = { [unowned self] in notices.append("event") }
        observation = manager.observe { [unowned self] in receive($0) }
        shown = menu
    }

    private func receive(_ notice: UndoManager.Notice) {
        guard !isMuted else { return }
        switch notice {
        case .checkpoint:
            notices.append("checkpoint")
            if let (slot, change) = pending {
                pending = nil
                make(change, of: numbers[slot])
            }
        case .didOpenGroup: notices.append("open")
        case .willCloseGroup: notices.append("close")
        case .didCloseGroup(let isDiscardable): notices.append(isDiscardable ? "closed discardable" : "closed")
        case .willUndo: notices.append("undo")
        case .didUndo: notices.append("undone")
        case .willRedo: notices.append("redo")
        case .didRedo: notices.append("redone")
        case .didChange: shown = menu
        case .failed(let error): notices.append("\(error.code)")
        }
    }

    func apply(_ operation: ModelOperation) {
        notices.removeAll(keepingCapacity: true)
        switch operation {
        case .change(let slot, let change): make(change, of: numbers[slot])
        case .pend(let slot, let change): pending = (slot, change)
        case .end(let slot): numbers[slot] = Number()
        case .begin: manager.beginUndoGrouping()
        case .endGroup: manager.endUndoGrouping()
        case .endEvent: manager.endEvent()
        case .undo: manager.undo()
        case .redo: manager.redo()
        case .undoNested: manager.undoNestedGroup()
        case .canRedo: _ = manager.canRedo
        case .disable: manager.disableUndoRegistration()
        case .enable: manager.enableUndoRegistration()
        case .removeAll: manager.removeAllActions()
        case .remove(let slot): manager.removeAllActions(withTarget: numbers[slot])
        case .name(let name): manager.setActionName(name)
        case .info(let info): manager.setActionUserInfoValue(info, forKey: "info")
        case .discardable(let isDiscardable): manager.setActionIsDiscardable(isDiscardable)
        case .groupsByEvent(let isOn): manager.groupsByEvent = isOn
        case .levels(let levels): manager.levelsOfUndo = levels
        case .budget(let budget): manager.undoBudget = budget
        case .maxActions(let count): manager.maxActionsPerGroup = count
        case .markClean: manager.markClean()
        case .removeCleanMark: manager.removeCleanMark()
        case .endMerging: manager.endMerging()
        }
    }

    // MARK: Changes

    private var isPerforming: Bool { manager.isUndoing || manager.isRedoing }

    private func make(_ change: Change, of number: Number) {
        switch change.kind {
        case .byKeyPath:
            manager.set(\.value, of: number, to: change.value, cost: change.cost, merging: change.merging)
            return
        case .grouped:
            manager.beginUndoGrouping()
            register(change, of: number)
            manager.endUndoGrouping()
        case .unended:
            if isPerforming { manager.beginUndoGrouping() }
            register(change, of: number)
        case .silent:
            if !isPerforming { register(change, of: number) }
        case .twice:
            register(change, of: number)
            register(change, of: number)
        case .naming:
            register(change, of: number)
            if isPerforming { manager.setActionName("Handler") }
        case .removing:
            if isPerforming { manager.removeAllActions() }
            register(change, of: number)
        case .removingTarget:
            if isPerforming { manager.removeAllActions(withTarget: number) }
            register(change, of: number)
        case .plain, .failing, .failingLate: register(change, of: number)
        }
        number.value = change.value
    }

    private func register(_ change: Change, of number: Number) {
        var inverse = change
        inverse.value = number.value
        registrations += 1
        let registration = registrations
        manager.registerUndo(withTarget: number, cost: change.cost, merging: change.merging) { [unowned self] number in
            let fails = [.failing, .failingLate].contains(change.kind) && failed.insert(registration).inserted
            if fails, change.kind == .failing { throw Failure() }
            make(inverse, of: number)
            if fails { throw Failure() }
        }
    }

    // MARK: The state to compare

    /// The state, read without checkpoints, since a checkpoint would make the pending change.
    var state: ModelState {
        isMuted = true
        defer { isMuted = false }
        return ModelState(
            values: numbers.map(\.value), canUndo: manager.canUndo, canRedo: manager.canRedo,
            undoActionName: manager.undoActionName, redoActionName: manager.redoActionName,
            undoInfo: manager.undoActionUserInfoValue(forKey: "info") as? Int,
            redoInfo: manager.redoActionUserInfoValue(forKey: "info") as? Int,
            isUndoDiscardable: manager.undoActionIsDiscardable, isRedoDiscardable: manager.redoActionIsDiscardable,
            groupingLevel: manager.groupingLevel, isEnabled: manager.isUndoRegistrationEnabled,
            isClean: manager.isClean, canReachClean: manager.canReachClean)
    }

    /// The values whose changes ``UndoManager/Notice/didChange`` reports.
    var menu: Menu {
        isMuted = true
        defer { isMuted = false }
        return Menu(
            isEnabled: manager.canUndo, canRedo: manager.canRedo, undoActionName: manager.undoActionName,
            redoActionName: manager.redoActionName, isClean: manager.isClean)
    }

    struct Menu: Equatable {
        var isEnabled = false
        var canRedo = false
        var undoActionName = ""
        var redoActionName = ""
        var isClean = true
    }
}
