import Testing
import Undo

/// Tests of limits, merging and the clean mark.
@Suite struct UndoLimitsTests {
    /// Undoes everything, and returns the value after each undo.
    private func undone(_ document: Document) -> [Int] {
        var values: [Int] = []
        while document.undoManager.canUndo {
            document.undoManager.undo()
            values.append(document.cell.value)
        }
        return values
    }

    // MARK: Limits

    @Test("The oldest groups beyond levelsOfUndo are dropped, from both stacks", arguments: [0, -1, 2])
    func levels(levels: Int) {
        let document = Document()
        document.undoManager.levelsOfUndo = levels
        for value in 1...4 { document.set(value) }
        #expect(undone(document) == (levels > 0 ? [3, 2] : [3, 2, 1, 0]))
        document.undoManager.levelsOfUndo = 1
        document.undoManager.redo()
        #expect(document.cell.value == (levels > 0 ? 3 : 1) && !document.undoManager.canRedo)
    }

    @Test("The oldest groups beyond the budget are dropped, undo groups before redo groups")
    func budget() {
        let document = Document()
        document.undoManager.undoBudget = 10
        for value in 1...4 { document.group { document.cell.drag(to: value, cost: 3, merging: nil) } }
        #expect(undone(document) == [3, 2, 1])
        document.undoManager.redo()
        document.undoManager.undoBudget = 6
        #expect(!document.undoManager.canUndo && document.undoManager.canRedo)
        document.undoManager.undoBudget = 3
        document.undoManager.redo()
        #expect(document.cell.value == 3 && !document.undoManager.canRedo)
    }

    @Test("A group beyond the budget is not recorded, and its stack is emptied")
    func tooExpensive() {
        let document = Document()
        document.undoManager.undoBudget = 10
        document.set(1)
        document.group {
            document.cell.drag(to: 2, cost: 11)
            document.cell.drag(to: 3, cost: 1)
        }
        #expect(document.notices.filter { $0.hasPrefix("failed") } == ["failed groupTooLarge"])
        #expect(!document.undoManager.canUndo && !document.undoManager.canReachClean)
        document.set(4)
        #expect(undone(document) == [3])
    }

    @Test("An inverse beyond the budget cannot be redone, but the rest can be undone")
    func expensiveInverse() {
        let document = Document()
        document.undoManager.undoBudget = 10
        document.set(1)
        document.group {
            document.undoManager.registerUndo(withTarget: document.cell) { $0.drag(to: 1, cost: 11) }
        }
        document.cell.setWithoutUndo(2)
        document.undoManager.undo()
        #expect(!document.undoManager.canRedo && undone(document) == [0])
    }

    @Test("Costs are counted without overflow", arguments: [Int.max, Int.min, -1])
    func extremeCosts(cost: Int) {
        let document = Document()
        for value in 1...3 { document.group { document.cell.drag(to: value, cost: cost, merging: nil) } }
        document.undoManager.undoBudget = .max
        document.undoManager.undo()
        #expect(document.cell.value == 2)
        document.undoManager.undoBudget = 5
        #expect(document.undoManager.canUndo == (cost < 0))
    }

    // MARK: Merging

    @Test("The steps of a drag become one group with one action")
    func drag() {
        let document = Document(groupsByEvent: true)
        for value in 1...40 {
            document.cell.drag(to: value, cost: 1)
            document.undoManager.setActionName("Move")
            document.undoManager.endEvent()
        }
        document.undoManager.undoBudget = 1
        #expect(undone(document) == [0])
        #expect(document.undoManager.redoActionName == "Move")
        document.undoManager.redo()
        #expect(document.cell.value == 40)
    }

    @Test("A drag of several objects keeps the first action of each object, within a group and across groups")
    func dragOfSeveral() {
        let document = Document()
        let cells = (0..<20).map { _ in Cell(document.undoManager) }
        for value in 1...5 {
            document.group { for part in 0...1 { for cell in cells { cell.drag(to: value * 2 + part, cost: 1) } } }
        }
        document.undoManager.undoBudget = cells.count
        document.undoManager.undo()
        #expect(cells.allSatisfy { $0.value == 0 })
    }

    @Test("The letters of a word become one group with all actions")
    func letters() {
        let document = Document()
        for value in 1...5 { document.group { document.cell.drag(to: value, cost: 1, merging: .keepAll("typing")) } }
        document.undoManager.undoBudget = 5
        #expect(undone(document) == [0])
        document.undoManager.redo()
        #expect(document.cell.value == 5 && !document.undoManager.canRedo)
    }

    @Test("Groups with different keys or policies, or with actions without a key, are not merged")
    func otherKeys() {
        let document = Document()
        let keys: [UndoManager.Merging?] = [.keepFirst("a"), .keepFirst("b"), .keepAll("b"), nil, nil]
        for (index, key) in keys.enumerated() { document.group { document.cell.drag(to: index + 1, merging: key) } }
        document.group {
            document.cell.drag(to: 6, merging: .keepFirst("a"))
            document.cell.set(7)
        }
        document.group { document.cell.drag(to: 8, merging: .keepFirst("a")) }
        #expect(undone(document) == [7, 5, 4, 3, 2, 1, 0])
    }

    @Test(
        "Merging ends with an undo, a redo, a clean mark and endMerging()",
        arguments: ["undo", "redo", "clean", "end"])
    func mergingEnds(how: String) {
        let document = Document()
        document.group { document.cell.drag(to: 1) }
        switch how {
        case "undo":
            document.set(5)
            document.undoManager.undo()
        case "redo":
            document.undoManager.undo()
            document.undoManager.redo()
        case "clean":
            document.undoManager.markClean()
            document.undoManager.removeCleanMark()
        default: document.undoManager.endMerging()
        }
        document.group { document.cell.drag(to: 2) }
        document.group { document.cell.drag(to: 3) }
        #expect(undone(document) == [1, 0])
    }

    @Test("endMerging() in an open group, as when a button is released, still merges that group into the drag")
    func mergingEndsInGroup() {
        let document = Document()
        document.group { document.cell.drag(to: 1) }
        document.group {
            document.cell.drag(to: 2)
            document.undoManager.endMerging()
        }
        document.group { document.cell.drag(to: 3) }
        #expect(undone(document) == [2, 0])
    }

    @Test("A merged action is discardable only if both actions are")
    func mergedDiscardable() {
        let document = Document()
        document.group {
            document.cell.drag(to: 1)
            document.undoManager.setActionIsDiscardable(true)
        }
        document.group { document.cell.drag(to: 2) }
        #expect(!document.undoManager.undoActionIsDiscardable)
    }

    @Test("A merged group does not exceed the budget or the limit on actions")
    func mergedLimits() {
        let document = Document()
        document.undoManager.undoBudget = 3
        for value in 1...5 { document.group { document.cell.drag(to: value, cost: 1, merging: .keepAll("typing")) } }
        #expect(undone(document) == [3])
        document.undoManager.undoBudget = 0
        document.undoManager.maxActionsPerGroup = 3
        for value in 4...8 { document.group { document.cell.drag(to: value, merging: .keepAll("typing")) } }
        #expect(undone(document) == [6, 3])
    }

    // MARK: The clean mark

    @Test("Undo and redo recognize the clean state")
    func clean() {
        let document = Document()
        document.set(1)
        #expect(!document.undoManager.isClean)
        document.undoManager.markClean()
        document.set(2)
        #expect(!document.undoManager.isClean && document.undoManager.canReachClean)
        document.undoManager.undo()
        #expect(document.undoManager.isClean)
        document.undoManager.undo()
        #expect(!document.undoManager.isClean && document.undoManager.canReachClean)
        document.undoManager.redo()
        #expect(document.undoManager.isClean)
        document.undoManager.removeCleanMark()
        #expect(!document.undoManager.isClean && !document.undoManager.canReachClean)
    }

    @Test("The clean mark is lost with the redo stack, and with dropped groups")
    func cleanLost() {
        let document = Document()
        document.set(1)
        document.undoManager.markClean()
        document.undoManager.undo()
        document.set(2)
        #expect(!document.undoManager.canReachClean)
        document.undoManager.markClean()
        document.set(3)
        document.undoManager.levelsOfUndo = 1
        #expect(document.undoManager.canReachClean)
        document.set(4)
        #expect(!document.undoManager.canReachClean)
    }

    @Test("The clean mark is lost if an action on the way to it was removed, was skipped, or is not reversible")
    func cleanUnreachable() {
        let document = Document()
        var other: Cell? = Cell(document.undoManager)
        document.group {
            other?.set(1)
            document.cell.set(1)
        }
        document.set(2)
        other = nil
        document.undoManager.undo()
        document.undoManager.undo()
        #expect(document.cell.value == 0 && !document.undoManager.isClean)

        document.undoManager.markClean()
        document.set(3)
        document.undoManager.removeAllActions(withTarget: document.cell)
        #expect(!document.undoManager.canReachClean)

        document.group { document.undoManager.registerUndo(withTarget: document.cell) { $0.setWithoutUndo(9) } }
        document.undoManager.markClean()
        document.undoManager.undo()
        #expect(document.cell.value == 9 && !document.undoManager.canReachClean)
    }

    @Test("A state with an action in an open group is not clean; removeAllActions() keeps a clean state clean")
    func cleanAndGroups() {
        let document = Document()
        document.undoManager.beginUndoGrouping()
        #expect(document.undoManager.isClean)
        document.cell.set(1)
        #expect(!document.undoManager.isClean)
        document.undoManager.markClean()
        #expect(document.notices.last == "failed groupOpen" && !document.undoManager.canReachClean)
        document.undoManager.endUndoGrouping()
        document.undoManager.markClean()
        document.undoManager.removeAllActions()
        #expect(document.undoManager.isClean)
        document.set(2)
        document.undoManager.removeAllActions()
        #expect(!document.undoManager.isClean && !document.undoManager.canReachClean)
    }

    @Test("A clean mark closes the event group")
    func cleanEvent() {
        let document = Document(groupsByEvent: true)
        document.cell.set(1)
        document.undoManager.markClean()
        #expect(document.undoManager.isClean && document.undoManager.groupingLevel == 0)
    }
}
