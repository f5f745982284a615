import EventLoop
import SelectionProtocol

/// Owning selections, and owning them no more.
extension DisplayProxy {
    /// Gives up an offer that came to be owned too late.
    func retract(_ offer: OfferID) {
        commands.send(.retract(offer))
    }

    /// Contents are being stored, and will be owned once they are.
    func prepareClaim() {
        if state != .none { commands.send(.prepareClaim) }
    }

    func claim(_ offer: Offer, within patience: Duration, _ finish: @escaping (ClaimOutcome) -> Void) {
        let until = ContinuousClock.now + patience
        let ticket = wait(patience) { finish($0.claim) }
        commands.send(.claim(offer, ticket, until: until))
    }

    /// Owns a selection after an owner that died at that time, unless anybody owned it since.
    func takeOver(
        _ offer: Offer, death: ServerTime, within patience: Duration, _ finish: @escaping (ClaimOutcome) -> Void
    ) {
        let until = ContinuousClock.now + patience
        let ticket = wait(patience) { finish($0.claim) }
        commands.send(.takeOver(offer, ticket, death: death, until: until))
    }

    /// Has a manager selection owned where nobody owns it.
    func occupy(_ offer: Offer, within patience: Duration, _ finish: @escaping (ClaimOutcome) -> Void) {
        let until = ContinuousClock.now + patience
        let ticket = wait(patience) { finish($0.claim) }
        commands.send(.occupy(offer, ticket, until: until))
    }

    /// Has a selection owned in place of a window that had it at that time, if that can begin in time. How it ends is told
    /// however late that is.
    func relieve(
        _ offer: Offer, of window: WindowID, asked: ServerTime, within patience: Duration,
        _ finish: @escaping (ClaimOutcome) -> Void
    ) {
        let until = ContinuousClock.now + patience
        let ticket = wait(CallTimeout.longest) { finish($0.claim) }
        commands.send(.relieve(offer, of: window, asked: asked, ticket, until: until))
    }

    func disown(_ selection: String, within patience: Duration, _ finish: @escaping (ClaimOutcome) -> Void) {
        let until = ContinuousClock.now + patience
        let ticket = wait(patience) { finish($0.claim) }
        commands.send(.disown(selection: selection, ticket, until: until))
    }
}
