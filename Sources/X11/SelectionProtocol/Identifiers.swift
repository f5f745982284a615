/// An X11 atom: a number that stands for a name until the server shuts down.
package struct Atom: Hashable, Sendable {
    package let id: UInt32

    package init(_ id: UInt32) {
        self.id = id
    }

    /// No atom. As the property of a SelectionNotify it means that the request was refused (ICCCM 2.2).
    package static let none = Atom(0)
    // Atoms predefined by the core protocol: X11/Xatom.h.
    package static let atom = Atom(4)
    package static let integer = Atom(19)
}

package struct WindowID: Hashable, Sendable {
    package let id: UInt32

    package init(_ id: UInt32) {
        self.id = id
    }

    package static let none = WindowID(0)
}

/// A client of the X server, identified by the common part of the numbers of its windows.
package struct ProgramID: Hashable, Sendable {
    package let id: UInt32

    package init(_ id: UInt32) {
        self.id = id
    }
}

/// The bridge's own number for one version of a pasteboard, as offered on a selection. Numbers start at 1.
package struct OfferID: Hashable, Sendable {
    package let number: Int

    package init(_ number: Int) {
        self.number = number
    }
}

/// A time of the X server in milliseconds. It wraps around after 49.7 days.
package struct ServerTime: Hashable, Sendable {
    package let milliseconds: UInt32

    package init(_ milliseconds: UInt32) {
        self.milliseconds = milliseconds
    }

    /// The time that means "now" in a request. It cannot be compared, and ICCCM 2.1 forbids it when claiming a
    /// selection.
    package static let current = ServerTime(0)

    /// Returns true if this time equals the other time, or follows it by at most this number of milliseconds.
    package func isWithin(_ milliseconds: UInt32, after other: ServerTime) -> Bool {
        self.milliseconds &- other.milliseconds <= milliseconds
    }
}

/// The atoms that the protocol itself uses. Their numbers depend on the server.
package struct ProtocolAtoms: Sendable {
    package var targets: Atom
    package var multiple: Atom
    package var timestamp: Atom
    package var atomPair: Atom
    package var incr: Atom

    package init(targets: Atom, multiple: Atom, timestamp: Atom, atomPair: Atom, incr: Atom) {
        self.targets = targets
        self.multiple = multiple
        self.timestamp = timestamp
        self.atomPair = atomPair
        self.incr = incr
    }
}
