/// An operation on linked machines, or on one of the links.
package enum ShareOperation: MachineOperation {
    /// The machines are linked in one of the ways of ``ShareTopology``. Only the first operation can link them.
    case arrange(Int)
    /// A program copies, clears the pasteboard, or copies contents that are withheld.
    case copy(machine: Int, kind: Int)
    /// The provider of the contents' promises ends.
    case spoil(machine: Int)
    case pause(microseconds: Int)
    /// A machine's clock is set to the given difference from the true time.
    case skew(machine: Int, seconds: Int)
    /// The first message of a queue arrives.
    case deliver(link: Int, queue: Int)
    /// The first request of a queue arrives, and its answer is a failure.
    ///
    /// - Parameter isPerformed: True if the bridge nevertheless performed the request.
    case fail(link: Int, queue: Int, isPerformed: Bool)
    /// A link's connection to a bridge ends.
    ///
    /// - Parameter isLate: True if the bridge performs the requests on their way after the end of the connection.
    case cut(link: Int, isRemote: Bool, isLate: Bool)
    case connect(link: Int, isRemote: Bool)
    /// A bridge performs a request of a connection that has ended.
    case late

    package var kind: Int {
        switch self {
        case .arrange: 0
        case .copy(_, let kind): 1 + abs(kind % 3)
        case .spoil: 4
        case .pause: 5
        case .skew: 6
        case .deliver(_, let queue): 7 + abs(queue % ShareLink.queues)
        case .fail(_, _, let isPerformed): isPerformed ? 13 : 14
        case .cut(_, _, let isLate): isLate ? 15 : 16
        case .connect: 17
        case .late: 18
        }
    }
}

/// The ways in which machines are linked.
package enum ShareTopology: Int, CaseIterable, Sendable {
    case pair, chain, star, smallRing, ring, mesh

    var machines: Int {
        switch self {
        case .pair: 2
        case .smallRing: 3
        case .chain, .star, .mesh: 4
        case .ring: 5
        }
    }

    /// The machines that each link joins, first the machine that runs the link's process.
    var links: [(local: Int, remote: Int)] {
        switch self {
        case .pair, .chain: (1..<machines).map { ($0 - 1, $0) }
        case .star: (1..<machines).map { (0, $0) }
        case .smallRing, .ring: (0..<machines).map { ($0, ($0 + 1) % machines) }
        case .mesh: (1..<machines).flatMap { first in (0..<first).map { (first, $0) } }
        }
    }
}
