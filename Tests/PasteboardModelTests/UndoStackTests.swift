import PasteboardModel
import Testing

@Suite struct UndoStackTests {
    /// Returns a stack of strings. Their size is the size of their UTF-8, and strings that start with `!` must not be
    /// restored.
    private func stack(levels: Int = 10, budget: Int = 1_000) -> UndoStack<String> {
        UndoStack(levels: levels, budget: budget, size: \.utf8.count) { !$0.hasPrefix("!") }
    }

    private func values(_ entries: [UndoStack<String>.Entry]) -> [String] { entries.map(\.value) }

    @Test("Nothing can be undone or redone at first")
    func empty() {
        var stack = stack()
        #expect(stack.undoable.isEmpty && stack.redoable.isEmpty && stack.undoAction == nil && stack.redoAction == nil)
        #expect(stack.undo(from: "a") == nil && stack.redo(from: "a") == nil)
        #expect(stack.redoable.isEmpty && stack.undoable.isEmpty)
    }

    @Test("Changes are reverted, and repeated, one after the other")
    func undo() {
        var stack = stack()
        stack.record("a", action: "Copy b")
        stack.record("b", action: "Copy c")
        #expect(stack.undoAction == "Copy c" && stack.redoAction == nil)
        #expect(stack.undo(from: "c") == "b")
        #expect(stack.undoAction == "Copy b" && stack.redoAction == "Copy c")
        #expect(stack.undo(from: "b") == "a")
        #expect(stack.undo(from: "a") == nil && stack.redoAction == "Copy b")
        #expect(stack.redo(from: "a") == "b")
        #expect(stack.redo(from: "b") == "c")
        #expect(stack.redo(from: "c") == nil && stack.undoAction == "Copy c")
        #expect(values(stack.undoable) == ["a", "b"])
    }

    @Test("A change can be named later")
    func laterName() {
        var stack = stack()
        stack.nameLastChange("Nothing")
        stack.record("a", action: "Copy")
        stack.nameLastChange("Copy from Firefox")
        #expect(stack.undoAction == "Copy from Firefox")
    }

    @Test("Contents can be removed from the middle of both stacks")
    func takenOut() {
        var stack = stack()
        for value in ["a", "b", "c", "b"] { stack.record(value) }
        _ = stack.undo(from: "d")
        stack.removeAll { $0 == "b" }
        #expect(values(stack.undoable) == ["a", "c"] && values(stack.redoable) == ["d"])
        stack.removeAll { $0 == "d" }
        #expect(stack.redoable.isEmpty)
    }

    @Test("A stored stack is restored without contents that may not be kept, within the limits")
    func restored() {
        var stack = stack(levels: 3)
        stack.record("x")
        stack.restore(undo: [("a", "1"), ("!", "2"), ("b", "3"), ("c", "4")], redo: [("d", "5")])
        #expect(values(stack.undoable) == ["b", "c"] && values(stack.redoable) == ["d"])
        #expect(stack.undoAction == "4" && stack.redoAction == "5")
        #expect(stack.undo(from: "e") == "c" && stack.redo(from: "c") == "e" && stack.redo(from: "e") == "d")
    }

    @Test("A new change empties the redo stack")
    func redoDropped() {
        var stack = stack()
        stack.record("a")
        stack.record("b")
        #expect(stack.undo(from: "c") == "b")
        stack.record("b", action: "Copy d")
        #expect(stack.redoable.isEmpty && values(stack.undoable) == ["a", "b"])
    }

    // MARK: Groups

    @Test("Successive changes for one event are one group, with the last name given")
    func groups() {
        var stack = stack()
        stack.record("a", action: "Copy b", event: 1)
        stack.record("b", action: "Copy c", event: 1)
        stack.record("c", event: 1)
        stack.record("d", action: "Copy e", event: 2)
        stack.record("e", action: "Copy f", event: 1)
        #expect(values(stack.undoable) == ["a", "d", "e"])
        #expect(stack.undoable.map(\.action) == ["Copy c", "Copy e", "Copy f"])
    }

    @Test("Each change without an event is its own group")
    func alone() {
        var stack = stack()
        for value in ["a", "b", "c"] { stack.record(value) }
        #expect(values(stack.undoable) == ["a", "b", "c"])
    }

    @Test("An undo or a redo ends a group", arguments: [true, false])
    func groupEnds(redoes: Bool) {
        var stack = stack()
        stack.record("a", event: 1)
        stack.record("b", event: 2)
        #expect(stack.undo(from: "c") == "b")
        if redoes { #expect(stack.redo(from: "b") == "c") }
        stack.record(redoes ? "c" : "b", event: 2)
        #expect(values(stack.undoable) == (redoes ? ["a", "b", "c"] : ["a", "b"]))
    }

    // MARK: Contents that are not kept

    @Test("Contents that may not be kept are skipped")
    func secrets() {
        var stack = stack()
        stack.record("a", action: "Copy secret")
        stack.record("!secret", action: "Copy b")
        #expect(stack.undoAction == "Copy b")
        #expect(stack.undo(from: "b") == "a")
        #expect(stack.redo(from: "a") == "b")
        stack.record("b", action: "Copy secret")
        #expect(stack.undo(from: "!secret") == "b")
        #expect(stack.redoable.isEmpty)
    }

    @Test("A group that starts with contents that may not be kept has no level")
    func secretGroup() {
        var stack = stack()
        stack.record("!secret", event: 1)
        stack.record("a", event: 1)
        #expect(stack.undoable.isEmpty)
    }

    @Test("A nameless change after skipped contents leaves the name of the level unchanged")
    func secretName() {
        var stack = stack()
        stack.record("a", action: "Copy secret")
        stack.record("!secret")
        #expect(stack.undoAction == "Copy secret")
    }

    // MARK: Limits

    @Test("The limit on levels drops the oldest contents first")
    func levels() {
        var stack = stack(levels: 2)
        for value in ["a", "b", "c"] { stack.record(value) }
        #expect(values(stack.undoable) == ["b", "c"])
        #expect(stack.undo(from: "d") == "c" && stack.undo(from: "c") == "b" && stack.undo(from: "b") == nil)
        #expect(values(stack.redoable) == ["d", "c"])
        stack.levels = 1
        #expect(values(stack.redoable) == ["c"])
    }

    @Test("With no levels, nothing is kept", arguments: [0, -1, .min])
    func noLevels(levels: Int) {
        var stack = stack(levels: levels)
        stack.record("a", action: "x", event: 1)
        #expect(stack.undoable.isEmpty)
        var later = self.stack()
        later.record("a")
        later.levels = levels
        #expect(later.undoable.isEmpty && later.undo(from: "b") == nil)
    }

    @Test("The limit on bytes drops the oldest contents first")
    func budget() {
        var stack = stack(budget: 10)
        for value in ["aaaa", "bbbb", "cc"] { stack.record(value) }
        #expect(values(stack.undoable) == ["aaaa", "bbbb", "cc"])
        stack.record("d")
        #expect(values(stack.undoable) == ["bbbb", "cc", "d"])
        #expect(stack.undo(from: "eeeeeee") == "d")
        #expect(values(stack.undoable) == ["cc"] && values(stack.redoable) == ["eeeeeee"])
        stack.budget = 8
        #expect(values(stack.undoable).isEmpty && values(stack.redoable) == ["eeeeeee"])
        stack.budget = -1
        #expect(stack.redoable.isEmpty)
    }

    @Test("Contents larger than the whole budget are skipped")
    func tooLarge() {
        var stack = stack(budget: 4)
        stack.record("a", action: "Copy much")
        stack.record("bbbbb", action: "Copy c")
        #expect(values(stack.undoable) == ["a"] && stack.undoAction == "Copy c")
    }

    @Test("A sum of sizes that overflows does not trap")
    func sizes() {
        var stack = UndoStack<Int>(levels: 3, budget: .max, size: { $0 })
        for size in [.max, .max, .min, 5] { stack.record(size) }
        #expect(stack.undoable.map(\.value) == [.max, .min, 5])
    }
}
