/// An operation on a ``CrossingMachine`` in a session of mutter, or on what is around it.
package enum WindowOperation: MachineOperation {
    /// The session begins, under mutter up to 48 or from 50 on.
    case begin(makesPairs: Bool)
    case copyOnDisplay(program: Int, formats: Int, isSecret: Bool)
    /// The owner of the X11 selection ends, or releases it.
    case endOnDisplay(isDeath: Bool)
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
    /// mutter handles an event.
    case compose
    /// The bridge captures what the holder has, unless it is a secret.
    case capture
    case settle

    package var kind: Int {
        switch self {
        case .begin: 0
        case .copyOnDisplay(_, _, let isSecret): isSecret ? 1 : 2
        case .endOnDisplay(let isDeath): isDeath ? 3 : 4
        case .copyOnSeat(_, _, let isSecret): isSecret ? 5 : 6
        case .endOnSeat(let isClear): isClear ? 7 : 8
        case .write(let isSecret): isSecret ? 9 : 10
        case .deliver: 11
        case .serve: 12
        case .compose: 13
        case .capture: 14
        case .settle: 15
        case .lock: 16
        }
    }
}
