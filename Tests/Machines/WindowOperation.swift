/// An operation on a ``CrossingMachine`` in a session that shows the bridge no seat, or on its surroundings.
package enum WindowOperation: MachineOperation {
    /// The session begins under this compositor.
    case begin(compositor: Int)
    /// An X11 window gets the focus, or loses it.
    case focus(Bool)
    case copyOnDisplay(program: Int, formats: Int, isSecret: Bool)
    /// The owner of the X11 selection ends, or releases it, and the bridge may learn of it before the compositor does.
    case endOnDisplay(isDeath: Bool, isReported: Bool)
    case copyOnSeat(program: Int, formats: Int, isSecret: Bool)
    /// The Wayland program that has copied ends, or clears the selection.
    case endOnSeat(isClear: Bool)
    /// The screen is locked.
    case lock
    /// A client of the bridge writes.
    case write(isSecret: Bool)
    /// The bridge reads an event.
    case deliver
    /// The X server handles a request of the bridge.
    case serve
    /// The compositor handles an event.
    case compose
    /// The bridge captures the holder's contents, unless they are a secret.
    case capture
    /// The bridge is killed.
    case kill
    /// The next bridge starts.
    case start
    case settle

    package var kind: Int {
        switch self {
        case .begin: 0
        case .copyOnDisplay(_, _, let isSecret): isSecret ? 1 : 2
        case .endOnDisplay(let isDeath, _): isDeath ? 3 : 4
        case .copyOnSeat(_, _, let isSecret): isSecret ? 5 : 6
        case .endOnSeat(let isClear): isClear ? 7 : 8
        case .write(let isSecret): isSecret ? 9 : 10
        case .deliver: 11
        case .serve: 12
        case .compose: 13
        case .capture: 14
        case .settle: 15
        case .lock: 16
        case .focus(let isFocused): isFocused ? 17 : 18
        case .kill: 19
        case .start: 20
        }
    }
}
