import Testing
import Undo

/// Tests of undo, redo, groups and registration, with Apple's rules.
@Suite struct UndoManagerTests {
    @Test("A new undo manager has nothing to undo, groups by event, and only limits the actions of a group")
    func empty() {
        let manager = UndoManager()
        #expect(!manager.canUndo && !manager.canRedo && !manager.isUndoing && !manager.isRedoing)
        #expect(manager.groupsByEvent && manager.isUndoRegistrationEnabled && manager.groupingLevel == 0)
        #expect(manager.levelsOfUndo == 0 && manager.undoBudget == 0 && manager.maxActionsPerGroup == 1_000_000)
        #expect(manager.undoActionName == "" && manager.redoActionName == "")
        #expect(manager.isClean && manager.canReachClean)
        manager.undo()
        manager.redo()
        manager.undoNestedGroup()
        #expect(!manager.canUndo && !manager.canRedo)
    }

    @Test("Changes are reverted and repeated, one group after the other")
    func line() {
        let document = Document()
        for value in 1...3 { document.set(value) }
        document.undoManager.undo()
        #expect(document.cell.value == 2 && document.undoManager.canUndo && document.undoManager.canRedo)
        document.undoManager.undo()
        document.undoManager.undo()
        #expect(document.cell.value == 0 && !document.undoManager.canUndo)
        for value in 1...3 {
            document.undoManager.redo()
            #expect(document.cell.value == value)
        }
        #expect(!document.undoManager.canRedo && document.undoManager.canUndo)
    }

    @Test("The counts are the numbers of undos and redos that have something to do")
    func counts() {
        let document = Document()
        let manager = document.undoManager
        #expect(manager.undoCount == 0 && manager.redoCount == 0)
        for value in 1...3 { document.set(value) }
        #expect(manager.undoCount == 3)
        manager.undo()
        #expect(manager.undoCount == 2 && manager.redoCount == 1)
        var passing: Cell? = Cell(manager)
        document.group { passing?.set(1) }
        document.set(9)
        #expect(manager.undoCount == 4 && manager.redoCount == 0)
        passing = nil
        #expect(manager.undoCount == 3)
        document.cell.set(10)
        #expect(manager.undoCount == 4, "the group that is open counts")
        var undone = 0
        while manager.canUndo {
            manager.undo()
            undone += 1
        }
        #expect(undone == 4 && manager.redoCount == 4)
    }

    @Test("The actions of a group are performed in reverse order, by one undo")
    func order() {
        let document = Document()
        document.group { for value in 1...3 { document.cell.set(value) } }
        document.undoManager.undo()
        #expect(document.cell.value == 0)
        document.undoManager.redo()
        #expect(document.cell.value == 3)
    }

    @Test("A new change empties the redo stack; a change that is registered during an undo or redo does not")
    func redoEmptied() {
        let document = Document()
        for value in 1...3 { document.set(value) }
        document.undoManager.undo()
        document.undoManager.undo()
        document.undoManager.redo()
        #expect(document.cell.value == 2 && document.undoManager.canRedo)
        document.set(9)
        #expect(!document.undoManager.canRedo)
        document.undoManager.undo()
        #expect(document.cell.value == 2)
    }

    @Test("isUndoing and isRedoing are true while handlers run")
    func activity() {
        let document = Document()
        var seen: [[Bool]] = []
        func register() {
            seen.append([document.undoManager.isUndoing, document.undoManager.isRedoing])
            document.undoManager.registerUndo(withTarget: document.cell) { _ in register() }
        }
        document.group(register)
        document.undoManager.undo()
        document.undoManager.redo()
        #expect(seen == [[false, false], [true, false], [false, true]])
        #expect(!document.undoManager.isUndoing && !document.undoManager.isRedoing)
    }

    // MARK: Targets

    @Test("Targets are held weakly, and actions whose target was released are skipped")
    func deadTargets() {
        let document = Document()
        var other: Cell? = Cell(document.undoManager)
        weak let reference = other
        document.group {
            document.cell.set(1)
            other?.set(1)
            document.cell.set(2)
        }
        other = nil
        #expect(reference == nil && document.undoManager.canUndo)
        document.undoManager.undo()
        #expect(document.cell.value == 0)
    }

    @Test("A group whose targets were all released is not shown and not undone")
    func deadGroups() {
        let document = Document()
        document.set(1, name: "Set")
        var other: Cell? = Cell(document.undoManager)
        document.group { other?.set(1, name: "Other") }
        #expect(document.undoManager.undoActionName == "Other")
        other = nil
        #expect(document.undoManager.canUndo && document.undoManager.undoActionName == "Set")
        document.undoManager.undo()
        #expect(document.cell.value == 0 && !document.undoManager.canUndo)
        var third: Cell? = Cell(document.undoManager)
        document.group { third?.set(1) }
        document.undoManager.undo()
        #expect(document.undoManager.canRedo)
        third = nil
        #expect(!document.undoManager.canRedo)
    }

    @Test("removeAllActions(withTarget:) removes the actions of one target, wherever they are")
    func removalOfTarget() {
        let document = Document()
        let other = Cell(document.undoManager)
        document.group { other.set(1) }
        document.group {
            document.cell.set(1)
            other.set(2)
        }
        document.group { other.set(3) }
        document.undoManager.undo()
        document.undoManager.beginUndoGrouping()
        document.undoManager.removeAllActions(withTarget: other)
        document.undoManager.endUndoGrouping()
        #expect(!document.undoManager.canRedo)
        document.undoManager.undo()
        #expect(document.cell.value == 0 && other.value == 2 && !document.undoManager.canUndo)
        document.undoManager.removeAllActions(withTarget: 7)
        #expect(document.undoManager.canRedo)
    }

    @Test("removeAllActions() empties both stacks, keeps groups open, and enables registration")
    func removal() {
        let document = Document()
        document.set(1)
        document.set(2)
        document.undoManager.undo()
        document.undoManager.beginUndoGrouping()
        document.undoManager.disableUndoRegistration()
        document.undoManager.removeAllActions()
        #expect(!document.undoManager.canUndo && !document.undoManager.canRedo)
        #expect(document.undoManager.isUndoRegistrationEnabled && document.undoManager.groupingLevel == 1)
        document.cell.set(5)
        document.undoManager.endUndoGrouping()
        document.undoManager.undo()
        #expect(document.cell.value == 1 && !document.undoManager.canUndo)
    }

    @Test("The deinitializer of an object that a handler holds may call the undo manager")
    func deinitialization() {
        final class Holder {
            let document: Document
            init(_ document: Document) { self.document = document }
            deinit {
                document.undoManager.removeAllActions(withTarget: self)
                _ = document.undoManager.canUndo
            }
        }
        let document = Document()
        func add(merging: UndoManager.Merging? = nil) {
            let holder = Holder(document)
            document.undoManager.registerUndo(withTarget: document.cell, cost: 1, merging: merging) { [holder] _ in
                document.undoManager.registerUndo(withTarget: document.cell) { _ in _ = holder }
            }
        }
        func fill() { for _ in 0..<4 { document.group { add() } } }
        fill()
        document.undoManager.levelsOfUndo = 2
        document.undoManager.undo()
        document.set(1)
        document.undoManager.undoBudget = 1
        fill()
        document.undoManager.undo()
        document.undoManager.redo()
        document.undoManager.removeAllActions()
        fill()
        document.undoManager.removeAllActions(withTarget: document.cell)
        for _ in 0..<3 { document.group { add(merging: .keepFirst("key")) } }
        document.undoManager.maxActionsPerGroup = 1
        document.group {
            add()
            add()
        }
        #expect(!document.undoManager.canUndo)
    }

    // MARK: Groups

    @Test("A nested group is undone with the group around it")
    func nested() {
        let document = Document()
        document.group {
            document.cell.set(1)
            document.group { document.cell.set(2) }
            document.cell.set(3)
            #expect(document.undoManager.groupingLevel == 1)
        }
        document.undoManager.undo()
        #expect(document.cell.value == 0 && !document.undoManager.canUndo)
        document.undoManager.redo()
        #expect(document.cell.value == 3)
    }

    @Test("A group without actions leaves no trace")
    func emptyGroup() {
        let document = Document()
        document.set(1)
        document.undoManager.undo()
        document.group { document.group {} }
        #expect(!document.undoManager.canUndo && document.undoManager.canRedo)
    }

    @Test("undoNestedGroup() reverts the last group that was ended in the open group, or else the last group of all")
    func nestedUndo() {
        let document = Document()
        document.group {
            document.cell.set(1)
            document.group { document.cell.set(2) }
            document.group { document.cell.set(3) }
            document.undoManager.undoNestedGroup()
            #expect(document.cell.value == 2 && document.undoManager.groupingLevel == 1)
            document.undoManager.undoNestedGroup()
            #expect(document.cell.value == 1 && document.notices.last == "didUndo")
            document.undoManager.undoNestedGroup()
            #expect(document.cell.value == 1 && document.notices.last == "failed groupOpen")
        }
        document.undoManager.redo()
        document.undoManager.redo()
        #expect(document.cell.value == 3)
        for _ in 0..<3 { document.undoManager.undoNestedGroup() }
        #expect(document.cell.value == 0)
    }

    @Test("All changes of an event are one group, which endEvent() closes")
    func events() {
        let document = Document(groupsByEvent: true)
        var requests = 0
        document.undoManager.onEventGroupOpened = { requests += 1 }
        document.cell.set(1)
        document.cell.set(2)
        #expect(requests == 1 && document.undoManager.groupingLevel == 1 && document.undoManager.canUndo)
        document.undoManager.endEvent()
        document.undoManager.endEvent()
        #expect(document.undoManager.groupingLevel == 0)
        document.cell.set(3)
        #expect(requests == 2)
        document.undoManager.undo()
        #expect(document.cell.value == 2 && document.undoManager.groupingLevel == 0)
        document.undoManager.undo()
        #expect(document.cell.value == 0)
    }

    @Test("Groups that a program begins are within the event group, which may also be ended explicitly")
    func eventGroupAround() {
        let document = Document(groupsByEvent: true)
        document.undoManager.beginUndoGrouping()
        #expect(document.undoManager.groupingLevel == 2)
        while document.undoManager.groupingLevel > 0 { document.undoManager.endUndoGrouping() }
        #expect(!document.notices.contains { $0.hasPrefix("failed") })
    }

    @Test("The event group outlasts events while groups are open in it, and then requests the end of the event again")
    func longGroup() {
        let document = Document(groupsByEvent: true)
        var requests = 0
        document.undoManager.onEventGroupOpened = { requests += 1 }
        document.undoManager.beginUndoGrouping()
        for value in 1...40 {
            document.cell.set(value)
            document.undoManager.endEvent()
        }
        #expect(requests == 1)
        document.undoManager.endUndoGrouping()
        #expect(requests == 2 && document.undoManager.groupingLevel == 1)
        document.undoManager.endEvent()
        #expect(document.undoManager.groupingLevel == 0)
        document.undoManager.undo()
        #expect(document.cell.value == 0)
    }

    // MARK: Registration

    @Test("Registrations are ignored while they are disabled, and disabling nests")
    func disabled() {
        let document = Document(groupsByEvent: true)
        document.cell.set(1, name: "Set")
        document.undoManager.endEvent()
        document.undoManager.disableUndoRegistration()
        document.undoManager.disableUndoRegistration()
        document.cell.set(2, name: "Hidden")
        document.undoManager.enableUndoRegistration()
        #expect(!document.undoManager.isUndoRegistrationEnabled)
        document.cell.set(3)
        document.undoManager.enableUndoRegistration()
        #expect(document.undoManager.isUndoRegistrationEnabled && document.undoManager.groupingLevel == 0)
        #expect(document.undoManager.undoActionName == "Set")
        document.undoManager.undo()
        #expect(document.cell.value == 0)
    }

    @Test("A property is set by its key path, with undo and redo")
    func keyPath() {
        let document = Document()
        document.group { document.undoManager.set(\.title, of: document.cell, to: "new") }
        #expect(document.cell.title == "new")
        document.undoManager.undo()
        #expect(document.cell.title == "")
        document.undoManager.redo()
        #expect(document.cell.title == "new")
        document.undoManager.undo()
        #expect(document.cell.title == "")
    }

    // MARK: Information

    @Test("The last name given to any group around an action is the name for undo, and later for redo")
    func names() {
        let document = Document()
        document.group {
            document.cell.set(1, name: "First")
            document.group { document.cell.set(2, name: "Second") }
            document.undoManager.setActionName("Third")
            document.group { document.cell.set(3, name: "Last") }
            #expect(document.undoManager.undoActionName == "Last")
        }
        #expect(document.undoManager.undoActionName == "Last" && document.undoManager.redoActionName == "")
        document.undoManager.undo()
        #expect(document.undoManager.undoActionName == "" && document.undoManager.redoActionName == "Last")
        document.undoManager.redo()
        #expect(document.undoManager.undoActionName == "Last")
    }

    @Test("A handler can name the inverse of its action")
    func namesByHandlers() {
        let document = Document()
        document.group {
            document.undoManager.registerUndo(withTarget: document.cell) { $0.set(0, name: "Reset") }
            document.undoManager.setActionName("Set")
        }
        document.undoManager.undo()
        #expect(document.undoManager.redoActionName == "Reset")
    }

    @Test("A name that precedes its action opens the event group; without event groups, it names the last group")
    func nameBeforeAction() {
        let document = Document(groupsByEvent: true)
        document.undoManager.setActionName("Insert")
        #expect(document.undoManager.groupingLevel == 1 && !document.undoManager.canUndo)
        #expect(document.undoManager.undoActionName == "")
        document.cell.set(1)
        #expect(document.undoManager.undoActionName == "Insert")
        document.undoManager.endEvent()
        document.undoManager.groupsByEvent = false
        document.undoManager.setActionName("Add")
        #expect(document.undoManager.undoActionName == "Add")
    }

    @Test("Values are attached to groups, and kept by undo and redo")
    func userInfo() {
        let document = Document()
        let icon: UndoManager.UserInfoKey = "icon"
        document.group {
            document.cell.set(1)
            document.undoManager.setActionUserInfoValue("pencil", forKey: icon)
            document.undoManager.setActionUserInfoValue(5, forKey: UndoManager.UserInfoKey("time"))
            document.undoManager.setActionUserInfoValue(nil, forKey: UndoManager.UserInfoKey(rawValue: "time"))
        }
        #expect(document.undoManager.undoActionUserInfoValue(forKey: icon) as? String == "pencil")
        #expect(document.undoManager.undoActionUserInfoValue(forKey: "time") == nil)
        #expect(document.undoManager.redoActionUserInfoValue(forKey: icon) == nil)
        document.undoManager.undo()
        #expect(document.undoManager.redoActionUserInfoValue(forKey: icon) as? String == "pencil")
        document.undoManager.redo()
        #expect(document.undoManager.undoActionUserInfoValue(forKey: icon) as? String == "pencil")
    }

    @Test("A group is discardable if all its actions are, and so is its inverse")
    func discardable() {
        let document = Document()
        #expect(!document.undoManager.undoActionIsDiscardable && !document.undoManager.redoActionIsDiscardable)
        document.group {
            document.undoManager.setActionIsDiscardable(true)
            document.cell.set(1)
            document.cell.set(2)
            document.undoManager.setActionIsDiscardable(true)
        }
        #expect(document.undoManager.undoActionIsDiscardable)
        #expect(document.takeNotices().last == "didCloseGroup(isDiscardable: true)")
        document.undoManager.undo()
        #expect(document.undoManager.redoActionIsDiscardable)
        document.undoManager.redo()
        #expect(document.undoManager.undoActionIsDiscardable)
        document.group {
            document.cell.set(3)
            document.undoManager.setActionIsDiscardable(true)
            document.cell.set(4)
        }
        #expect(!document.undoManager.undoActionIsDiscardable)
        #expect(document.takeNotices().last == "didCloseGroup(isDiscardable: false)")
        document.undoManager.setActionIsDiscardable(true)
        #expect(document.undoManager.undoActionIsDiscardable)
    }

    // MARK: Notices

    @Test("Notices have the order of Apple's notifications")
    func notices() {
        let document = Document(groupsByEvent: true)
        document.cell.set(1)
        #expect(document.takeNotices() == ["didOpenGroup"])
        document.undoManager.beginUndoGrouping()
        #expect(document.takeNotices() == ["checkpoint", "didOpenGroup"])
        document.undoManager.endUndoGrouping()
        let closed = ["checkpoint", "willCloseGroup", "didCloseGroup(isDiscardable: false)"]
        #expect(document.takeNotices() == ["checkpoint", "willCloseGroup", "didCloseGroup(isDiscardable: true)"])
        document.undoManager.undo()
        #expect(document.takeNotices() == closed + ["willUndo", "didUndo"])
        document.undoManager.redo()
        #expect(document.takeNotices() == ["checkpoint", "willRedo", "didRedo"])
        _ = document.undoManager.canUndo
        #expect(document.takeNotices() == [])
        _ = document.undoManager.canRedo
        #expect(document.takeNotices() == ["checkpoint"])
    }

    @Test("An observer registers pending changes at a checkpoint, in the group to which they belong")
    func checkpoints() {
        let document = Document(groupsByEvent: true)
        var letters = ""
        let observation = document.undoManager.observe { notice in
            guard case .checkpoint = notice, !letters.isEmpty else { return }
            letters = ""
            document.cell.set(1)
            _ = document.undoManager.canRedo
        }
        letters = "typed"
        document.undoManager.undo()
        #expect(document.cell.value == 0 && document.undoManager.canRedo)
        letters = "typed"
        #expect(!document.undoManager.canRedo)
        observation.cancel()
    }

    @Test("didChange is sent only when a title, canUndo, canRedo or isClean changes")
    func changes() {
        let document = Document()
        var count = 0
        let observation = document.undoManager.observe { if case .didChange = $0 { count += 1 } }
        document.undoManager.beginUndoGrouping()
        #expect(count == 0)
        document.cell.set(1)
        #expect(count == 1)
        document.cell.set(2)
        #expect(count == 1)
        document.undoManager.setActionName("Set")
        #expect(count == 2)
        document.undoManager.endUndoGrouping()
        #expect(count == 2)
        document.undoManager.markClean()
        #expect(count == 3)
        document.undoManager.undo()
        #expect(count == 4)
        document.undoManager.removeAllActions()
        #expect(count == 5)
        withExtendedLifetime(observation) {}
    }

    @Test("An observation ends when it is canceled or released, even while a notice is being sent")
    func cancellation() {
        let document = Document()
        var seen: [Int] = []
        var second: UndoManager.Observation?
        let first = document.undoManager.observe { _ in
            seen.append(1)
            second?.cancel()
        }
        second = document.undoManager.observe { _ in seen.append(2) }
        document.undoManager.beginUndoGrouping()
        #expect(seen == [1])
        first.cancel()
        document.undoManager.endUndoGrouping()
        #expect(seen == [1])
        do { _ = document.undoManager.observe { _ in seen.append(3) } }
        document.group {}
        #expect(seen == [1])
    }
}
