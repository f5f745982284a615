import Glibc
import LinuxSystem
package import PasteboardModel
package import PasteboardWire

/// The source of the origins of this bridge's changes.
package final class OriginClock {
    /// This machine's name, which differs between bridges even on machines of the same name: origins must differ.
    package let machine: String
    private var clock = HybridClock()

    package init(machine: String = ThisProcess.machineName) {
        let suffix = UInt32.random(in: .min ... .max)
        self.machine = "\(machine).\(String(suffix, radix: 36))"
    }

    /// Returns the origin of a new change.
    package func next() -> ContentsOrigin {
        ContentsOrigin(time: clock.next(at: UnixTime.microseconds), machine: machine)
    }

    /// Moves the clock to an origin that was accepted from another machine, or was stored.
    package func observe(_ origin: ContentsOrigin) { clock.observe(origin.time) }

    /// Returns the origin of a call; nil if the call has none.
    ///
    /// - Throws: Code `refused` if the origin is invalid, or its time is too far ahead.
    package static func origin(of wire: WireOrigin?) throws(BridgeError) -> ContentsOrigin? {
        guard let wire else { return nil }
        let origin = ContentsOrigin(time: wire.time, machine: wire.machine)
        let now = UnixTime.microseconds
        guard !origin.isTooFarAhead(of: now) else {
            let minutes = (origin.time - now) / 60_000_000
            throw BridgeError(
                .refused, "the clock of the other machine is \(minutes) minutes ahead of this one's; set both")
        }
        guard origin.time >= 0, (1...512).contains(origin.machine.utf8.count) else {
            throw BridgeError(.refused, "the change has no valid origin")
        }
        return origin
    }
}

extension WireOrigin {
    package init(_ origin: ContentsOrigin) { self.init(machine: origin.machine, time: origin.time) }
}

extension BridgeError {
    package static let superseded = BridgeError(
        .superseded, "the pasteboard has a later change than that of the other machine")
}
