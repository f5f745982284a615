import SelectionProtocol
import TestSupport
import Testing
import X11Display

@Suite(.requiresXvfb, .serialized) struct AtomsTests {
    @Test("A name and its atom lead to each other", arguments: ["image/png", "x", "täxt/plain", "a b"])
    func roundTrip(name: String) throws {
        let display = try openDisplay()
        let atom = display.intern(name)
        #expect(atom != .none)
        #expect(display.name(of: atom) == name)
        #expect(try openDisplay().name(of: atom) == name)
    }

    @Test("Several names are interned in their order, known ones and repeated ones among them")
    func several() throws {
        let display = try openDisplay()
        let known = display.intern("KNOWN")
        let atoms = display.intern(["FIRST", "KNOWN", "SECOND", "FIRST"])
        #expect(atoms[1] == known)
        #expect(atoms[0] == atoms[3])
        #expect(atoms.map { display.name(of: $0) } == ["FIRST", "KNOWN", "SECOND", "FIRST"])
    }

    @Test("A number that is no atom has no name, and shifts no other's", arguments: [0, 0xFFFF_FFF0, 5_000_000])
    func noAtom(id: UInt32) throws {
        let display = try openDisplay()
        #expect(display.name(of: Atom(id)) == nil)
        let atom = display.intern("image/png")
        #expect(display.name(of: atom) == "image/png")
        #expect(display.name(of: Atom(id)) == nil)
        #expect(display.intern("image/png") == atom)
    }

    /// Names that no client of the server has used.
    private func newNames(_ count: Int) -> [String] {
        (0..<count).map { "XPB_NEW_\(UInt64.random(in: .min ... .max))_\($0)" }
    }

    @Test("Of the names of others so many are made atoms as there may be, each once")
    func limited() throws {
        let display = try openDisplay()
        display.atomLimit = 2
        let names = newNames(3)
        let atoms = display.internForOthers([names[0], names[0], names[1], names[2]])
        #expect(atoms[0] != .none && atoms[0] == atoms[1])
        #expect(atoms[2] != .none)
        #expect(atoms[3] == .none)
        #expect(display.atomsMade == 2)
        #expect(display.internForOthers(names[2]) == .none)
        display.atomLimit = 3
        #expect(display.internForOthers(names[2]) != .none)
    }

    @Test("A name that the server has already costs nothing, and neither does one of our own")
    func free() throws {
        let names = newNames(2)
        let known = try openDisplay()
        let atom = known.intern(names[0])
        let display = try openDisplay()
        display.atomLimit = 0
        #expect(display.internForOthers(names) == [atom, .none])
        #expect(display.intern(names[1]) != .none)
        #expect(display.internForOthers(names[1]) != .none)
        #expect(display.atomsMade == 0)
    }

    @Test("An atom with a name that is too long is an atom without one")
    func longName() throws {
        let display = try openDisplay()
        display.longestName = 8
        let atoms = display.intern(["12345678", "123456789"])
        let other = try openDisplay()
        other.longestName = 8
        #expect(atoms.map { other.find($0) } == [.name("12345678"), .tooLong])
        #expect(atoms.map { other.find($0) } == [.name("12345678"), .tooLong])
        #expect(other.find(Atom(5_000_000)) == .none)
        other.longestName = 9
        #expect(other.name(of: atoms[1]) == "123456789")
    }

    @Test("However many atoms were seen, names and atoms still lead to each other, and what is known costs nothing")
    func many() throws {
        let display = try openDisplay()
        let names = (0..<70_000).map { "XPB_MANY_\($0)" }
        let atoms = display.intern(names)
        #expect(Set(atoms).count == names.count)
        display.atomLimit = 0
        // What is known is forgotten here: it was more than is kept.
        #expect(display.internForOthers([names[0], names[69_999]]) == [atoms[0], atoms[69_999]])
        #expect(display.name(of: atoms[35_000]) == names[35_000])
        #expect(display.intern(names[1]) == atoms[1])
    }

    @Test("Windows of one client are told from those of another by the server's word")
    func windowBits() throws {
        let (one, two) = (try openDisplay(), try openDisplay())
        #expect(one.windowBits != 0)
        #expect(one.windowBits == two.windowBits)
        func client(_ display: XDisplay) -> UInt32 {
            display.createWindow(for: .owner).id & ~display.windowBits
        }
        #expect(client(one) == client(one))
        #expect(client(one) != client(two))
    }
}
