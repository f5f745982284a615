import BridgeState
import EventLoop
import X11Bridge

/// The shutdown of a bridge whose display belongs to another machine or user: its connection would keep the session
/// that has or forwards the display, such as one of ssh, from ending.
///
/// Polled before each sleep, so state changes need not notify it.
package final class IdleShutdown {
    private unowned let service: Service
    private let leave: () -> Void
    private var timer: TimerQueue.Identifier?
    /// The time without need after which the bridge leaves. It is longer at first, because the program that started the
    /// bridge is about to connect.
    private var grace = Duration.seconds(10)

    /// The usual time, in which successive commands find the same bridge.
    private static let usualGrace = Duration.seconds(1)

    package init(_ service: Service, leave: @escaping () -> Void) {
        self.service = service
        self.leave = leave
    }

    /// Starts the timer if the bridge is not needed, and cancels it otherwise.
    package func update() {
        let timers = service.executor.timers
        if service.isNeeded {
            if service.hasClients { grace = Self.usualGrace }
            if let timer { timers.cancel(timer) }
            timer = nil
        } else if timer == nil, !service.isLeaving {
            timer = timers.set(.now + grace) { [unowned self] in
                timer = nil
                if !service.isNeeded { leave() }
            }
        }
    }
}

extension Service {
    fileprivate var hasClients: Bool { (host?.clientCount ?? 0) > 0 }

    /// True if a client is connected, contents would be lost with the bridge or are being sent, or the display is being
    /// opened, which a program awaits.
    fileprivate var isNeeded: Bool {
        !display.isAttached || hasClients || ownership.isClaiming || display.transfers > 0
            || registry.all.contains { $0.version != nil }
    }
}
