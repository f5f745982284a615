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

    static func protocolAtoms(of display: OpaquePointer) -> ProtocolAtoms {
        func intern(_ name: String) -> SelectionProtocol.Atom {
            SelectionProtocol.Atom(unsafe XInternAtom(display, name, 0))
        }
        return ProtocolAtoms(
            targets: intern("TARGETS"), multiple: intern("MULTIPLE"), timestamp: intern("TIMESTAMP"),
            atomPair: intern("ATOM_PAIR"), incr: intern("INCR"))
    }
}

extension XDisplay {
    /// The atoms of these names, made where they are missing. Costs one exchange with the server, and none when all are
    /// known.
    ///
    /// The server keeps an atom for ever: whoever passes on foreign names bounds their length and number.
    package func intern(_ names: [String]) -> [SelectionProtocol.Atom] {
        let names = names.map { AtomName($0) }
        let missing = names.filter { atomTable.atoms[$0] == nil }
        if !missing.isEmpty, !isBroken {
            var strings: [UnsafeMutablePointer<CChar>?] = unsafe missing.map { unsafe Self.copy($0) }
            defer { unsafe strings.forEach { unsafe free($0) } }
            var found = [CX11.Atom](repeating: 0, count: missing.count)
            unsafe XInternAtoms(handle, &strings, Int32(missing.count), 0, &found)
            for (name, atom) in zip(missing, found) where atom != 0 {
                learn(SelectionProtocol.Atom(atom), name)
            }
        }
        return names.map { atomTable.atoms[$0] ?? .none }
    }

    package func intern(_ name: String) -> SelectionProtocol.Atom { intern([name])[0] }

    private static func copy(_ name: AtomName) -> UnsafeMutablePointer<CChar>? {
        let characters = name.bytes.map { CChar(bitPattern: $0) } + [0]
        return unsafe strdup(characters)
    }

    /// The name of an atom that a peer sent, or nil where that number is no atom.
    ///
    /// Asked one by one: with XGetAtomNames one bad number shifts the names of all that follow, and Xlib's cache keeps
    /// them so.
    package func name(of atom: SelectionProtocol.Atom) -> String? {
        if let known = atomTable.names[atom] { return known }
        guard atom != .none, !isBroken, let characters = unsafe XGetAtomName(handle, atom.xlib) else {
            // Not kept: the number may become an atom.
            return nil
        }
        defer { unsafe XFree(characters) }
        let bytes = unsafe Array(UnsafeRawBufferPointer(start: characters, count: strlen(characters)))
        learn(atom, AtomName(bytes: bytes))
        return atomTable.names[atom]
    }

    private func learn(_ atom: SelectionProtocol.Atom, _ name: AtomName) {
        atomTable.atoms[name] = atom
        atomTable.names[atom] = name.string
    }
}
