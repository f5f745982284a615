import PasteboardModel
package import PasteboardSharing
package import TestRandom

/// Linked machines, with wrong clocks, late messages and connections that end. In the end, every machine has the newest
/// contents.
package struct ShareWorld: MachineWorld {
    package typealias Operation = ShareOperation
    package typealias Effect = ShareEffect

    package static let name = "share"

    private let injection: FaultInjection<Operation, Effect>?
    private var hasBegun = false
    private var bridges: [ShareBridge] = []
    private var links: [ShareLink] = []
    private var now = 1_800_000_000_000_000
    /// The versions that programs of the machines made, by origin.
    private var versions: [ContentsOrigin: ShareBridge.Version] = [:]
    /// Requests that bridges perform after the end of their connections.
    private var late: [(request: ShareLink.Request, link: Int, bridge: Int)] = []

    package init(injection: FaultInjection<Operation, Effect>?) {
        self.injection = injection
        arrange(.pair)
    }

    package init(_ topology: ShareTopology) {
        self.init(injection: nil)
        arrange(topology)
        hasBegun = true
    }

    package var phase: Int {
        let link = links[0]
        let sides = [link.sides[.local], link.sides[.remote]]
        let phase = sides.reduce(link.isCopying ? 1 : 0) { phase, side in
            let messages = min((side?.requests.count ?? 0) + (side?.answers.count ?? 0), 2)
            let reports = min(side?.reports.count ?? 0, 2)
            return ((phase * 3 + messages) * 3 + reports) * 2 + (side?.isConnected == true ? 1 : 0)
        }
        return phase * 2 + (late.isEmpty ? 0 : 1)
    }

    private mutating func arrange(_ topology: ShareTopology) {
        // The names are not in the order of the machines.
        bridges = (0..<topology.machines).map { ShareBridge(name: "machine\(7 * $0 % 5)") }
        links = topology.links.map { ShareLink(local: $0.local, remote: $0.remote) }
    }

    // MARK: Random operations

    package func random(using generator: inout SeededGenerator) -> Operation {
        guard hasBegun else { return .arrange(generator.number(0..<ShareTopology.allCases.count)) }
        let machine = generator.number(0..<bridges.count)
        let link = generator.number(0..<links.count)
        let isRemote = generator.one(in: 2)
        switch generator.number(0..<48) {
        case 0...4: return .copy(machine: machine, kind: generator.one(in: 2) ? 0 : generator.number(0..<3))
        case 5: return .spoil(machine: machine)
        case 6, 7: return .pause(microseconds: generator.pick([1, 1, 2, 1_000, 60_000_000]))
        case 8: return .skew(machine: machine, seconds: generator.number(-240..<241))
        case 9: return .cut(link: link, isRemote: isRemote, isLate: generator.one(in: 2))
        case 10...12: return .connect(link: link, isRemote: isRemote)
        case 13: return .late
        default: break
        }
        let waiting = links.indices.flatMap { index in links[index].waiting.map { (index, $0) } }
        guard !waiting.isEmpty else { return .connect(link: link, isRemote: isRemote) }
        let (index, queue) = generator.pick(waiting)
        guard queue < 2, generator.one(in: 12) else { return .deliver(link: index, queue: queue) }
        return .fail(link: index, queue: queue, isPerformed: generator.one(in: 2))
    }

    // MARK: Steps

    package mutating func step(_ operation: Operation) throws(BrokenInvariant) {
        let receives = injection?.receives(operation) ?? true
        switch operation {
        case .arrange(let number):
            if !hasBegun, let topology = ShareTopology(rawValue: number) { arrange(topology) }
        case .copy(let machine, let kind): try copy(machine, kind: kind)
        case .spoil(let machine):
            guard bridges.indices.contains(machine) else { break }
            if bridges[machine].spoil() { report(machine) }
        case .pause(let microseconds): now += min(max(microseconds, 0), 3_600_000_000)
        case .skew(let machine, let seconds):
            guard bridges.indices.contains(machine) else { break }
            bridges[machine].skew = min(max(seconds, -240), 240) * 1_000_000
        case .deliver(let link, let queue):
            guard links.indices.contains(link) else { break }
            try deliver(link, queue, receives: receives)
        case .fail(let link, let queue, let isPerformed):
            guard links.indices.contains(link) else { break }
            try fail(link, ShareLink.queue(queue), isPerformed: isPerformed)
        case .cut(let link, let isRemote, let isLate):
            guard links.indices.contains(link) else { break }
            cut(link, isRemote ? .remote : .local, isLate: isLate, receives: receives)
        case .connect(let link, let isRemote):
            guard links.indices.contains(link) else { break }
            connect(link, isRemote ? .remote : .local, again: false)
        case .late: try performLate()
        }
        hasBegun = true
    }

    private mutating func copy(_ machine: Int, kind: Int) throws(BrokenInvariant) {
        guard bridges.indices.contains(machine) else { return }
        let kinds: [SideState.Kind] = [.contents, .empty, .withheld]
        let version = ShareBridge.Version(contents: versions.count + 1, kind: kinds[abs(kind % kinds.count)])
        let origin = try bridges[machine].copy(version, at: now)
        try expect(versions[origin] == nil, "no two copies have the same origin")
        versions[origin] = version
        report(machine)
    }

    /// Reports a bridge's state to all links that are connected to it.
    private mutating func report(_ machine: Int) {
        for link in links.indices {
            for (name, side) in links[link].sides where side.bridge == machine && side.isConnected {
                links[link].sides[name]?.reports.append(bridges[machine].state)
            }
        }
    }

    // MARK: Messages

    private mutating func deliver(_ link: Int, _ queue: Int, receives: Bool) throws(BrokenInvariant) {
        let (side, kind) = ShareLink.queue(queue)
        switch kind {
        case 0:
            guard let (request, machine) = nextRequest(link, side) else { return }
            let answer = try perform(request, of: link, on: machine)
            links[link].sides[side]?.answers.append(answer)
        case 1: if let event = links[link].answer(of: side), receives { try handle(event, link) }
        default: if let event = links[link].report(of: side), receives { try handle(event, link) }
        }
    }

    private mutating func fail(
        _ link: Int, _ queue: (side: ShareSide, kind: Int), isPerformed: Bool
    ) throws(BrokenInvariant) {
        guard queue.kind == 0, let (request, machine) = nextRequest(link, queue.side) else { return }
        if isPerformed { _ = try perform(request, of: link, on: machine) }
        let token =
            switch request {
            case .read(let token, _, _), .write(let token, _): token
            }
        links[link].sides[queue.side]?.answers.append(.failed(token: token))
    }

    private mutating func nextRequest(_ link: Int, _ name: ShareSide) -> (ShareLink.Request, machine: Int)? {
        guard let side = links[link].sides[name], let request = side.requests.first else { return nil }
        links[link].sides[name]?.requests.removeFirst()
        return (request, side.bridge)
    }

    private mutating func perform(
        _ request: ShareLink.Request, of link: Int, on machine: Int
    ) throws(BrokenInvariant) -> ShareLink.Answer {
        let bridge = bridges[machine]
        switch request {
        case .read(let token, let count, let origin):
            guard bridge.state.count == count else { return .failed(token: token) }
            try expect(bridge.version.kind != .withheld, "withheld contents do not leave their machine")
            let contents = ShareLink.Contents(
                version: bridge.version, origin: origin, isIncomplete: bridge.isIncomplete)
            return .read(token: token, contents)
        case .write(let token, let contents):
            try expect(versions[contents.origin] == contents.version, "equal origins are the same contents")
            let (result, isChanged) = try bridges[machine].accept(contents, from: link, at: now)
            try expect(result != .failed, "clocks that differ by minutes are accepted")
            if isChanged { report(machine) }
            return .written(token: token, result)
        }
    }

    private mutating func handle(_ event: ShareEvent, _ link: Int) throws(BrokenInvariant) {
        var effects = links[link].machine.handle(event)
        injection?.effects(&effects)
        for case .withdraw(let from) in effects {
            guard let machine = links[link].sides[from.other]?.bridge else { continue }
            if bridges[machine].provider == link, bridges[machine].spoil() { report(machine) }
        }
        try links[link].perform(effects)
    }

    // MARK: Connections

    private mutating func connect(_ link: Int, _ name: ShareSide, again: Bool) {
        guard let side = links[link].sides[name], again || !side.isConnected else { return }
        links[link].connect(name, bridges[side.bridge].state)
    }

    /// Ends the connection to a side, and the sharing with it. The next sharing begins with the other side.
    private mutating func cut(_ link: Int, _ name: ShareSide, isLate: Bool, receives: Bool) {
        guard let side = links[link].sides[name], side.isConnected else { return }
        let isOtherConnected = links[link].sides[name.other]?.isConnected == true
        let requests = links[link].cut()
        if isLate { late += requests.map { ($0.request, link, $0.bridge) } }
        // The link provides the contents that it copied to either side.
        for machine in links[link].sides.values.map(\.bridge).sorted() where bridges[machine].provider == link {
            if bridges[machine].spoil() { report(machine) }
        }
        if receives { links[link].machine = ShareMachine() }
        if isOtherConnected { connect(link, name.other, again: false) }
    }

    private mutating func performLate() throws(BrokenInvariant) {
        guard let (request, link, bridge) = late.first else { return }
        late.removeFirst()
        _ = try perform(request, of: link, on: bridge)
        // The connection that provides the promises has ended.
        if bridges[bridge].provider == link, bridges[bridge].spoil() { report(bridge) }
    }

    // MARK: The end

    package mutating func finish() throws(BrokenInvariant) {
        while !late.isEmpty { try performLate() }
        // The reports after a failure lead to another attempt.
        for link in links.indices {
            for side in ShareSide.allCases { connect(link, side, again: true) }
        }
        try settle()
        for link in links.indices { try expectAgreement(of: link) }
        for bridge in bridges {
            let own = versions.keys.filter { $0.machine == bridge.name }
            try expect(own.allSatisfy(bridge.history.contains), "\(bridge.name) has its own copies in its history")
        }
    }

    /// Delivers messages until there are none.
    private mutating func settle() throws(BrokenInvariant) {
        // Each round delivers one message from each queue that has messages. Contents need a few rounds for each link.
        let waiting = links.flatMap(\.sides.values).map(\.reports.count).reduce(100, +)
        for _ in 0..<10 * waiting {
            let queues = links.indices.flatMap { index in links[index].waiting.map { (index, $0) } }
            if queues.isEmpty { return }
            for (link, queue) in queues { try deliver(link, queue, receives: true) }
        }
        throw BrokenInvariant("the messages come to an end")
    }

    private func expectAgreement(of number: Int) throws(BrokenInvariant) {
        let link = links[number]
        let sides = link.sides.values.map { bridges[$0.bridge] }.sorted { $0.state.origin > $1.state.origin }
        let (newer, older) = (sides[0], sides[1])
        try expect(!link.isCopying, "no copy is under way in the end")
        guard newer.state.origin != older.state.origin else {
            try expect(newer.version == older.version, "equal origins are the same contents in the end")
            return try expect(newer.isIncomplete == older.isIncomplete, "incomplete contents are renewed")
        }
        try expect(
            newer.version.kind == .withheld || newer.followsWithheld,
            "\(older.name) gets the contents \(newer.state.origin) instead of \(older.state.origin)")
        let isBacked = older.provider == number && older.version.kind == .contents && !older.isIncomplete
        try expect(!isBacked, "promises that cannot be kept are broken")
    }
}
