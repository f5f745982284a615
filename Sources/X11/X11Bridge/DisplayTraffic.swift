package import SelectionProtocol
import X11Display

/// The work of the X thread, for the status.
package struct DisplayTraffic: Sendable {
    /// The use of the limits.
    package struct Use: Sendable, Equatable {
        package var transfers = 0
        /// The number of transfers of the program with the most transfers.
        package var programTransfers = 0
        package var bytes = 0
        /// The number of bytes of the program with the most bytes.
        package var programBytes = 0
        package var atoms = 0
    }

    /// One transfer under way.
    package struct Transfer: Sendable {
        package var direction: TransferState.Direction
        package var selection: String
        package var target: String
        /// The window of the other program; `none` if it is not known.
        package var window: WindowID
        /// The process of that window's client, if it is known.
        package var process: Int32?
        /// The bytes that were transferred so far.
        package var bytes: Int
        package var length: Int?
        /// The time since the start.
        package var age: Duration
        /// The time since the latest progress.
        package var idleTime: Duration

        package init(
            direction: TransferState.Direction, selection: String, target: String, window: WindowID = .none,
            process: Int32? = nil, bytes: Int, length: Int? = nil, age: Duration, idleTime: Duration
        ) {
            self.direction = direction
            self.selection = selection
            self.target = target
            self.window = window
            self.process = process
            self.bytes = bytes
            self.length = length
            self.age = age
            self.idleTime = idleTime
        }
    }

    package var refusals = Refusals()
    /// The number of slow transfers that were ended for a new transfer, by the limit that the new transfer had reached.
    package var evicted: [TransferQuota.Limit: Int] = [:]
    package var use = Use()
    /// The oldest transfers under way.
    package var transfers: [Transfer] = []

    package init(
        refusals: Refusals = Refusals(), evicted: [TransferQuota.Limit: Int] = [:], use: Use = Use(),
        transfers: [Transfer] = []
    ) {
        self.refusals = refusals
        self.evicted = evicted
        self.use = use
        self.transfers = transfers
    }

    /// The maximum number of transfers in the list.
    static let maxTransfers = 100
}

extension DisplaySession {
    package func traffic(now: ContinuousClock.Instant) -> DisplayTraffic {
        let quota = TransferQuota(limits)
        let all = ownerDriver.quotaTransfers + requestor.quotaTransfers
        let programs = Dictionary(grouping: all.filter { $0.program != nil }, by: \.program).values
        var processes: [WindowID: Int32?] = [:]
        let oldest = (ownerDriver.states + requestor.states).sorted { $0.started < $1.started }
        return DisplayTraffic(
            refusals: counters.refusals, evicted: counters.evicted,
            use: DisplayTraffic.Use(
                transfers: all.count, programTransfers: programs.map(\.count).max() ?? 0,
                bytes: quota.held(by: all) + bytes.ofService,
                programBytes: programs.map { quota.held(by: $0) }.max() ?? 0, atoms: display.atomsMade),
            transfers: oldest.prefix(DisplayTraffic.maxTransfers).map { state in
                let process = processes[state.window] ?? display.process(of: state.window)
                processes[state.window] = process
                return transfer(state, process: process, now: now)
            })
    }

    private func transfer(
        _ state: TransferState, process: Int32?, now: ContinuousClock.Instant
    ) -> DisplayTraffic.Transfer {
        DisplayTraffic.Transfer(
            direction: state.direction, selection: display.name(of: state.selection) ?? "",
            target: display.name(of: state.target) ?? "", window: state.window, process: process, bytes: state.moved,
            length: state.length, age: max(now - state.started, .zero), idleTime: max(now - state.lastProgress, .zero))
    }
}
