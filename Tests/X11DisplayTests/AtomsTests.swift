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
}
