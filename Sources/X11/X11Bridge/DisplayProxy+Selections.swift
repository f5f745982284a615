import EventLoop
package import SelectionProtocol

/// The commands about selections: which are watched, owned and served.
extension DisplayProxy {
    /// From now on, reports the Xwayland compositor's ownership as `.compositor`.
    ///
    /// - Parameter isRequired: True if no other display may be attached from now on.
    package func recognizeCompositor(isRequired: Bool) { commands.send(.recognizeCompositor(isRequired: isRequired)) }

    /// Requests reports of the owner of a selection and its changes.
    package func watch(_ selection: String) { commands.send(.watch(selection: selection)) }

    /// Stops watching a selection, and withdraws commands about it that the X thread has not executed yet.
    package func unwatch(_ selection: String) {
        let withdrawn = commands.withdraw { command in
            switch command {
            case .watch(selection), .unwatch(selection): true
            default: false
            }
        }
        // If the first of these commands was to watch, the X thread does not watch the selection yet.
        if case .watch? = withdrawn.first { return }
        commands.send(.unwatch(selection: selection))
    }

    /// Announces a claim, which follows when the contents are stored.
    package func prepareClaim() {
        if state != .none { commands.send(.prepareClaim) }
    }

    /// Owns the offer's selection.
    package func claim(_ offer: Offer, _ claim: SelectionClaim = .always, within timeout: Duration) async
        -> ClaimOutcome
    {
        await self.claim(offer, claim, beginningWithin: timeout, within: timeout)
    }

    /// Owns the offer's selection, if the X thread can begin within the timeout. A claim that has begun is awaited even
    /// after the timeout.
    package func claim(_ offer: Offer, _ claim: SelectionClaim, beginningWithin timeout: Duration) async -> ClaimOutcome
    {
        await self.claim(offer, claim, beginningWithin: timeout, within: Self.maxWait)
    }

    private func claim(
        _ offer: Offer, _ claim: SelectionClaim, beginningWithin beginning: Duration, within timeout: Duration
    ) async -> ClaimOutcome {
        let deadline = ContinuousClock.now + beginning
        return await outcome(within: timeout) { commands.send(.claim(offer, claim, $0, until: deadline)) }.claim
    }

    /// Leaves a selection without an owner.
    ///
    /// - Parameter count: The number of changes that the service has seen; nil to release the selection even after
    ///   further changes.
    package func releaseOwnership(
        of selection: String, unlessChangedSince count: Int? = nil, within timeout: Duration
    ) async -> ClaimOutcome {
        let deadline = ContinuousClock.now + timeout
        return await outcome(within: timeout) {
            commands.send(.release(selection: selection, unlessChangedSince: count, $0, until: deadline))
        }.claim
    }

    /// Releases the selection of an offer, if the offer is current.
    package func withdraw(_ offer: OfferID) { commands.send(.withdraw(offer)) }

    /// Reports the outcome of making an offer's body.
    package func provide(_ offer: OfferID, body: Int, _ provision: Provision) {
        commands.send(.provide(offer, body: body, provision))
    }

    /// Reports the outcome of a request to save contents.
    package func saved(_ number: Int, _ isSaved: Bool) { commands.send(.saved(number, isSaved)) }
}
