/// The scheduler of calls: in a round of the loop, the calls of each program have a share of time.
///
/// One thread serves all clients, and a program may send a thousand expensive calls at once. Calls beyond a program's
/// share of a round wait for the next round, so that each round serves each program, over all its connections.
package struct FairScheduler {
    private let share: Duration
    private var spent: [Int32: Duration] = [:]
    /// The sessions that have calls left, in order.
    private var waiting: [CallSession] = []

    package init(share: Duration = .milliseconds(10)) {
        self.share = share
    }

    package mutating func startRound() {
        if !spent.isEmpty { spent = [:] }
    }

    /// Returns true if the process has some of its share of this round left. The first call of a round always runs.
    package func hasTime(for process: Int32) -> Bool {
        spent[process].map { $0 < share } ?? true
    }

    /// Records the time that a call has taken.
    package mutating func spend(_ time: Duration, for process: Int32) {
        spent[process, default: .zero] += time
    }

    // MARK: Waiting sessions

    /// Adds a session that has calls left for a later round.
    mutating func wait(_ session: CallSession) {
        guard !session.waitsForRound else { return }
        session.waitsForRound = true
        waiting.append(session)
    }

    package var isAnyWaiting: Bool { !waiting.isEmpty }

    package mutating func takeWaiting() -> [CallSession] {
        defer { waiting = [] }
        for session in waiting { session.waitsForRound = false }
        return waiting
    }
}
