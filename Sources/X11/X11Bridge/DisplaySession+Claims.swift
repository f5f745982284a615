package import SelectionProtocol
import X11Display

extension DisplaySession {
    /// The duration for which a prepared time of the server may be used.
    private static let preparedTimeValidity = Duration.seconds(1)

    /// Asks for the server's time in advance, while the contents that will be claimed are being stored.
    package func prepareClaim() {
        let time = display.serverTime()
        preparedTime = time == .current ? nil : (time, .now + Self.preparedTimeValidity)
    }

    /// Returns the prepared time, once; nil if it is too old for a claim.
    private func usePreparedTime() -> ServerTime? {
        defer { preparedTime = nil }
        return preparedTime.flatMap { ContinuousClock.now < $0.until ? $0.time : nil }
    }

    /// Owns the offer's selection, and serves the offer.
    package func claim(_ offer: Offer, _ claim: SelectionClaim, until deadline: ContinuousClock.Instant) -> ClaimOutcome
    {
        guard watch(offer.selection) else { return .nameLimit }
        switch claim {
        case .always: return claimAlways(offer, until: deadline)
        case .afterDeath(let death): return claimAfterDeath(offer, at: death, until: deadline)
        case .ifUnowned: return claimIfUnowned(offer, until: deadline)
        case .from(let window, let time): return claimFrom(window, offer, at: time, until: deadline)
        case .unlessChanged(let count): return claimUnlessChanged(offer, since: count, until: deadline)
        }
    }

    /// Claims a selection from any owner. After a lost race it tries again, at the server's present time.
    private func claimAlways(_ offer: Offer, until deadline: ContinuousClock.Instant) -> ClaimOutcome {
        for time in [usePreparedTime(), nil] {
            switch claimOnce(offer, at: time, until: deadline) {
            case .lost: continue
            case let outcome: return outcome
            }
        }
        return .lost
    }

    /// Claims a selection once, at the given time or at the server's present time.
    private func claimOnce(
        _ offer: Offer, at time: ServerTime?, until deadline: ContinuousClock.Instant
    ) -> ClaimOutcome {
        let isClaimed = ownerDriver.claim(offer, before: deadline, at: time)
        if isClaimed { handleReplies() }
        if confirmedClaims.remove(offer.id) != nil { return .done }
        ownerDriver.retire(offer.id)
        if display.isBroken { return .noDisplay }
        return isClaimed ? .lost : .timedOut
    }

    /// Claims a selection after an owner that died.
    ///
    /// The server refuses the time of that death if the selection has had an owner with a later time. But another
    /// client may own it with an earlier time, as Emacs does, or may have owned it in the same millisecond, so owners
    /// that the server has reported count too.
    private func claimAfterDeath(
        _ offer: Offer, at death: ServerTime, until deadline: ContinuousClock.Instant
    ) -> ClaimOutcome {
        handleReplies()
        let isUnfollowed = trackers[display.internForeign(offer.selection)]?.unfollowedDeath == death
        guard isUnfollowed, death != .current else { return display.isBroken ? .noDisplay : .lost }
        return claimOnce(offer, at: death, until: deadline)
    }

    /// Claims a manager selection that has no owner, and announces it (ICCCM 2.8).
    private func claimIfUnowned(_ offer: Offer, until deadline: ContinuousClock.Instant) -> ClaimOutcome {
        let selection = display.internForeign(offer.selection)
        managerSelections.insert(selection)
        // The time is read before the owner, so that the server refuses the claim if another client owned the selection
        // in between.
        let time = display.serverTime()
        let outcome = claimFrom(.none, offer, at: time, until: deadline)
        if case .done = outcome, let window = ownerDriver.window(of: offer.id) {
            display.announceManager(of: selection, window: window, since: time)
        }
        return outcome
    }

    /// Claims a selection from the given owner only.
    ///
    /// - Parameter time: A time at which the owner had the selection. The server refuses the claim if any client,
    ///   including that owner, has acquired the selection since.
    private func claimFrom(
        _ owner: WindowID, _ offer: Offer, at time: ServerTime, until deadline: ContinuousClock.Instant
    ) -> ClaimOutcome {
        guard !display.isBroken, display.owner(of: display.internForeign(offer.selection)) == owner else {
            // The present owner is reported before the outcome.
            handleReplies()
            return display.isBroken ? .noDisplay : .lost
        }
        return claimOnce(offer, at: time, until: deadline)
    }

    /// Claims a selection unless it has a new owner that the service has not seen yet, such as another program that
    /// copies at the same moment.
    private func claimUnlessChanged(
        _ offer: Offer, since count: Int, until deadline: ContinuousClock.Instant
    ) -> ClaimOutcome {
        // The server refuses this time if another client owns the selection after it.
        let time = display.serverTime()
        handleReplies()
        guard !display.isBroken else { return .noDisplay }
        guard changeCount(of: display.internForeign(offer.selection)) == count else { return .lost }
        return claimOnce(offer, at: time, until: deadline)
    }

    /// Leaves a selection without an owner. A selection of ours is released with the time of its acquisition, so that a
    /// later claim of another client is not undone.
    ///
    /// - Parameter count: The number of changes that the service has seen; nil to release the selection even after
    ///   further changes.
    package func releaseOwnership(
        of name: String, unlessChangedSince count: Int? = nil, until deadline: ContinuousClock.Instant
    ) -> ClaimOutcome {
        // A selection without an atom has no owner.
        guard watch(name) else { return .done }
        let selection = display.internForeign(name)
        for _ in 1...2 {
            let time = acquisitionTime(of: selection) ?? display.serverTime()
            // A stopped server would carry out the release below when it continues, perhaps when no call wants the
            // release anymore. It answers this request no earlier, so the deadline is checked after the answer.
            display.synchronize()
            if display.isBroken { return .noDisplay }
            guard ContinuousClock.now < deadline else { return .timedOut }
            if let count {
                handleReplies()
                guard changeCount(of: selection) == count else { return .lost }
            }
            confirmedReleases.remove(selection)
            display.setOwner(of: selection, to: .none, time: time)
            handleReplies()
            if confirmedReleases.remove(selection) != nil { return .done }
        }
        return display.isBroken ? .noDisplay : .lost
    }

    /// Releases the selection of an offer whose claim succeeded too late, if the offer is current.
    package func withdraw(_ offer: OfferID) {
        for (selection, tracker) in trackers where tracker.owner == .ours(offer) {
            guard let time = ownerDriver.acquired(offer) else { continue }
            display.setOwner(of: selection, to: .none, time: time)
        }
    }

    /// Returns the time at which we acquired a selection; nil if it is not ours.
    private func acquisitionTime(of selection: Atom) -> ServerTime? {
        guard case .ours(let offer) = trackers[selection]?.owner else { return nil }
        return ownerDriver.acquired(offer)
    }

    /// Releases all selections, each with the time of its acquisition, so that later owners are not affected.
    package func releaseSelections() {
        // The manager selections come last: a client that waits for them finds the other selections released.
        for selection in trackers.keys.filter({ !managerSelections.contains($0) }) + managerSelections {
            if let time = acquisitionTime(of: selection) { display.setOwner(of: selection, to: .none, time: time) }
        }
    }
}
