import PasteboardModel
import PasteboardSharing

/// A model of a link's process: the machine, and the messages between it and its two bridges.
struct ShareLink {
    /// Contents as they were read from one bridge for the other.
    struct Contents {
        var version: ShareBridge.Version
        var origin: ContentsOrigin
        var isIncomplete: Bool
    }

    enum Request {
        case read(token: Int, count: Int, origin: ContentsOrigin)
        case write(token: Int, Contents)
    }

    enum Answer {
        case read(token: Int, Contents)
        case failed(token: Int)
        case written(token: Int, CopyResult)
    }

    /// One side: the connection to a bridge, with its messages in the order in which they were sent. Reports and
    /// answers arrive in any order, as if each kind had its own connection.
    struct Side {
        /// The machine's number.
        let bridge: Int
        var isConnected = false
        var requests: [Request] = []
        var answers: [Answer] = []
        var reports: [SideState] = []
        /// The last report that was delivered.
        var known: SideState?

        init(bridge: Int) { self.bridge = bridge }
    }

    /// The number of queues: requests, answers and reports of each side.
    static let queues = 6

    var machine = ShareMachine()
    var sides: [ShareSide: Side]
    /// The copy under way.
    private var copy: (token: Int, from: ShareSide)?
    private var reports = 0
    private var copies = 0
    /// The origins that were passed since a connection ended, except by copies that failed.
    private var passed: [Int: ContentsOrigin] = [:]

    init(local: Int, remote: Int) {
        sides = [.local: Side(bridge: local), .remote: Side(bridge: remote)]
    }

    /// The side and the kind of messages of a queue.
    static func queue(_ number: Int) -> (side: ShareSide, kind: Int) {
        let number = abs(number % queues)
        return (number % 2 == 0 ? .local : .remote, number / 2)
    }

    /// The numbers of the queues that have messages.
    var waiting: [Int] {
        (0..<Self.queues).filter { number in
            let (name, kind) = Self.queue(number)
            guard let side = sides[name] else { return false }
            return kind == 0 ? !side.requests.isEmpty : kind == 1 ? !side.answers.isEmpty : !side.reports.isEmpty
        }
    }

    var isCopying: Bool { copy != nil }

    // MARK: Messages to the link

    /// Returns the event of the next report of a side.
    mutating func report(of side: ShareSide) -> ShareEvent? {
        guard let next = sides[side]?.reports.first else { return nil }
        sides[side]?.reports.removeFirst()
        sides[side]?.known = next
        reports += 1
        return .changed(side, next)
    }

    /// Takes the next answer of a side. Contents that were read are sent to the other side.
    ///
    /// - Returns: The event of the end of a copy.
    mutating func answer(of side: ShareSide) -> ShareEvent? {
        guard let next = sides[side]?.answers.first else { return nil }
        sides[side]?.answers.removeFirst()
        switch next {
        case .read(let token, let contents):
            if token == copy?.token { sides[side.other]?.requests.append(.write(token: token, contents)) }
            return nil
        case .failed(let token): return end(token, .failed)
        case .written(let token, let result): return end(token, result)
        }
    }

    private mutating func end(_ token: Int, _ result: CopyResult) -> ShareEvent {
        if token == copy?.token { copy = nil }
        if result == .failed { passed[token] = nil }
        return .copied(token: token, result)
    }

    // MARK: Connections

    /// Connects a side, or lets the bridge of a connected side report again.
    mutating func connect(_ side: ShareSide, _ state: SideState) {
        sides[side]?.isConnected = true
        sides[side]?.reports.append(state)
    }

    /// Ends the connections to both sides, and the copy under way with them.
    ///
    /// - Returns: The requests that were on their way, and their machines.
    mutating func cut() -> [(request: Request, bridge: Int)] {
        let former = ShareSide.allCases.compactMap { sides[$0] }
        sides = sides.mapValues { Side(bridge: $0.bridge) }
        copy = nil
        passed = [:]
        return former.flatMap { side in side.requests.map { (request: $0, bridge: side.bridge) } }
    }

    // MARK: Effects

    mutating func perform(_ effects: [ShareEffect]) throws(BrokenInvariant) {
        for case .copy(let token, let from, let count, let origin) in effects {
            try expect(copy == nil, "one copy is under way at a time")
            try expect(sides.values.allSatisfy(\.isConnected), "nothing is copied without both bridges")
            guard let source = sides[from]?.known, let target = sides[from.other]?.known else {
                throw BrokenInvariant("nothing is copied before both bridges have reported")
            }
            try expect(source.count == count && source.origin == origin, "the last report of a side is copied")
            try expect(source.kind != .withheld, "withheld contents are not copied")
            let isRenewal = target.origin == origin && target.isIncomplete && !source.isIncomplete
            try expect(target.origin < origin || isRenewal, "an older side is not copied over a newer one")
            copies += 1
            try expect(copies <= reports, "each report leads to one copy at most")
            try expect(isRenewal || !passed.values.contains(origin), "a link passes \(origin) once")
            passed[token] = origin
            copy = (token, from)
            sides[from]?.requests.append(.read(token: token, count: count, origin: origin))
        }
    }
}
