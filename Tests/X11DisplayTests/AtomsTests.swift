import SelectionProtocol
import TestSupport
import Testing
import X11Display

@Suite(.requiresXvfb, .serialized) struct AtomsTests {
    @Test("Names and atoms are converted in both directions", arguments: ["image/png", "x", "täxt/plain", "a b"])
    func roundTrip(name: String) throws {
        let display = try openDisplay()
        let atom = display.intern(name)
        #expect(atom != .none)
        #expect(display.name(of: atom) == name)
        #expect(try openDisplay().name(of: atom) == name)
    }

    @Test("Several names are interned in order, including known and repeated names")
    func several() throws {
        let display = try openDisplay()
        let known = display.intern("KNOWN")
        let atoms = display.intern(["FIRST", "KNOWN", "SECOND", "FIRST"])
        #expect(atoms[1] == known)
        #expect(atoms[0] == atoms[3])
        #expect(atoms.map { display.name(of: $0) } == ["FIRST", "KNOWN", "SECOND", "FIRST"])
    }

    @Test("An invalid atom has no name, and does not affect other names", arguments: [0, 0xFFFF_FFF0, 5_000_000])
    func noAtom(id: UInt32) throws {
        let display = try openDisplay()
        #expect(display.name(of: Atom(id)) == nil)
        let atom = display.intern("image/png")
        #expect(display.name(of: atom) == "image/png")
        #expect(display.name(of: Atom(id)) == nil)
        #expect(display.intern("image/png") == atom)
    }

    /// Returns names that no client of the server has used.
    private func newNames(_ count: Int) -> [String] {
        (0..<count).map { "XPB_NEW_\(UInt64.random(in: .min ... .max))_\($0)" }
    }

    @Test("Atoms for names of other programs are created once each, up to the limit")
    func limited() throws {
        let display = try openDisplay()
        display.atomLimit = 2
        let names = newNames(3)
        let atoms = display.internForeign([names[0], names[0], names[1], names[2]])
        #expect(atoms[0] != .none && atoms[0] == atoms[1])
        #expect(atoms[2] != .none)
        #expect(atoms[3] == .none)
        #expect(display.atomsMade == 2)
        #expect(display.internForeign(names[2]) == .none)
        display.atomLimit = 3
        #expect(display.internForeign(names[2]) != .none)
    }

    @Test("Existing names, and names of the bridge, do not count towards the limit")
    func free() throws {
        let names = newNames(2)
        let known = try openDisplay()
        let atom = known.intern(names[0])
        let display = try openDisplay()
        display.atomLimit = 0
        #expect(display.internForeign(names) == [atom, .none])
        #expect(display.intern(names[1]) != .none)
        #expect(display.internForeign(names[1]) != .none)
        #expect(display.atomsMade == 0)
    }

    @Test("An atom whose name is too long is reported as such")
    func longName() throws {
        let display = try openDisplay()
        display.maxNameLength = 8
        let atoms = display.intern(["12345678", "123456789"])
        let other = try openDisplay()
        other.maxNameLength = 8
        #expect(atoms.map { other.find($0) } == [.name("12345678"), .tooLong])
        #expect(atoms.map { other.find($0) } == [.name("12345678"), .tooLong])
        #expect(other.find(Atom(5_000_000)) == .none)
        other.maxNameLength = 9
        #expect(other.name(of: atoms[1]) == "123456789")
    }

    @Test("Names and atoms stay consistent after the table was cleared, and existing names do not count")
    func many() throws {
        let display = try openDisplay()
        let names = (0..<70_000).map { "XPB_MANY_\($0)" }
        let atoms = display.intern(names)
        #expect(Set(atoms).count == names.count)
        display.atomLimit = 0
        // The table has exceeded its limit here and is cleared.
        #expect(display.internForeign([names[0], names[69_999]]) == [atoms[0], atoms[69_999]])
        #expect(display.name(of: atoms[35_000]) == names[35_000])
        #expect(display.intern(names[1]) == atoms[1])
    }

    @Test("The windows of two clients are distinguished by the mask that the server reports")
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
