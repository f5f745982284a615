import PasteboardModel
import Testing

@Suite struct PasteboardLifetimeTests {
    typealias Registry = Pasteboards<String, Int>

    private let scratch = PasteboardName.app("com.example.scratch")

    private func clients(_ clients: Int...) -> Registry.Lifetime { .clients(Set(clients)) }

    @Test("Writing to an unused name creates a lasting pasteboard")
    func writing() throws {
        var registry = Registry(at: 1)
        #expect(try registry.createForWriting(scratch, at: 5))
        let entry = try registry.find(scratch)
        #expect(entry.lifetime == .lasting && !entry.isPersistent && entry.count == 0 && entry.since == 5)
        #expect(entry.holder == .nobody)
    }

    @Test("Writing does not extend the lifetime of another client's pasteboard")
    func writingToAnothers() throws {
        var registry = Registry(at: 1)
        _ = try registry.create(scratch, for: 1, at: 2)
        #expect(try registry.createForWriting(scratch, at: 5) == false)
        #expect(registry[scratch]?.lifetime == clients(1) && registry[scratch]?.since == 2)
    }

    @Test("A pasteboard exists as long as any client that created it")
    func creators() throws {
        var registry = Registry(at: 1)
        #expect(try registry.create(scratch, for: 1, at: 2))
        #expect(try registry.create(scratch, for: 2, at: 3) == false)
        #expect(registry[scratch]?.since == 2)
        #expect(
            registry.removeClient(1).isEmpty && registry.removeClient(3).isEmpty && registry.removeClient(1).isEmpty)
        #expect(registry[scratch]?.lifetime == clients(2))
        _ = try registry.change(scratch, to: .client("a"), at: 4)
        let removals = registry.removeClient(2)
        #expect(removals.map(\.former.name) == [scratch] && removals.map(\.count) == [2])
        #expect(removals.map(\.former.holder) == [.client("a")])
        #expect(registry[scratch] == nil)
    }

    @Test("When a client leaves, only its own pasteboards are removed, in the order of their names")
    func leaving() throws {
        var registry = Registry(at: 1)
        for name in ["com.b", "com.c", "com.a", "com.kept"] { _ = try registry.create(.app(name), for: 1, at: 1) }
        _ = try registry.create(.app("com.kept"), for: 2, at: 1)
        _ = try registry.create(.app("com.lasting"), for: 1, lasting: true, at: 1)
        _ = try registry.create(.app("com.persistent"), for: 1, persistent: true, at: 1)
        #expect(registry.removeClient(1).map(\.former.name.string) == ["com.a", "com.b", "com.c"])
        let left = registry.entries.map(\.name).filter { !$0.isSystem }.map(\.string)
        #expect(left == ["com.kept", "com.lasting", "com.persistent"])
    }

    @Test(
        "Creating a pasteboard again can extend its lifetime but never shortens it",
        arguments: [true, false], [true, false])
    func widening(lasting: Bool, persistent: Bool) throws {
        var registry = Registry(at: 1)
        _ = try registry.create(scratch, for: 1, lasting: lasting, persistent: persistent, at: 1)
        _ = try registry.create(scratch, for: 2, at: 1)
        #expect(registry[scratch]?.lifetime == (lasting ? .lasting : clients(1, 2)))
        #expect(registry[scratch]?.isPersistent == persistent)
        _ = try registry.create(scratch, for: 2, lasting: true, persistent: true, at: 1)
        #expect(registry[scratch]?.lifetime == .lasting && registry[scratch]?.isPersistent == true)
    }

    @Test("Creating a system pasteboard changes nothing")
    func createSystem() throws {
        var registry = Registry(at: 1)
        let before = registry
        #expect(try registry.create(.general, for: 1, at: 2) == false)
        #expect(registry == before && registry.removeClient(1).isEmpty)
    }

    // MARK: Persistence

    @Test("A persistent pasteboard outlives its clients, and belongs to whoever ends its persistence")
    func persistence() throws {
        var registry = Registry(at: 1)
        _ = try registry.create(scratch, for: 1, at: 1)
        try registry.setPersistent(scratch, true, for: 2)
        #expect(registry.removeClient(1).isEmpty)
        #expect(registry[scratch]?.lifetime == .clients([]))
        try registry.setPersistent(scratch, false, for: 2)
        #expect(registry[scratch]?.lifetime == clients(2) && registry[scratch]?.isPersistent == false)
        #expect(registry.removeClient(2).map(\.former.name) == [scratch])
    }

    @Test("A pasteboard that still has clients keeps only those clients when its persistence ends")
    func persistenceWithClients() throws {
        var registry = Registry(at: 1)
        _ = try registry.create(scratch, for: 1, persistent: true, at: 1)
        try registry.setPersistent(scratch, false, for: 2)
        #expect(registry[scratch]?.lifetime == clients(1))
        _ = try registry.createForWriting(.app("com.lasting"), at: 1)
        try registry.setPersistent(.app("com.lasting"), true, for: 2)
        try registry.setPersistent(.app("com.lasting"), false, for: 2)
        #expect(registry[.app("com.lasting")]?.lifetime == .lasting)
    }

    @Test("System pasteboards are always persistent")
    func persistenceOfSystem() throws {
        var registry = Registry(at: 1)
        let before = registry
        try registry.setPersistent(.find, true, for: 1)
        #expect(throws: PasteboardsError.belongsToSystem(.find)) { try registry.setPersistent(.find, false, for: 1) }
        #expect(registry == before)
    }

    @Test("A hidden pasteboard stays hidden, and is not persistent")
    func hidden() throws {
        var registry = Registry(at: 1)
        #expect(try registry.create(scratch, for: 1, hidden: true, at: 2))
        #expect(registry[scratch]?.isHidden == true)
        #expect(try registry.create(scratch, for: 2, at: 2) == false)
        #expect(registry[scratch]?.isHidden == true)
        #expect(throws: PasteboardsError.hidden(scratch)) {
            try registry.create(scratch, for: 2, persistent: true, at: 2)
        }
        #expect(throws: PasteboardsError.hidden(scratch)) { try registry.setPersistent(scratch, true, for: 1) }
        #expect(throws: PasteboardsError.visible(.general)) {
            try registry.create(.general, for: 1, hidden: true, at: 2)
        }
        #expect(registry[.general]?.isHidden == false)
    }

    // MARK: Unique names

    @Test("A unique pasteboard has a valid name made of the random bits")
    func unique() throws {
        var registry = Registry(at: 1)
        let name = try registry.createUnique(random: 0xABC, for: 1, at: 2)
        #expect(name.string == "com.xpb.unique." + String(repeating: "0", count: 29) + "abc")
        #expect(try PasteboardName(validating: name.string) == name)
        #expect(registry[name]?.lifetime == clients(1) && registry[name]?.since == 2)
        let last = try registry.createUnique(random: .max, for: 1, lasting: true, persistent: true, at: 2)
        #expect(last.string.hasSuffix("." + String(repeating: "f", count: 32)))
        #expect(registry[last]?.lifetime == .lasting && registry[last]?.isPersistent == true)
    }

    @Test("A unique name is a name that no pasteboard has or had")
    func uniqueness() throws {
        var registry = Registry(at: 1)
        let first = try registry.createUnique(random: .max, for: 1, at: 1)
        let second = try registry.createUnique(random: .max, for: 1, at: 1)
        #expect(second.string.hasSuffix("." + String(repeating: "0", count: 32)))
        _ = try registry.remove(first)
        _ = try registry.change(second, to: .nobody, at: 1)
        let third = try registry.createUnique(random: .max, for: 1, at: 1)
        #expect(third.string.hasSuffix("01") && registry[third]?.count == 0)
    }
}
