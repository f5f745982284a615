import BridgeState
import EventLoop
import X11Bridge

/// The shutdown of an idle bridge whose display belongs to another machine or user. The bridge's connection would keep
/// the session that provides the display, such as an ssh session, from ending.
///
/// The loop polls this before each sleep, so changes of state need no notification.
package final class IdleShutdown {
    private unowned let service: Service
    private let leave: () -> Void
    private var timer: TimerQueue.Identifier?
    /// The time after which an unneeded bridge leaves. This time is longer at first, because the program that started
    /// the bridge is about to connect.
    private var grace = Duration.seconds(10)

    /// The usual time, long enough for successive commands to find the same bridge.
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

    /// True if a client is connected, if contents would be lost with the bridge or are being sent, or if the display is
    /// being opened for a program that waits.
    fileprivate var isNeeded: Bool {
        !display.isAttached || hasClients || ownership.isClaiming || display.transfers > 0
            || registry.all.contains { $0.version != nil }
    }
}
