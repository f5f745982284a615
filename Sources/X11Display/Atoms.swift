import CX11
import Glibc
import LinuxSystem
package import SelectionProtocol

/// The name of an atom: bytes, and compared as such. Two that Unicode holds to be equal are two atoms.
struct AtomName: Hashable {
    let bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }

    init(_ string: String) { bytes = LosslessText.bytes(of: string) }

    var string: String { LosslessText.string(of: bytes) }
}

/// The names and numbers of a server's atoms, as far as they were needed.
struct AtomTable {
    var atoms: [AtomName: SelectionProtocol.Atom] = [:]
    var names: [SelectionProtocol.Atom: String] = [:]
    /// Those whose name is longer than is of use.
    var long: Set<SelectionProtocol.Atom> = []

    var count: Int { names.count + long.count }

    /// Costs one exchange with the server.
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
    /// The atoms of these names, made where they are missing. Costs one exchange with the server, and none when all are
    /// known.
    ///
    /// The server keeps an atom until it ends, so this is for names of our own: see ``internForOthers(_:)``.
    package func intern(_ names: [String]) -> [SelectionProtocol.Atom] {
        let names = names.map { AtomName($0) }
        boundAtoms()
        ask(for: names, onlyIfExists: false)
        return names.map { atomTable.atoms[$0] ?? .none }
    }

    package func intern(_ name: String) -> SelectionProtocol.Atom { intern([name])[0] }

    /// The atoms of names that others chose. One that the server does not have yet is made as long as there are fewer than
    /// ``atomLimit`` of those, and is none beyond that.
    package func internForOthers(_ names: [String]) -> [SelectionProtocol.Atom] {
        let names = names.map { AtomName($0) }
        boundAtoms()
        ask(for: names, onlyIfExists: true)
        var seen: Set<AtomName> = []
        let new = names.filter { atomTable.atoms[$0] == nil && seen.insert($0).inserted }
        let made = Array(new.prefix(max(atomLimit - atomsMade, 0)))
        ask(for: made, onlyIfExists: false)
        atomsMade += made.count { atomTable.atoms[$0] != nil }
        return names.map { atomTable.atoms[$0] ?? .none }
    }

    package func internForOthers(_ name: String) -> SelectionProtocol.Atom { internForOthers([name])[0] }

    private func ask(for names: [AtomName], onlyIfExists: Bool) {
        var missing = names.filter { atomTable.atoms[$0] == nil }[...]
        while !missing.isEmpty, !isBroken {
            exchange(Array(missing.prefix(Self.atomsAtOnce)), onlyIfExists: onlyIfExists)
            missing = missing.dropFirst(Self.atomsAtOnce)
        }
    }

    private func exchange(_ missing: [AtomName], onlyIfExists: Bool) {
        var strings: [UnsafeMutablePointer<CChar>?] = unsafe missing.map { unsafe Self.copy($0) }
        defer { unsafe strings.forEach { unsafe free($0) } }
        var found = [CX11.Atom](repeating: 0, count: missing.count)
        exchanges += 1
        unsafe XInternAtoms(handle, &strings, Int32(missing.count), onlyIfExists ? 1 : 0, &found)
        for (name, atom) in zip(missing, found) where atom != 0 {
            learn(SelectionProtocol.Atom(atom), name)
        }
    }

    /// Others can show us atoms without end, so what is known of them is forgotten at times: it can be asked anew.
    private func boundAtoms() {
        if atomTable.count > Self.mostAtoms { atomTable = AtomTable() }
    }

    private static let mostAtoms = 65_536
    /// For each answer of many, Xlib looks through all that were asked for.
    private static let atomsAtOnce = 512

    private static func copy(_ name: AtomName) -> UnsafeMutablePointer<CChar>? {
        let characters = name.bytes.map { CChar(bitPattern: $0) } + [0]
        return unsafe strdup(characters)
    }

    /// What a number is that a peer sent for an atom.
    package enum FoundAtom: Sendable, Equatable {
        case name(String)
        /// An atom whose name is longer than ``longestName``.
        case tooLong
        case none
    }

    /// Asked one by one: with XGetAtomNames one bad number shifts the names of all that follow, and Xlib's cache keeps
    /// them so.
    package func find(_ atom: SelectionProtocol.Atom) -> FoundAtom {
        if let known = atomTable.names[atom] { return .name(known) }
        if atomTable.long.contains(atom) { return .tooLong }
        boundAtoms()
        guard atom != .none, !isBroken else { return .none }
        exchanges += 1
        // A number that is none is not kept: it may become an atom.
        guard let characters = unsafe XGetAtomName(handle, atom.xlib) else { return .none }
        defer { unsafe XFree(characters) }
        let bytes = unsafe Array(UnsafeRawBufferPointer(start: characters, count: strlen(characters)))
        guard bytes.count <= longestName else {
            atomTable.long.insert(atom)
            return .tooLong
        }
        let name = AtomName(bytes: bytes)
        learn(atom, name)
        return .name(name.string)
    }

    /// The name of an atom that a peer sent, or nil where that number is no atom, or one with too long a name.
    package func name(of atom: SelectionProtocol.Atom) -> String? {
        if case .name(let name) = find(atom) { name } else { nil }
    }

    private func learn(_ atom: SelectionProtocol.Atom, _ name: AtomName) {
        atomTable.atoms[name] = atom
        atomTable.names[atom] = name.string
    }
}
