import BridgeServer
import DataControlProtocol
import EventLoop
import LinuxSystem
import Logging
import PasteboardWire
import SessionBus
import WaylandBridge
import WaylandWire
import X11Bridge

/// The connection of the bridge to its compositor. After the compositor has ended, the bridge connects to the next one
/// at the same socket.
///
/// GNOME's compositor has no protocol for clipboard managers. Its Xwayland shows the copies from Wayland programs;
/// without Xwayland, the bridge sees these copies through the session bus.
final class SeatConnector {
    /// The reason why the selections of Wayland programs are not seen.
    enum Absence: Equatable {
        case unavailable(SeatUnavailability)
        /// There is no connection. The value is the reason, for the user.
        case disconnected(String)
    }

    let name: WaylandName
    private let seatName: String?
    private unowned let service: Service
    private let loop: EventLoop
    private let logger: Logger
    /// The connection to the compositor's socket.
    private var display: WaylandDisplay?
    /// The connection to the session bus; nil if the bus is not used.
    private var mutter: MutterDisplay?
    /// The address of the session bus; nil if the session has none.
    private let busAddress: String?
    /// The contents on their way to Wayland programs, which outlive a connection.
    private let outgoing: OutgoingTransfers
    private lazy var reconnector = Reconnector(
        .init(
            state: { [unowned self] in display == nil && !service.isLeaving ? .lost : .connected },
            socketPath: { [name] in name.socketPath }, connect: { [unowned self] in connect() }),
        loop: loop, timers: service.executor.timers)
    private var controlProtocol: String?
    /// The seat's name, and whether the seat has a primary selection; nil until both are known.
    private var seat: (name: String?, hasPrimary: Bool)?
    /// The reason why the seat is not attached; nil while the seat is attached, or the reason is unknown.
    private(set) var absence: Absence?
    /// True once a compositor has answered: after its end, the bridge connects to the next compositor.
    private(set) var hasAnswered = false
    private var waiting: [PendingValue<Void>] = []

    init(
        _ name: WaylandName, seat: String?, busAddress: String?, service: Service, loop: EventLoop, logger: Logger
    ) {
        self.name = name
        self.busAddress = busAddress
        seatName = seat
        self.service = service
        self.loop = loop
        outgoing = OutgoingTransfers(loop: loop)
        self.logger = logger
    }

    /// Connects, and returns once the seat's selections are known. A compositor without the protocols for that is not a
    /// failure, but the copies from its programs are not seen.
    func start(within timeout: Duration) async throws(BridgeFailure) {
        if display == nil { connect() }
        if display != nil, !service.seat.isAttached, absence == nil {
            let known = PendingValue<Void>()
            waiting.append(known)
            let isKnown: Void? = await service.executor.withTimeout(timeout) { await known.get() }
            // The compositor has answered, and the session bus has not.
            if isKnown == nil, mutter != nil {
                disconnectFromMutter()
                handle(.unavailable(.noDataControl))
            } else if isKnown == nil {
                throw BridgeFailure(.unavailable, "the compositor accepts connections but does not answer")
            }
        }
        if case .disconnected(let reason) = absence { throw BridgeFailure(.unavailable, reason) }
    }

    /// Keeps trying after a failed ``start(within:)``.
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
            display.onEvent = { [unowned self] event in handleCompositor(event) }
            self.display = display
            service.seat.compositor = display.compositor
            service.seat.attach(display)
            display.start()
        } catch {
            absence = .disconnected(error.description)
            service.seat.becomeAbsent()
            if hasAnswered { reconnector.attemptFailed() }
        }
    }

    private func handleCompositor(_ event: SeatEvent) {
        switch event {
        case .unavailable(.noDataControl) where connectToMutter(): return
        case .attached, .lost: disconnectFromMutter()
        default: break
        }
        handle(event)
    }

    private func handle(_ event: SeatEvent) {
        service.seat.handle(event)
        switch event {
        case .settled(let name, let hasPrimary): settled(name, hasPrimary: hasPrimary)
        case .unavailable(let reason):
            hasAnswered = true
            absence = .unavailable(reason)
            // Xwayland shows some of the copies from Wayland programs, or all.
            logger.log(level: isBesideXwayland ? .notice : .warning, "\(message ?? "")")
            finishWaiting()
        case .detached(let reason):
            absence = .unavailable(reason.unavailability)
            logger.log(
                level: reason == .sessionClosed ? .notice : .warning,
                "the compositor \(reason.description); its pasteboards are kept")
            finishWaiting()
        case .lost(let loss):
            display = nil
            absence = .disconnected(loss.description)
            logger.warning("lost Wayland display \(name.canonical): \(loss.description); its pasteboards are kept")
            finishWaiting()
            if hasAnswered { reconnector.start() }
        case .attached(let name): controlProtocol = name
        case .changed, .ended: break
        }
    }

    private func settled(_ seatName: String?, hasPrimary: Bool) {
        hasAnswered = true
        absence = nil
        // KWin's seat has an empty name.
        let seatName = seatName.flatMap { $0.isEmpty ? nil : $0 }
        seat = (seatName, hasPrimary)
        reconnector.stop()
        let primary = hasPrimary ? "" : ", which has no primary selection"
        logger.notice("attached to Wayland display \(name.canonical), \(seatName ?? "its seat")\(primary)")
        finishWaiting()
    }

    // MARK: The session bus

    /// Connects to GNOME's compositor through the session bus, if nothing else shows the copies from Wayland programs.
    private func connectToMutter() -> Bool {
        guard !isBesideXwayland, mutter == nil, let busAddress else { return false }
        do throws(BusFailure) {
            let mutter = try MutterDisplay(
                address: busAddress, outgoing: outgoing, loop: loop, executor: service.executor)
            mutter.onEvent = { [unowned self] event in handleMutter(event) }
            self.mutter = mutter
            service.seat.attach(mutter)
            mutter.start()
            return true
        } catch {
            logger.info("\(error)")
            return false
        }
    }

    private func handleMutter(_ event: SeatEvent) {
        switch event {
        case .unavailable(.noDataControl): disconnectFromMutter()
        case .lost(let loss):
            logger.warning("\(loss.description)")
            disconnectFromMutter()
            return handle(.detached(.managerGone))
        default: break
        }
        handle(event)
    }

    private func disconnectFromMutter() {
        guard let mutter else { return }
        mutter.close()
        self.mutter = nil
        if service.seat.isAttached { service.seat.handle(.detached(.managerGone)) }
        if let display { service.seat.attach(display) }
    }

    /// Leaves the copies from Wayland programs to Xwayland, which the bridge serves from now on.
    func displayDidAttach() {
        guard mutter != nil else { return }
        disconnectFromMutter()
        handle(.unavailable(.noDataControl))
    }

    private func finishWaiting() {
        for known in waiting { known.deliver(()) }
        waiting = []
    }

    /// True if the bridge serves the session's Xwayland too.
    private var isBesideXwayland: Bool { service.display.isAttached }

    /// The reason why the selections of Wayland programs are not seen, for the user; nil if they are seen.
    var message: String? {
        switch absence {
        case .unavailable(.noDataControl):
            "the compositor of Wayland display \(name.canonical) has neither ext-data-control-v1 nor "
                + "wlr-data-control-unstable-v1"
                + (isBesideXwayland ? "" : ", without which copies from Wayland programs cannot be seen")
        case .unavailable(.noSeat(let names)):
            "Wayland display \(name.canonical) has no seat \(seatName.map { "'\($0)'" } ?? "yet")"
                + (names.isEmpty ? "" : "; it has \(names.joined(separator: ", "))")
        case .disconnected(let reason): reason
        case .unavailable(.denied(let reason)):
            "the compositor of Wayland display \(name.canonical) does not show copies from Wayland programs: \(reason)"
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
        mutter?.close()
        mutter = nil
        display?.close()
        display = nil
        outgoing.removeAll()
    }
}

extension SeatDetachment {
    fileprivate var unavailability: SeatUnavailability {
        switch self {
        case .seatGone: .noSeat(names: [])
        case .managerGone: .noDataControl
        case .sessionClosed: .denied("the screen is locked, or its session on the bus was closed")
        }
    }

    fileprivate var description: String {
        switch self {
        case .seatGone: "took the seat away"
        case .managerGone: "no longer offers data control"
        case .sessionClosed: "shows no copies from programs while the screen is locked"
        }
    }
}
