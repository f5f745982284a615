/// How long the calls of a program may take before everybody else has a turn.
///
/// One thread serves all clients, and a program may send a thousand dear calls at once. What it has sent beyond its share
/// of a round of the loop waits for the next one: each round serves each program, however many connections it has.
struct FairScheduler {
    private let share: Duration
    private var spent: [Int32: Duration] = [:]
    /// Those that have calls left, in the order in which they go on.
    private var waiting: [ClientSession] = []

    init(share: Duration = .milliseconds(10)) {
        self.share = share
    }

    mutating func beginRound() {
        if !spent.isEmpty { spent = [:] }
    }

    /// Whether a call of that process may be taken in this round. One always may.
    func hasTime(for process: Int32) -> Bool {
        spent[process].map { $0 < share } ?? true
    }

    mutating func spend(_ time: Duration, for process: Int32) {
        spent[process, default: .zero] += time
    }

    // MARK: Those that wait

    /// The session has calls left for a later round.
    mutating func wait(_ session: ClientSession) {
        guard !session.waitsForRound else { return }
        session.waitsForRound = true
        waiting.append(session)
    }

    var isAnyWaiting: Bool { !waiting.isEmpty }

    mutating func takeWaiting() -> [ClientSession] {
        defer { waiting = [] }
        for session in waiting { session.waitsForRound = false }
        return waiting
    }
}

extension Service {
    /// Goes on with the calls that wait for a round of the loop.
    func serveWaiting() {
        for session in shares.takeWaiting() { session.goOn() }
    }
}
