package import WaylandWire

/// The windows of a Wayland session, as the compositor reports them by wlr-foreign-toplevel-management.
///
/// No handle of a window is destroyed, so the compositor gives its number to no other window.
package struct ToplevelList: Equatable {
    package struct Toplevel: Equatable {
        /// The identifier of the program; empty if the window has none.
        package var appID = ""
        package var isActive = false
    }

    /// The windows that have been reported completely and are open.
    package private(set) var toplevels: [ObjectID: Toplevel] = [:]
    /// The changes to each open window up to now, which take effect together.
    private var pending: [ObjectID: Toplevel] = [:]

    /// The number of `activated` among the states of a window.
    private static let activated: UInt32 = 2

    package init() {}

    /// The active window; nil if none is active, or one for each of several seats.
    package var active: ObjectID? {
        let active = toplevels.filter(\.value.isActive)
        return active.count == 1 ? active.first?.key : nil
    }

    package func has(_ window: ObjectID) -> Bool { pending[window] != nil }

    package mutating func add(_ window: ObjectID) { pending[window] = Toplevel() }

    /// Applies an event of a window.
    package mutating func apply(_ event: ForeignToplevelHandle.Event, to window: ObjectID) {
        switch event {
        case .appID(let name): pending[window]?.appID = String(decoding: name.bytes, as: UTF8.self)
        case .state(let bytes): pending[window]?.isActive = Self.numbers(bytes).contains(Self.activated)
        case .done: toplevels[window] = pending[window]
        case .closed:
            pending[window] = nil
            toplevels[window] = nil
        case .title, .outputEnter, .outputLeave, .parent: break
        }
    }

    private static func numbers(_ bytes: [UInt8]) -> [UInt32] {
        stride(from: 0, to: bytes.count & ~3, by: 4).map { start in
            (0..<4).reduce(0) { $0 | UInt32(bytes[start + $1]) << (8 * UInt32($1)) }
        }
    }
}
