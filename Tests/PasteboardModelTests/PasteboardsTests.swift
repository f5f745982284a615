import PasteboardModel
import Testing

@Suite struct PasteboardsTests {
    typealias Registry = Pasteboards<String, Int>

    private let scratch = PasteboardName.app("com.example.scratch")
    private let other = PasteboardName.app("com.example.other")

    private func registry(limit: Int = 1_024, remembered: Int = 1_024) -> Registry {
        Registry(at: 100, limit: limit, remembered: remembered)
    }

    // MARK: After a restart

    @Test("A restored pasteboard is persistent and continues from its count, without a step")
    func restored() throws {
        var registry = registry()
        registry.restore(.general, count: 12, .client("text"), at: 500)
        registry.restore(scratch, count: 3, .nobody, at: 500)
        let general = try registry.find(.general)
        #expect(general.count == 12 && general.holder == .client("text") && general.lifetime == .lasting)
        #expect(try registry.find(scratch).isPersistent && registry.find(scratch).lifetime == .clients([]))
        #expect(try registry.change(scratch, to: .client("more"), at: 600) == 4)
    }

    @Test("Counts outlive a bridge, even the counts of removed pasteboards")
    func restoredCounts() throws {
        var former = registry()
        for name in [scratch, other, .general] {
            _ = try former.createForWriting(name, at: 1)
            _ = try former.change(name, to: .client("text"), at: 2)
        }
        _ = try former.remove(other)
        #expect(former.allCounts == [.general: 1, .find: 0, .secondary: 0, scratch: 1, other: 2])
        var registry = registry()
        for (name, count) in former.allCounts { registry.restore(count, of: name, at: 500) }
        #expect(registry[.general]?.count == 1 && registry[scratch] == nil)
        registry.restore(scratch, count: 1, .client("text"), at: 500)
        #expect(try registry.createForWriting(other, at: 600))
        #expect(registry.allCounts == former.allCounts)
    }

    @Test("Raising the counts lifts lower counts to the floor and keeps higher counts")
    func raised() throws {
        var registry = registry()
        registry.restore(.general, count: 12, .nobody, at: 500)
        registry.raise(to: 10)
        #expect(registry[.general]?.count == 12 && registry[.find]?.count == 10)
        #expect(try registry.createForWriting(scratch, at: 600))
        #expect(registry[scratch]?.count == 10)
        registry.raise(to: 5)
        #expect(registry[.find]?.count == 10)
    }

    @Test("No count is reported twice if stored pasteboards are restored after counts were reported")
    func restoredLate() throws {
        var registry = registry()
        for name in [scratch, other] {
            _ = try registry.createForWriting(name, at: 1)
            for time in 2...9 { _ = try registry.change(name, to: .client("text"), at: time) }
            _ = try registry.remove(name)
        }
        registry.raise(to: 12)
        registry.restore(scratch, count: 5, .nobody, at: 500)
        #expect(registry[scratch]?.count == 12)
        #expect(try registry.createForWriting(other, at: 600))
        #expect(registry[other]?.count == 12)
    }

    @Test("A pasteboard can become persistent later, but a hidden pasteboard cannot")
    func persisted() throws {
        var registry = registry()
        _ = try registry.createForWriting(scratch, at: 1)
        _ = try registry.create(other, for: 1, hidden: true, at: 1)
        for name in [scratch, other] { registry.persist(name) }
        #expect(registry[scratch]?.isPersistent == true && registry[other]?.isPersistent == false)
    }

    @Test("Restoring stops at the limit on the number of pasteboards")
    func restoredTooMany() {
        var registry = registry(limit: 4)
        registry.restore(scratch, count: 1, .nobody, at: 500)
        registry.restore(other, count: 1, .nobody, at: 500)
        #expect(registry.unordered.count == 4 && registry[other] == nil)
    }

    // MARK: Finding

    @Test("The system pasteboards exist from the beginning, empty and persistent")
    func system() throws {
        let registry = Registry(at: 100, floor: 7)
        #expect(registry.entries.map(\.name) == [.find, .general, .secondary])
        #expect(registry.unordered.count == 3)
        for entry in registry.entries {
            #expect(entry.count == 7 && entry.since == 100 && entry.holder == .nobody)
            #expect(entry.isPersistent && entry.lifetime == .lasting)
        }
    }

    @Test("A pasteboard is found by its name")
    func finding() throws {
        var registry = registry()
        #expect(registry[scratch] == nil)
        #expect(throws: PasteboardsError.noSuchPasteboard(scratch)) { try registry.find(scratch) }
        #expect(try registry.createForWriting(scratch, at: 200))
        #expect(try registry.find(scratch).name == scratch)
        #expect(registry.entries.map(\.name) == [.find, .general, .secondary, scratch])
    }

    @Test("A count other than the expected one is refused and reported")
    func check() throws {
        var registry = registry()
        _ = try registry.change(.general, to: .client("a"), at: 1)
        try registry.check(.general, ifCount: 1)
        try registry.check(.general, ifCount: nil)
        let error = PasteboardsError.countMismatch(.general, count: 1)
        #expect(throws: error) { try registry.check(.general, ifCount: 0) }
        #expect(throws: PasteboardsError.noSuchPasteboard(scratch)) { try registry.check(scratch, ifCount: nil) }
        #expect(error.message.contains("'general' is 1"))
    }

    @Test("A pasteboard that does not exist is checked against the count that it would start with, and is not created")
    func checkBeforeMaking() throws {
        var registry = registry()
        _ = try registry.create(scratch, for: 1, at: 1)
        _ = try registry.change(scratch, to: .client("a"), at: 1)
        _ = try registry.remove(scratch)
        try registry.checkBeforeMaking(scratch, ifCount: 2)
        #expect(throws: PasteboardsError.countMismatch(scratch, count: 2)) {
            try registry.checkBeforeMaking(scratch, ifCount: 0)
        }
        #expect(registry[scratch] == nil)
    }

    @Test("Room is checked for all missing pasteboards together, and existing pasteboards need no room")
    func room() throws {
        let small = Pasteboards<String, Int>(at: 0, limit: 4)
        try small.checkRoom(for: [.general, scratch, scratch])
        #expect(throws: PasteboardsError.tooMany(3)) { try small.checkRoom(for: [scratch, .app("com.example.more")]) }
    }

    // MARK: Changing

    @Test("A change is one step, whoever the new holder is")
    func change() throws {
        var registry = registry()
        #expect(try registry.change(.general, to: .client("a"), at: 200) == 1)
        #expect(registry[.general]?.holder == .client("a") && registry[.general]?.count == 1)
        #expect(try registry.change(.general, to: .foreign(.window(5)), at: 300) == 2)
        #expect(registry[.general]?.holder == .foreign(.window(5)) && registry[.general]?.since == 300)
        #expect(try registry.change(.general, to: .nobody, at: 400) == 3)
        #expect(registry[.general]?.holder == .nobody)
        #expect(registry[.find]?.count == 0 && registry[.find]?.since == 100)
    }

    @Test("Adopting an owner that was there before is not a step")
    func setHolder() throws {
        var registry = registry()
        try registry.setHolder(.find, .foreign(.window(5)), at: 200)
        #expect(registry[.find]?.holder == .foreign(.window(5)) && registry[.find]?.since == 200)
        #expect(registry[.find]?.count == 0)
    }

    @Test("Revising the form of the contents is not a step, and keeps the time")
    func updateContents() throws {
        var registry = registry()
        try registry.updateContents(.general, "x")
        #expect(registry[.general]?.holder == .nobody)
        try registry.setHolder(.general, .foreign(.window(5)), at: 200)
        try registry.updateContents(.general, "x")
        #expect(registry[.general]?.holder == .foreign(.window(5)))
        _ = try registry.change(.general, to: .client("a"), at: 300)
        try registry.updateContents(.general, "b")
        #expect(registry[.general]?.holder == .client("b"))
        #expect(registry[.general]?.count == 1 && registry[.general]?.since == 300)
    }

    @Test("Operations on a pasteboard that does not exist throw and change nothing")
    func absent() {
        var registry = registry()
        let before = registry
        let error = PasteboardsError.noSuchPasteboard(scratch)
        #expect(throws: error) { try registry.change(scratch, to: .nobody, at: 1) }
        #expect(throws: error) { try registry.setHolder(scratch, .nobody, at: 1) }
        #expect(throws: error) { try registry.updateContents(scratch, "a") }
        #expect(throws: error) { try registry.remove(scratch) }
        #expect(throws: error) { try registry.setPersistent(scratch, true, for: 1) }
        #expect(registry == before)
        #expect(error.message.contains("com.example.scratch"))
    }

    // MARK: Removing

    @Test("A removal is the last step, and returns the previous contents")
    func remove() throws {
        var registry = registry()
        _ = try registry.createForWriting(scratch, at: 1)
        _ = try registry.change(scratch, to: .client("a"), at: 2)
        let removal = try registry.remove(scratch)
        #expect(removal.count == 2)
        #expect(removal.former.name == scratch && removal.former.count == 1)
        #expect(removal.former.holder == .client("a"))
        #expect(registry[scratch] == nil)
    }

    @Test("System pasteboards cannot be removed", arguments: [PasteboardName.general, .find, .secondary])
    func removeSystem(name: PasteboardName) {
        var registry = registry()
        let before = registry
        #expect(throws: PasteboardsError.belongsToSystem(name)) { try registry.remove(name) }
        #expect(registry == before)
        #expect(PasteboardsError.belongsToSystem(name).message.contains(name.string))
    }

    @Test("A pasteboard that is created again continues from its previous count")
    func counts() throws {
        var registry = registry()
        _ = try registry.createForWriting(scratch, at: 1)
        for _ in 0..<4 { _ = try registry.change(scratch, to: .nobody, at: 2) }
        _ = try registry.remove(scratch)
        _ = try registry.create(scratch, for: 1, at: 3)
        #expect(registry[scratch]?.count == 5 && registry[scratch]?.since == 3)
        _ = try registry.createForWriting(other, at: 3)
        #expect(registry[other]?.count == 0)
    }

    @Test("Counts that are no longer remembered raise the floor for all new pasteboards")
    func floor() throws {
        var registry = registry(remembered: 2)
        let names = (0..<4).map { PasteboardName.app("com.example.\($0)") }
        for (name, steps) in zip(names, [9, 3, 5, 1]) {
            _ = try registry.createForWriting(name, at: 1)
            for _ in 0..<steps { _ = try registry.change(name, to: .nobody, at: 2) }
        }
        for name in names.prefix(3) { _ = try registry.remove(name) }
        // The counts are 10, 4 and 6; of the first count, only the floor remains.
        _ = try registry.createForWriting(other, at: 3)
        #expect(registry[other]?.count == 10)
        for (name, count) in zip(names, [10, 4, 6, 1]) {
            _ = try registry.createForWriting(name, at: 3)
            #expect(registry[name]?.count == count)
        }
    }

    @Test("Pasteboards beyond the limit are refused, and a removal makes room")
    func limit() throws {
        var registry = Registry(at: 0)
        for number in 3..<Registry.defaultLimit {
            #expect(try registry.createForWriting(.app("com.example.p\(number)"), at: 1))
        }
        let before = registry
        let error = PasteboardsError.tooMany(1_024)
        #expect(throws: error) { try registry.createForWriting(scratch, at: 1) }
        #expect(throws: error) { try registry.create(scratch, for: 1, at: 1) }
        #expect(throws: error) { try registry.createUnique(random: 1, for: 1, at: 1) }
        #expect(registry == before)
        #expect(try registry.createForWriting(.app("com.example.p3"), at: 1) == false)
        _ = try registry.remove(.app("com.example.p3"))
        #expect(try registry.createForWriting(scratch, at: 1))
        #expect(error.message.contains("1024"))
    }
}
