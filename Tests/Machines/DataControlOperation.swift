/// An operation on a ``DataControlClient`` or on its compositor.
package enum DataControlOperation: MachineOperation {
    /// This client offers the first types of the list.
    case set(primary: Bool, types: Int)
    case cleared(primary: Bool)
    case sync
    /// This client asks for the contents of an offer, counted back from the newest offer.
    case receive(back: Int, type: Int)
    /// The compositor handles requests.
    case handled(Int)
    /// Another client offers types, perhaps those of this client's source.
    case copy(seat: Int, primary: Bool, types: Int, isCopyOfOurs: Bool)
    case emptied(seat: Int, primary: Bool)
    /// Another client asks for the contents that this client offers.
    case paste(seat: Int, primary: Bool, type: Int)
    case seatAdded
    case seatRemoved(Int, isFinishedFirst: Bool)
    case managerAdded(isExt: Bool, version: Int)
    case managerRemoved(Int)
    /// The compositor changes its habits.
    case habits(cancels: Bool, cancelsFirst: Bool, hasPrimary: Bool)
    /// The compositor breaks the protocol.
    case faulty(Int)

    package var kind: Int {
        switch self {
        case .set(let primary, let types): 0 + (primary ? 1 : 0) + (types == 0 ? 2 : 0)
        case .cleared: 4
        case .sync: 5
        case .receive: 6
        case .handled(let count): count > 1 ? 7 : 8
        case .copy(_, _, _, let isCopyOfOurs): isCopyOfOurs ? 9 : 10
        case .emptied: 11
        case .paste: 12
        case .seatAdded: 13
        case .seatRemoved(_, let isFinishedFirst): isFinishedFirst ? 14 : 15
        case .managerAdded: 16
        case .managerRemoved: 17
        case .habits: 18
        case .faulty(let kind): 19 + abs(kind % CompositorModel.faults)
        }
    }
}
