import SelectionProtocol

/// An operation on a ``SelectionOwner``. All objects are given as indices into lists of ``OwnerCast``.
package enum SelectionOwnerOperation: MachineOperation {
    case request(offer: Int, window: Int, target: Int, property: Int, time: Int)
    /// The list of a MULTIPLE was read: targets and properties alternate; nil if it does not exist.
    case multiple(offer: Int, window: Int, property: Int, time: Int, pairs: [Int]?)
    /// A property of a window was deleted. The preferred end of the next chunk is the given number of bytes before its
    /// limit.
    case deleted(window: Int, property: Int, early: Int)
    case gone(window: Int)
    /// A body of the given length in bytes was generated; nil if that failed.
    case made(offer: Int, body: Int, length: Int?)
    /// The generation of a body ended without a result, and may be tried again.
    case unmade(offer: Int, body: Int)
    case performed(number: Int, isDone: Bool)
    /// The version no longer exists.
    case dropped(offer: Int)
    case leaving
    /// A version is no longer offered, and holds the given number of bytes.
    case retired(offer: Int, length: Int)
    /// The bridge reads from the program of a window, and the given number of bytes has arrived; nil if it has stopped.
    case reading(window: Int, moved: Int?)
    /// A transfer is ended in favor of a transfer in which the bridge is the requestor.
    case ended(window: Int, property: Int)
    case pause(milliseconds: Int)
    /// Time passes until the deadline, plus the given milliseconds.
    case due(late: Int)
    case expired

    package var kind: Int {
        switch self {
        case .request(_, _, let target, let property, _): 100 + target * 2 + (property == 0 ? 1 : 0)
        case .multiple(_, _, _, _, let pairs): pairs.map { 30 + min($0.count, 14) } ?? 29
        case .deleted: 1
        case .gone: 2
        case .made(_, _, let length): length == nil ? 3 : 4
        case .unmade: 5
        case .performed(_, let isDone): isDone ? 6 : 7
        case .dropped: 8
        case .leaving: 9
        case .retired: 13
        case .reading(_, let moved): moved == nil ? 14 : 15
        case .ended: 16
        case .pause: 10
        case .due: 11
        case .expired: 12
        }
    }
}

/// The few windows, properties, targets and versions of the operations: few enough that operations affect each other.
/// Stored sequences refer to them by index, so new objects must be appended.
enum OwnerCast {
    static let chunk = 64
    static let atoms = ProtocolAtoms(
        targets: Atom(301), multiple: Atom(302), timestamp: Atom(303), atomPair: Atom(304), incr: Atom(305))

    static var limits: TransferLimits {
        var limits = TransferLimits()
        limits.chunk = chunk
        limits.pairs = 6
        limits.transfers = 5
        limits.programTransfers = 3
        limits.bytes = 1_000
        limits.programBytes = 600
        limits.slowTransferAge = .seconds(1)
        limits.minTransferRate = 100
        // The second and third windows belong to the same program.
        limits.windowBits = 1
        return limits
    }

    static let windows = (1...4).map { WindowID(0x40_0000 + UInt32($0)) }
    static let properties = [Atom.none, Atom(501), Atom(502), Atom(503)]
    static let offers = 3
    /// The targets of each version, in the order of their bodies.
    private static let data: [(length: OfferTable.Availability, isAlias: Bool)] = [
        (.ready(length: 5), false), (.ready(length: 5), true), (.ready(length: 0), false),
        (.ready(length: chunk), false), (.ready(length: chunk + 1), false), (.ready(length: 3 * chunk), false),
        (.ready(length: 5 * chunk + 3), false), (.ready(length: Int(UInt32.max)), false),
        (.ready(length: Int(UInt32.max) + 1), false), (.failed, false), (.made(within: .milliseconds(500)), false),
        (.made(within: .milliseconds(500)), true), (.made(within: .milliseconds(900)), false),
        (.performed(within: .seconds(3)), false), (.performed(within: .seconds(1)), false),
    ]
    static let bodies = data.count
    /// Bodies that are generated on demand, and one that is not.
    static let madeBodies = [10, 10, 12, 12, 0]
    static let lengths: [Int?] = [nil, 0, 5, chunk, chunk + 1, 300, Int(UInt32.max) + 1]

    /// The protocol's targets, the offered targets, a target that is not offered, and invalid targets.
    static let targets =
        [atoms.targets, atoms.timestamp, atoms.multiple] + data.indices.map { Atom(UInt32(401 + $0)) }
        + [Atom(499), atoms.incr, .none]

    static func table(_ offer: Int) -> OfferTable {
        let entries = data.enumerated().map { index, one in
            let target = targets[3 + index]
            // Two targets share a body, because text has several names.
            let body = one.isAlias ? index - 1 : index
            let type = one.isAlias ? targets[2 + index] : target
            return (target: target, entry: OfferTable.Entry(type: type, body: body, one.length))
        }
        return OfferTable(id: OfferID(offer + 1), acquired: ServerTime(UInt32(1_000 + offer)), entries: entries)
    }

    static func window(_ index: Int) -> WindowID { windows[fitting: index] }
    static func property(_ index: Int) -> Atom { properties[fitting: index] }
    static func target(_ index: Int) -> Atom { targets[fitting: index] }
}

extension Array {
    /// The element at an index, which wraps around at the end.
    subscript(fitting index: Int) -> Element { self[index % count] }
}
