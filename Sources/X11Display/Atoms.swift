import CX11
import Glibc
package import SelectionProtocol

/// The names and numbers of a server's atoms, as far as they were needed.
struct AtomTable {
    var atoms: [String: SelectionProtocol.Atom] = [:]
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
        let missing = names.filter { atomTable.atoms[$0] == nil }
        if !missing.isEmpty, !isBroken {
            var strings: [UnsafeMutablePointer<CChar>?] = unsafe missing.map { unsafe strdup($0) }
            defer { unsafe strings.forEach { unsafe free($0) } }
            var found = [CX11.Atom](repeating: 0, count: missing.count)
            unsafe XInternAtoms(handle, &strings, Int32(missing.count), 0, &found)
            for (name, atom) in zip(missing, found) where atom != 0 {
                learn(SelectionProtocol.Atom(atom), name)
            }
        }
        return names.map { atomTable.atoms[$0] ?? .none }
    }

    package func intern(_ name: String) -> SelectionProtocol.Atom {
        atomTable.atoms[name] ?? intern([name])[0]
    }

    /// The name of an atom that a peer sent, or nil where that number is no atom.
    ///
    /// Asked one by one: with XGetAtomNames one bad number shifts the names of all that follow, and Xlib's cache keeps
    /// them so. A name that is not UTF-8 cannot be given back, and counts as none.
    package func name(of atom: SelectionProtocol.Atom) -> String? {
        if let known = atomTable.names[atom] { return known }
        guard atom != .none, !isBroken, let characters = unsafe XGetAtomName(handle, atom.xlib) else {
            // Not kept: the number may become an atom.
            return nil
        }
        defer { unsafe XFree(characters) }
        guard let name = unsafe String(validatingCString: characters) else { return nil }
        learn(atom, name)
        return name
    }

    private func learn(_ atom: SelectionProtocol.Atom, _ name: String) {
        atomTable.atoms[name] = atom
        atomTable.names[atom] = name
    }
}
