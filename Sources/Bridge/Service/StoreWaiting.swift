import PasteboardStore
import PasteboardWire

/// Waiting for the store: its disk may stand still for as long as it likes, and nobody who asks the bridge hangs with it.
extension Service {
    /// What the store is to call: `finish` is called if that is in time, else `late`, and `finish` never. What the store was
    /// given to do it does all the same, once it can.
    func inTime<Outcome>(
        _ patience: Duration, late: @escaping () -> Void, _ finish: @escaping (Outcome) -> Void
    ) -> (Outcome) -> Void {
        let alarm = alarms.set(.now + patience) { [store] in
            store.isLate = true
            late()
        }
        return { [self] outcome in
            if alarms.cancel(alarm) { finish(outcome) }
        }
    }

    func inTime(
        _ patience: Duration, late: @escaping () -> Void, _ finish: @escaping () -> Void
    ) -> () -> Void {
        let done = inTime(patience, late: late) { (_: Void) in finish() }
        return { done(()) }
    }
}

extension BridgeError {
    static let diskStandsStill = BridgeError.cannotBeKept("the disk does not answer")

    static let historyStandsStill = BridgeError(
        .refused, "the disk that the history is on does not answer; what was to be changed is, once it does")
}
