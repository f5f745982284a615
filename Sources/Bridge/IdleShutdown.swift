/// When a bridge whose display is forwarded from another machine goes by itself: its connection would keep the session
/// that forwards the display, such as one of ssh, from ending.
///
/// It is asked before each sleep whether it is needed, so nothing that changes that has to tell.
final class IdleShutdown {
    private unowned let service: Service
    private let leave: () -> Void
    private var alarm: TimerQueue.Number?
    /// How long nobody may need it. At first somebody has started it, and is about to come.
    private var grace = Duration.seconds(10)

    /// Commands in a row are not to start a bridge each.
    private static let usualGrace = Duration.seconds(1)

    init(_ service: Service, leave: @escaping () -> Void) {
        self.service = service
        self.leave = leave
    }

    /// Sees whether anybody needs the bridge.
    func consider() {
        if service.isNeeded {
            if service.clientCount() > 0 { grace = Self.usualGrace }
            if let alarm { service.alarms.cancel(alarm) }
            alarm = nil
        } else if alarm == nil, !service.isLeaving {
            alarm = service.alarms.set(.now + grace) { [unowned self] in
                alarm = nil
                if !service.isNeeded { leave() }
            }
        }
    }
}

extension Service {
    /// Whether a client is connected, or contents are held that would go with the bridge, or are being sent. One that is
    /// still opening its display has somebody who waits for that.
    fileprivate var isNeeded: Bool {
        !link.isAttached || clientCount() > 0 || !claiming.isEmpty || link.transfers > 0
            || table.all.contains { $0.version != nil }
    }
}
