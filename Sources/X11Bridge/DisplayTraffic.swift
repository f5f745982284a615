package import PasteboardWire
package import SelectionProtocol
import X11Display

/// What is told of the display thread's work in the status.
package struct DisplayTraffic: Sendable {
    /// How much of the limits is in use.
    package struct Use: Sendable, Equatable {
        package var transfers = 0
        /// Of the program that has the most.
        package var programTransfers = 0
        package var bytes = 0
        package var programBytes = 0
        package var atoms = 0

        package init(
            transfers: Int = 0, programTransfers: Int = 0, bytes: Int = 0, programBytes: Int = 0, atoms: Int = 0
        ) {
            self.transfers = transfers
            self.programTransfers = programTransfers
            self.bytes = bytes
            self.programBytes = programBytes
            self.atoms = atoms
        }
    }

    package var refusals = Refusals()
    /// Transfers that ended since they dripped.
    package var ended: [TransferQuota.Limit: Int] = [:]
    package var use = Use()
    /// The oldest of those under way, without the names of their programs.
    package var transfers: [WireTransfer] = []

    package init(
        refusals: Refusals = Refusals(), ended: [TransferQuota.Limit: Int] = [:], use: Use = Use(),
        transfers: [WireTransfer] = []
    ) {
        self.refusals = refusals
        self.ended = ended
        self.use = use
        self.transfers = transfers
    }

    /// At most so many are told.
    static let mostTransfers = 100
}

extension DisplaySession {
    /// What is under way now.
    package func traffic(now: ContinuousClock.Instant) -> DisplayTraffic {
        let quota = TransferQuota(limits)
        let all = ownerDriver.quotaTransfers + requestor.quotaTransfers
        let programs = Dictionary(grouping: all.filter { $0.program != nil }, by: \.program).values
        var processes: [WindowID: Int32?] = [:]
        let oldest = (ownerDriver.states + requestor.states).sorted { $0.started < $1.started }
        return DisplayTraffic(
            refusals: counters.refusals, ended: counters.ended,
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
