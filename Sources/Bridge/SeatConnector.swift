import DataControlProtocol
import EventLoop
import LinuxSystem
import Logging
import PasteboardWire
import WaylandBridge
import WaylandWire
import X11Bridge

/// The connection of the bridge to its compositor. After the compositor has ended, the bridge connects to the next one
/// at the same socket.
final class SeatConnector {
    /// The reason why the selections of Wayland programs are not seen.
    enum Absence: Equatable {
        /// The compositor has neither protocol for it.
        case noDataControl
        /// There is no seat of that name; the names of the others.
        case noSeat([String])
        /// There is no connection; the reason, for the user.
        case disconnected(String)
    }

    let name: WaylandName
    private let seatName: String?
    private unowned let service: Service
    private let loop: EventLoop
    private let logger: Logger
    private var display: WaylandDisplay?
    /// The contents on their way to Wayland programs, which outlive a connection.
    private let outgoing: OutgoingTransfers
    private lazy var reconnector = Reconnector(
        .init(
            state: { [unowned self] in display == nil && !service.isLeaving ? .lost : .connected },
            socketPath: { [name] in name.socketPath }, connect: { [unowned self] in connect() }),
        loop: loop, timers: service.executor.timers)
    private var controlProtocol: String?
    /// The seat's name, and true if it has a primary selection; nil until they are known.
    private var seat: (name: String?, hasPrimary: Bool)?
    /// nil while the seat is attached, and until it is known.
    private(set) var absence: Absence?
    /// True once a compositor has answered: after its end, the next one is connected to.
    private(set) var hasAnswered = false
    private var waiting: [PendingValue<Void>] = []

    init(_ name: WaylandName, seat: String?, service: Service, loop: EventLoop, logger: Logger) {
        self.name = name
        seatName = seat
        self.service = service
        self.loop = loop
        outgoing = OutgoingTransfers(loop: loop)
        self.logger = logger
    }

    /// Connects, and returns once the seat's selections are known. A compositor that lacks what is needed for that is
    /// no failure: its programs' copies are not seen.
    func start(within timeout: Duration) async throws(BridgeFailure) {
        if display == nil { connect() }
        if display != nil, !service.seat.isAttached, absence == nil {
            let known = PendingValue<Void>()
            waiting.append(known)
            guard await service.executor.withTimeout(timeout, { await known.get() }) != nil else {
                throw BridgeFailure(.unavailable, "the compositor takes connections and does not answer")
            }
        }
        if case .disconnected(let reason) = absence { throw BridgeFailure(.unavailable, reason) }
    }

    /// Tries again and again after a failed ``start(within:)``.
    func keepTrying() {
        hasAnswered = true
        if display == nil { reconnector.start() }
    }

    /// Connects to the compositor. The reconnector tries again if that fails.
    private func connect() {
        absence = nil
        do throws(WaylandLoss) {
            let display = try WaylandDisplay(
                path: name.socketPath, seat: seatName, outgoing: outgoing, loop: loop, executor: service.executor)
            display.onEvent = { [unowned self] event in handle(event) }
            self.display = display
            service.seat.attach(display)
            display.start()
        } catch {
            absence = .disconnected(error.description)
            service.seat.becomeAbsent()
            if hasAnswered { reconnector.attemptFailed() }
        }
    }

    private func handle(_ event: WaylandDisplay.Event) {
        service.seat.handle(event)
        switch event {
        case .settled(let name, let hasPrimary):
            hasAnswered = true
            absence = nil
            // KWin's seat has an empty name.
            let name = name.flatMap { $0.isEmpty ? nil : $0 }
            seat = (name, hasPrimary)
            reconnector.stop()
            let primary = hasPrimary ? "" : ", which has no primary selection"
            logger.notice("attached to Wayland display \(self.name.canonical), \(name ?? "its seat")\(primary)")
            finishWaiting()
        case .unavailable(let reason):
            hasAnswered = true
            absence = Absence(reason)
            // Xwayland shows some of the copies of Wayland programs, or all.
            logger.log(level: isBesideXwayland ? .notice : .warning, "\(message ?? "")")
            finishWaiting()
        case .detached(let reason):
            absence = reason == .seatGone ? .noSeat([]) : .noDataControl
            let end = reason == .seatGone ? "took the seat away" : "no longer offers data control"
            logger.warning("the compositor \(end); its pasteboards are kept")
        case .lost(let loss):
            display = nil
            absence = .disconnected(loss.description)
            logger.warning("lost Wayland display \(name.canonical): \(loss.description); its pasteboards are kept")
            finishWaiting()
            if hasAnswered { reconnector.start() }
        case .attached(let variant, let version):
            controlProtocol = "\(DataControlManager.interface(of: variant).name) version \(version)"
        case .changed, .ended: break
        }
    }

    private func finishWaiting() {
        for known in waiting { known.deliver(()) }
        waiting = []
    }

    /// True if the bridge serves the session's Xwayland as well.
    private var isBesideXwayland: Bool { service.display.isAttached }

    /// The reason why the selections of Wayland programs are not seen, for the user; nil if they are.
    var message: String? {
        switch absence {
        case .noDataControl:
            "the compositor of Wayland display \(name.canonical) has neither ext-data-control-v1 nor "
                + "wlr-data-control-unstable-v1"
                + (isBesideXwayland ? "" : ", without which copies of Wayland programs cannot be seen")
        case .noSeat(let names):
            "Wayland display \(name.canonical) has no seat \(seatName.map { "'\($0)'" } ?? "yet")"
                + (names.isEmpty ? "" : "; it has \(names.joined(separator: ", "))")
        case .disconnected(let reason): reason
        case nil: nil
        }
    }

    var status: WireWaylandDisplay {
        let isAttached = service.seat.isAttached
        return WireWaylandDisplay(
            name: name.canonical, attached: isAttached, seat: isAttached ? seat?.name : nil,
            protocol: isAttached ? controlProtocol : nil, primary: isAttached ? seat?.hasPrimary : nil,
            reason: message)
    }

    func close() {
        reconnector.stop()
        service.seat.close()
        display = nil
        outgoing.removeAll()
    }
}

extension SeatConnector.Absence {
    fileprivate init(_ reason: DataControlClient.Unavailability) {
        switch reason {
        case .noDataControl: self = .noDataControl
        case .noSeat(let names): self = .noSeat(names)
        }
    }
}
