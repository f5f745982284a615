import CX11
import Glibc
import LinuxSystem
package import SelectionProtocol

/// The name of an atom: bytes, compared as such. Names that are canonically equivalent in Unicode are different atoms.
struct AtomName: Hashable {
    let bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }

    init(_ string: String) { bytes = LosslessText.bytes(of: string) }

    var string: String { LosslessText.string(of: bytes) }
}

/// The atoms of a server whose names or numbers have been needed so far.
struct AtomTable {
    var atoms: [AtomName: SelectionProtocol.Atom] = [:]
    var names: [SelectionProtocol.Atom: String] = [:]
    /// The atoms whose names exceed the limit.
    var tooLong: Set<SelectionProtocol.Atom> = []

    var count: Int { names.count + tooLong.count }

    /// Interns the atoms of the protocol itself. Costs one round trip to the server.
    static func protocolAtoms(of display: OpaquePointer) -> ProtocolAtoms {
        let names = ["TARGETS", "MULTIPLE", "TIMESTAMP", "ATOM_PAIR", "INCR"]
        var strings = unsafe names.map { unsafe strdup($0) }
        defer { unsafe strings.forEach { unsafe free($0) } }
        var atoms = [CX11.Atom](repeating: 0, count: names.count)
        unsafe XInternAtoms(display, &strings, Int32(names.count), 0, &atoms)
        let found = atoms.map { SelectionProtocol.Atom($0) }
        return ProtocolAtoms(
            targets: found[0], multiple: found[1], timestamp: found[2], atomPair: found[3], incr: found[4])
    }
}

extension XDisplay {
    /// Returns the atoms with these names, and creates missing ones. Costs one round trip to the server, or none if all
    /// atoms are known.
    ///
    /// The server keeps an atom until it shuts down, so this is only for names that the bridge defines: see
    /// ``internForeign(_:)``.
    package func intern(_ names: [String]) -> [SelectionProtocol.Atom] {
        let names = names.map { AtomName($0) }
        limitAtomTable()
        ask(for: names, onlyIfExists: false)
        return names.map { atomTable.atoms[$0] ?? .none }
    }

    package func intern(_ name: String) -> SelectionProtocol.Atom { intern([name])[0] }

    /// Returns the atoms with names that other programs chose. Missing atoms are created up to ``atomLimit``; above the
    /// limit, the result for a missing atom is none.
    package func internForeign(_ names: [String]) -> [SelectionProtocol.Atom] {
        let names = names.map { AtomName($0) }
        limitAtomTable()
        ask(for: names, onlyIfExists: true)
        var seen: Set<AtomName> = []
        let new = names.filter { atomTable.atoms[$0] == nil && seen.insert($0).inserted }
        let made = Array(new.prefix(max(atomLimit - atomsMade, 0)))
        ask(for: made, onlyIfExists: false)
        atomsMade += made.count { atomTable.atoms[$0] != nil }
        return names.map { atomTable.atoms[$0] ?? .none }
    }

    package func internForeign(_ name: String) -> SelectionProtocol.Atom { internForeign([name])[0] }

    private func ask(for names: [AtomName], onlyIfExists: Bool) {
        var missing = names.filter { atomTable.atoms[$0] == nil }[...]
        while !missing.isEmpty, !isBroken {
            exchange(Array(missing.prefix(Self.namesPerExchange)), onlyIfExists: onlyIfExists)
            missing = missing.dropFirst(Self.namesPerExchange)
        }
    }

    private func exchange(_ missing: [AtomName], onlyIfExists: Bool) {
        var strings: [UnsafeMutablePointer<CChar>?] = unsafe missing.map { unsafe Self.copy($0) }
        defer { unsafe strings.forEach { unsafe free($0) } }
        var found = [CX11.Atom](repeating: 0, count: missing.count)
        roundTrips += 1
        unsafe XInternAtoms(handle, &strings, Int32(missing.count), onlyIfExists ? 1 : 0, &found)
        for (name, atom) in zip(missing, found) where atom != 0 {
            record(SelectionProtocol.Atom(atom), name)
        }
    }

    /// Clears the table when it is full, because other programs can send an unlimited number of atoms. A forgotten atom
    /// is asked for again.
    private func limitAtomTable() {
        if atomTable.count > Self.maxAtoms { atomTable = AtomTable() }
    }

    private static let maxAtoms = 65_536
    /// The limit on the names in one round trip: for each of many replies, Xlib searches through all the names
    /// requested.
    private static let namesPerExchange = 512

    private static func copy(_ name: AtomName) -> UnsafeMutablePointer<CChar>? {
        let characters = name.bytes.map { CChar(bitPattern: $0) } + [0]
        return unsafe strdup(characters)
    }

    /// The meaning of a number that a peer sent as an atom.
    package enum AtomLookup: Sendable, Equatable {
        case name(String)
        /// An atom whose name is longer than ``maxNameLength``.
        case tooLong
        case none
    }

    /// Looks up an atom. Atoms are asked for one at a time: XGetAtomNames, given one invalid number, shifts the names
    /// of all atoms that follow, and Xlib's cache keeps the wrong names.
    package func find(_ atom: SelectionProtocol.Atom) -> AtomLookup {
        if let known = atomTable.names[atom] { return .name(known) }
        if atomTable.tooLong.contains(atom) { return .tooLong }
        limitAtomTable()
        guard atom != .none, !isBroken else { return .none }
        roundTrips += 1
        // An invalid number is not cached, because it may become an atom later.
        guard let characters = unsafe XGetAtomName(handle, atom.xlib) else { return .none }
        defer { unsafe XFree(characters) }
        let bytes = unsafe Array(UnsafeRawBufferPointer(start: characters, count: strlen(characters)))
        guard bytes.count <= maxNameLength else {
            atomTable.tooLong.insert(atom)
            return .tooLong
        }
        let name = AtomName(bytes: bytes)
        record(atom, name)
        return .name(name.string)
    }

    /// Returns the name of an atom that a peer sent; nil if the number is not an atom, or if the name exceeds the
    /// limit.
    package func name(of atom: SelectionProtocol.Atom) -> String? {
        if case .name(let name) = find(atom) { name } else { nil }
    }

    private func record(_ atom: SelectionProtocol.Atom, _ name: AtomName) {
        atomTable.atoms[name] = atom
        atomTable.names[atom] = name.string
    }
}
