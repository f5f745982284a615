import Testing
import Undo

/// Tests of misuse and of handlers that fail: the program continues, and no action is lost.
@Suite struct UndoErrorTests {
    private struct Refusal: Error {}

    private func errors(_ document: Document) -> [String] {
        document.takeNotices().filter { $0.hasPrefix("failed") }.map { String($0.dropFirst(7)) }
    }

    @Test("Undo, redo and undoNestedGroup() are refused while a group is open")
    func openGroup() {
        let document = Document()
        document.set(1)
        document.set(2)
        document.undoManager.undo()
        document.undoManager.beginUndoGrouping()
        document.undoManager.undo()
        document.undoManager.redo()
        document.undoManager.undoNestedGroup()
        #expect(errors(document) == ["groupOpen", "groupOpen", "groupOpen"] && document.cell.value == 1)
        document.undoManager.endUndoGrouping()
        document.undoManager.redo()
        #expect(document.cell.value == 2)
    }

    @Test("Calls without their counterpart are refused")
    func unmatched() {
        let document = Document(groupsByEvent: true)
        document.undoManager.endUndoGrouping()
        document.undoManager.enableUndoRegistration()
        #expect(errors(document) == ["noGroupOpen", "registrationEnabled"])
        #expect(document.undoManager.isUndoRegistrationEnabled && document.undoManager.groupingLevel == 0)
    }

    @Test("An action outside of a group becomes a group of its own")
    func noGroup() {
        let document = Document()
        document.cell.set(1)
        document.cell.set(2)
        #expect(errors(document) == ["noGroupOpen", "noGroupOpen"])
        document.undoManager.undo()
        #expect(document.cell.value == 1)
    }

    @Test("Undo, redo and a clean mark are refused within handlers")
    func recursion() {
        let document = Document()
        document.set(1)
        document.group {
            document.undoManager.registerUndo(withTarget: document.cell) {
                $0.undoManager.undo()
                $0.undoManager.redo()
                $0.undoManager.undoNestedGroup()
                $0.undoManager.markClean()
                $0.undoManager.endUndoGrouping()
                $0.undoManager.endEvent()
            }
        }
        document.undoManager.undo()
        #expect(errors(document) == ["busy", "busy", "busy", "busy", "noGroupOpen"] && document.cell.value == 1)
        document.undoManager.undo()
        #expect(document.cell.value == 0)
    }

    @Test("Groups that a handler leaves open are ended")
    func unendedGroups() {
        let document = Document()
        document.group {
            document.undoManager.registerUndo(withTarget: document.cell) {
                $0.undoManager.beginUndoGrouping()
                $0.undoManager.beginUndoGrouping()
                $0.set(5)
            }
        }
        document.undoManager.undo()
        #expect(errors(document) == ["groupNotEnded"] && document.undoManager.groupingLevel == 0)
        document.undoManager.redo()
        #expect(document.cell.value == 0 && document.undoManager.canUndo)
    }

    @Test("A handler that throws ends the undo; its action can be tried again, and the other actions can be redone")
    func failingHandler() {
        let document = Document()
        let other = Cell(document.undoManager)
        var isBroken = true
        document.group {
            document.cell.set(1, name: "Set")
            document.undoManager.registerUndo(withTarget: other) {
                if isBroken { throw Refusal() }
                $0.set(0)
            }
            document.cell.set(2)
        }
        other.setWithoutUndo(7)
        document.undoManager.markClean()
        document.undoManager.undo()
        #expect(errors(document) == ["handlerFailed"] && document.cell.value == 1 && other.value == 7)
        #expect(document.undoManager.undoActionName == "Set" && document.undoManager.redoActionName == "Set")
        #expect(!document.undoManager.isClean && document.undoManager.canReachClean)
        document.undoManager.redo()
        #expect(document.cell.value == 2 && document.undoManager.isClean)
        document.undoManager.undo()
        isBroken = false
        document.undoManager.undo()
        #expect(document.cell.value == 0 && other.value == 0)
        for _ in 0..<2 { document.undoManager.redo() }
        #expect(document.cell.value == 2 && other.value == 7 && document.undoManager.isClean)
    }

    @Test("A handler that throws at once leaves both stacks as they were")
    func failureAtOnce() {
        let document = Document()
        document.set(1)
        document.undoManager.undo()
        document.undoManager.redo()
        document.group { document.undoManager.registerUndo(withTarget: document.cell) { _ in throw Refusal() } }
        document.undoManager.markClean()
        var errors: [UndoError] = []
        let observation = document.undoManager.observe { if case .failed(let error) = $0 { errors.append(error) } }
        for _ in 0..<3 { document.undoManager.undo() }
        #expect(errors.count == 3 && errors.allSatisfy { $0.code == .handlerFailed && $0.underlying is Refusal })
        #expect(errors.first?.description == "an action of undo or redo has failed: Refusal()")
        #expect(document.undoManager.canUndo && document.undoManager.isClean && document.cell.value == 1)
        withExtendedLifetime(observation) {}
    }

    @Test("A handler that throws during a redo can be tried again")
    func failingRedo() {
        let document = Document()
        var failures = 1
        func change(_ cell: Cell) throws {
            if document.undoManager.isRedoing, failures > 0 {
                failures -= 1
                throw Refusal()
            }
            document.undoManager.registerUndo(withTarget: cell) { try change($0) }
        }
        document.group {
            try? change(document.cell)
            document.cell.set(1)
        }
        document.undoManager.undo()
        document.undoManager.redo()
        #expect(errors(document) == ["handlerFailed"] && document.cell.value == 0)
        document.undoManager.redo()
        #expect(document.cell.value == 1 && !document.undoManager.canRedo)
        document.undoManager.undo()
        #expect(document.cell.value == 0)
    }

    @Test("The limit on a group ends endless registrations")
    func endlessRegistration() {
        let document = Document()
        document.undoManager.maxActionsPerGroup = 1_000
        document.set(1)
        document.group {
            document.undoManager.registerUndo(withTarget: document.cell) { cell in
                for _ in 0..<5_000 { cell.undoManager.registerUndo(withTarget: cell) { _ in } }
            }
        }
        document.undoManager.undo()
        #expect(errors(document) == ["groupTooLarge"] && !document.undoManager.canRedo)
        document.undoManager.undo()
        #expect(document.cell.value == 0)
    }

    @Test("A handler that registers new actions in each undo does not make undo endless")
    func selfRegistration() {
        let document = Document()
        func register(_ cell: Cell) {
            document.undoManager.registerUndo(withTarget: cell, handler: register)
            document.undoManager.registerUndo(withTarget: cell, handler: register)
        }
        document.group { register(document.cell) }
        var steps = 0
        while document.undoManager.canUndo, steps < 10 {
            document.undoManager.undo()
            steps += 1
        }
        #expect(steps == 1)
    }

    @Test("A handler that removes all actions ends the undo")
    func removalByHandler() {
        let document = Document()
        document.set(1)
        document.group {
            document.cell.set(2)
            document.undoManager.registerUndo(withTarget: document.cell) { $0.undoManager.removeAllActions() }
        }
        document.undoManager.undo()
        #expect(document.cell.value == 2 && !document.undoManager.canUndo && !document.undoManager.canRedo)
        #expect(!document.undoManager.isUndoing && !document.undoManager.isClean)
    }

    @Test("A hundred thousand nested groups are opened, ended and undone")
    func deepNesting() {
        let document = Document()
        for _ in 0..<100_000 { document.undoManager.beginUndoGrouping() }
        document.cell.set(1)
        for _ in 0..<100_000 { document.undoManager.endUndoGrouping() }
        document.undoManager.undo()
        #expect(document.cell.value == 0)
    }

    @Test("Observers may begin and end groups while a group is being closed, but not end that group")
    func closing() {
        let document = Document(groupsByEvent: true)
        var isBusy = false
        let observation = document.undoManager.observe { notice in
            guard case .willCloseGroup = notice, !isBusy else { return }
            isBusy = true
            document.group { document.cell.set(2) }
            document.undoManager.beginUndoGrouping()
            document.undoManager.undo()
            document.undoManager.endUndoGrouping()
            document.undoManager.endUndoGrouping()
            document.undoManager.beginUndoGrouping()
        }
        document.cell.set(1)
        document.undoManager.endEvent()
        #expect(errors(document) == ["busy", "busy"] && document.undoManager.groupingLevel == 0)
        document.undoManager.undo()
        #expect(document.cell.value == 0)
        withExtendedLifetime(observation) {}
    }
}
