/// An operation on a ``CrossingMachine`` or on its surroundings.
package enum CrossingOperation: MachineOperation {
    /// The session begins under this compositor.
    case begin(compositor: Int)
    /// An X11 window gets the focus, or loses it.
    case focus(Bool)
    /// A program on the X display copies.
    case copyOnDisplay(program: Int, types: Int, isSecret: Bool)
    /// The owner of the X11 selection ends, or releases it.
    case endOnDisplay(isDeath: Bool)
    /// A program on the seat copies.
    case copyOnSeat(types: Int, isSecret: Bool)
    /// The owner of the seat's selection ends, or clears it.
    case endOnSeat
    /// The holder of the pasteboard ends, and a program follows at once: a clipboard manager that puts back the
    /// holder's contents, or a program that copies.
    case replace(isRefill: Bool)
    /// A client of the bridge writes.
    case write(isSecret: Bool)
    /// A client of the bridge clears the pasteboard.
    case clear
    /// The bridge reads an event of the display, or of the seat.
    case deliver(isSeat: Bool)
    /// The X server handles a request of the bridge, or of the compositor.
    case serve(isCompositor: Bool)
    /// The compositor handles an event of the display, or a request of the bridge.
    case compose(isDisplay: Bool)
    /// The bridge has captured the holder's contents.
    case capture
    case pause(milliseconds: Int)
    /// The bridge is killed.
    case kill
    /// The next bridge starts, or attaches the seat.
    case start
    /// All messages arrive, while no time passes.
    case rest
    /// Everything under way ends, and the result is compared.
    case settle

    package var kind: Int {
        switch self {
        case .begin: 0
        case .focus(let isFocused): isFocused ? 1 : 2
        case .copyOnDisplay(_, _, let isSecret): isSecret ? 3 : 4
        case .endOnDisplay(let isDeath): isDeath ? 5 : 6
        case .copyOnSeat(_, let isSecret): isSecret ? 7 : 8
        case .endOnSeat: 9
        case .write(let isSecret): isSecret ? 10 : 11
        case .clear: 12
        case .deliver(let isSeat): isSeat ? 13 : 14
        case .serve(let isCompositor): isCompositor ? 15 : 16
        case .compose(let isDisplay): isDisplay ? 17 : 18
        case .capture: 19
        case .pause: 20
        case .settle: 21
        case .kill: 22
        case .start: 23
        case .rest: 24
        case .replace(let isRefill): isRefill ? 25 : 26
        }
    }
}
