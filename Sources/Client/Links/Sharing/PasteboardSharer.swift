import BridgeClient
import EventLoop
import LinuxSystem
import PasteboardModel
import PasteboardSharing
import PasteboardWire
import SystemPackage

/// The sharing of the pasteboard general between the bridges of two machines: ``ShareMachine`` decides, and threads of
/// this type watch both bridges and copy contents.
///
/// Sharing ends when the connection to either bridge ends. It can resume later without any state, since the bridges
/// keep the origins.
final class PasteboardSharer {
    private enum Report: Sendable {
        case event(ShareEvent)
        case copied(token: Int, CopyResult, SharedCopy.Fault?)
        case ended(String)
    }

    private let sides: [ShareSide: SharedBridge]
    private let maxLength: Int
    private let work: SharedWork
    private let reports: MessageQueue<Report>
    private var machine = ShareMachine()
    /// The last copy to each side.
    private var copies: [ShareSide: SharedCopy] = [:]
    private var registration: Registration?
    /// The function that is called with the reason why a copy failed, if it differs from the last reason, and with nil
    /// after the next success.
    private let onFault: (SharedCopy.Fault?) -> Void
    private var fault: SharedCopy.Fault?
    private let end = PendingValue<String>()

    /// The maximum length of representations that are copied with their bytes, in bytes.
    static let shortLength = 64 << 10

    /// - Parameter eagerLength: The maximum length of representations that are copied ahead of a paste; nil for the
    ///   default.
    init(
        local: SharedBridge, remote: SharedBridge, eagerLength: Int?, work: SharedWork, on loop: EventLoop,
        onFault: @escaping (SharedCopy.Fault?) -> Void
    ) throws(Errno) {
        sides = [.local: local, .remote: remote]
        maxLength = max(eagerLength ?? 0, Self.shortLength)
        self.work = work
        self.onFault = onFault
        reports = try MessageQueue()
        registration = loop.add(reports.fileDescriptor, interest: .readable) { [unowned self] _ in receive() }
        for bridge in [local, remote] { watch(bridge) }
    }

    deinit { registration?.cancel() }

    /// Waits for the end of the connection to either bridge, and returns the reason.
    func ended() async -> String { await end.get() }

    private func receive() {
        for report in reports.drain() {
            switch report {
            case .event(let event): handle(event)
            case .copied(let token, let result, let fault):
                note(fault, after: result)
                handle(.copied(token: token, result))
            case .ended(let reason): end.deliver(reason)
            }
        }
    }

    private func handle(_ event: ShareEvent) {
        for effect in machine.handle(event) { perform(effect) }
    }

    private func note(_ fault: SharedCopy.Fault?, after result: CopyResult) {
        // A copy that neither succeeded nor has a fault says nothing about the last fault.
        guard fault != self.fault, fault != nil || result == .done else { return }
        self.fault = fault
        onFault(fault)
    }

    // MARK: Watching

    /// Watches a bridge on a separate thread, until the connection ends.
    private func watch(_ bridge: SharedBridge) {
        let isStarted = work.start("xpb-watch") { [reports] in
            reports.send(.ended(Self.reportStates(of: bridge, to: reports)))
        }
        if !isStarted { reports.send(.ended("no thread can be started")) }
    }

    /// Reports the states of a bridge until the connection ends. Returns the reason for the end.
    private static func reportStates(of bridge: SharedBridge, to reports: MessageQueue<Report>) -> String {
        do {
            let parameters = Methods.Monitor.Parameters(
                pasteboards: [SharedBridge.pasteboard], initial: true, types: true, origins: true)
            try bridge.connect().stream(Methods.Monitor.self, parameters, timeoutFor: .firstReply) { reply, _ in
                if let state = SideState(reply) { send(state, of: bridge.side, to: reports) }
                return true
            }
            return "the bridge has ended"
        } catch {
            return BridgeClientError(wire: error).message
        }
    }

    /// Reports the state of a side. If many reports are waiting, the state replaces an earlier state of that side: the
    /// other machine may send reports faster than they are handled.
    private static func send(_ state: SideState, of side: ShareSide, to reports: MessageQueue<Report>) {
        reports.send(.event(.changed(side, state)), mergingBeyond: 16) { waiting in
            guard case .event(.changed(side, let former)) = waiting else { return .passed }
            // Emptiness after withheld contents counts as withheld; see ShareMachine.
            let isWithheld = former.kind == .withheld && state.kind == .empty
            waiting = .event(.changed(side, isWithheld ? state.withheld : state))
            return .merged
        }
    }

    // MARK: Copying

    private func perform(_ effect: ShareEffect) {
        switch effect {
        case .copy(let token, let from, let count, let origin): copy(token, from: from, count, origin)
        case .withdraw(let from): copies[from.other]?.withdraw()
        }
    }

    private func copy(_ token: Int, from: ShareSide, _ count: Int, _ origin: ContentsOrigin) {
        guard let source = sides[from], let target = sides[from.other] else { return }
        // Contents that this link copied to `from` are not copied back: they have no bytes that their source lacks.
        guard copies[from]?.origin != origin else {
            return reports.send(.event(.copied(token: token, .failed)))
        }
        let copy = SharedCopy(source: source, target: target, count: count, origin: origin, maxLength: maxLength)
        copies[from.other] = copy
        let report: @Sendable (CopyResult, SharedCopy.Fault?) -> Void = { [reports] in
            reports.send(.copied(token: token, $0, $1))
        }
        if !work.start("xpb-copy", { copy.perform(report) }) { report(.failed, nil) }
    }
}

extension SideState {
    /// - Returns: nil for a bridge that has no origins.
    fileprivate init?(_ reply: Methods.Monitor.Reply) {
        guard let origin = reply.origin else { return nil }
        let kind: Kind = reply.withheld == true ? .withheld : reply.owner.kind == .none ? .empty : .contents
        self.init(
            origin: ContentsOrigin(time: origin.time, machine: origin.machine), count: reply.count, kind: kind,
            isIncomplete: reply.incomplete == true)
    }
}
