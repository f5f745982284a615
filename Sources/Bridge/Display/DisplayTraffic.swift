import PasteboardWire
import SelectionProtocol
import X11Display

/// What is told of the display thread's work in the status.
struct DisplayTraffic: Sendable {
    /// How much of the limits is in use.
    struct Use: Sendable, Equatable {
        var transfers = 0
        /// Of the program that has the most.
        var programTransfers = 0
        var bytes = 0
        var programBytes = 0
        var atoms = 0
    }

    var refusals = Refusals()
    /// Transfers that ended since they dripped.
    var ended: [TransferQuota.Limit: Int] = [:]
    var use = Use()
    /// The oldest of those under way, without the names of their programs.
    var transfers: [WireTransfer] = []

    /// At most so many are told.
    static let mostTransfers = 100
}

extension DisplaySession {
    /// What is under way now.
    func traffic(now: ContinuousClock.Instant) -> DisplayTraffic {
        let quota = TransferQuota(limits)
        let all = server.quotaTransfers + fetcher.quotaTransfers
        let programs = Dictionary(grouping: all.filter { $0.program != nil }, by: \.program).values
        var processes: [WindowID: Int32?] = [:]
        let oldest = (server.states + fetcher.states).sorted { $0.started < $1.started }
        return DisplayTraffic(
            refusals: tally.refusals, ended: tally.ended,
            use: DisplayTraffic.Use(
                transfers: all.count, programTransfers: programs.map(\.count).max() ?? 0,
                bytes: quota.held(by: all) + bytes.uploaded,
                programBytes: programs.map { quota.held(by: $0) }.max() ?? 0, atoms: display.atomsMade),
            transfers: oldest.prefix(DisplayTraffic.mostTransfers).map { state in
                let process = processes[state.window] ?? display.process(of: state.window)
                processes[state.window] = process
                return wire(state, process: process, now: now)
            })
    }

    private func wire(_ state: TransferState, process: Int32?, now: ContinuousClock.Instant) -> WireTransfer {
        WireTransfer(
            direction: WireTransfer.Direction(state.direction), selection: display.name(of: state.selection) ?? "",
            type: display.name(of: state.target) ?? "", window: state.window == .none ? nil : Int(state.window.id),
            process: process.map { Int($0) }, bytes: state.moved, length: state.length,
            age: max((now - state.started).wholeMilliseconds, 0),
            silence: max((now - state.touched).wholeMilliseconds, 0))
    }
}

extension WireTransfer.Direction {
    fileprivate init(_ direction: TransferState.Direction) {
        switch direction {
        case .sending: self = .sending
        case .receiving: self = .receiving
        case .draining: self = .draining
        }
    }
}
