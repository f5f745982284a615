/// An X11 atom: a name that the server keeps as a number, for as long as the server lives.
package struct Atom: Hashable, Sendable {
    package let id: UInt32

    package init(_ id: UInt32) {
        self.id = id
    }

    /// No atom. In a SelectionNotify's property it means that the request was refused (ICCCM 2.2).
    package static let none = Atom(0)
    // Predefined by the core protocol, X11/Xatom.h.
    package static let atom = Atom(4)
    package static let integer = Atom(19)
    package static let string = Atom(31)
}

/// An X11 window.
package struct WindowID: Hashable, Sendable {
    package let id: UInt32

    package init(_ id: UInt32) {
        self.id = id
    }

    package static let none = WindowID(0)
}

/// A client of the X server, by what the numbers of its windows have in common.
package struct ProgramID: Hashable, Sendable {
    package let id: UInt32

    package init(_ id: UInt32) {
        self.id = id
    }
}

/// The bridge's own number for one version of one pasteboard, as offered on a selection. They begin with 1.
package struct OfferID: Hashable, Sendable {
    package let number: Int

    package init(_ number: Int) {
        self.number = number
    }
}

/// A time of the X server, in milliseconds; it wraps after 49.7 days.
package struct ServerTime: Hashable, Sendable {
    package let milliseconds: UInt32

    package init(_ milliseconds: UInt32) {
        self.milliseconds = milliseconds
    }

    /// Stands for "now" in a request; it is no time that can be compared (ICCCM 2.1 forbids it for claims).
    package static let current = ServerTime(0)

    /// Whether this time is later than the other, on the circle: half of it is later, half is earlier
    /// (X protocol, "Timestamp").
    package func isLater(than other: ServerTime) -> Bool {
        let distance = milliseconds &- other.milliseconds
        return distance != 0 && distance < 1 << 31
    }
}

/// The atoms that the protocol itself speaks with; they depend on the server.
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
