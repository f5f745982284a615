import DataControlProtocol
import SelectionProtocol

/// The work of bringing both sides in line with the pasteboard.
extension CrossingMachine {
    /// Brings the sides in line with the pasteboard: at once if there is one side, otherwise after the compositor's
    /// reaction to the last change.
    mutating func bringInLine() -> [CrossingEffect] {
        guard isOnBothSides else { return bringOneSideInLine() }
        guard !isAsking else {
            isDue = true
            return []
        }
        return ask()
    }

    mutating func ask() -> [CrossingEffect] {
        isAsking = true
        isDue = false
        return [.ask]
    }

    private mutating func bringOneSideInLine() -> [CrossingEffect] {
        guard !isSeatExpected else { return [] }
        return display == nil ? bringSeatInLine() : bringDisplayInLine()
    }

    private mutating func bringDisplayInLine() -> [CrossingEffect] {
        switch (holder, display) {
        // The compositor has yet to see that there are no contents, or the next claim is on its way.
        case (.nobody, .bridge) where isForgetting, (_, .bridge) where !writing.isEmpty,
            (_, .crossing) where !writing.isEmpty:
            []
        case (.bridge(let contents), .bridge(let owned)) where owned == contents: []
        case (.bridge(let contents), .nobody), (.bridge(let contents), .bridge), (.bridge(let contents), .crossing):
            [.own(contents)]
        // A claim succeeded after its call had given up.
        case (.window, .bridge): keepCaptured() + bringDisplayInLine()
        case (.nobody, .bridge), (.nobody, .crossing): [.release]
        default: []
        }
    }

    private func bringSeatInLine() -> [CrossingEffect] {
        switch (holder, seat) {
        case (.bridge(let contents), .bridge(let offered)) where offered == contents: []
        // Another program's copy, such as a clipboard manager's.
        case (.bridge(let contents), .copy(let copied)) where copied == contents: []
        case (.bridge(let contents), .some): [.offer(contents)]
        case (.nobody, .bridge), (.nobody, .copy), (.nobody, .program): [.clearSeat]
        default: []
        }
    }

    mutating func answered(_ answer: CrossingAnswer, now: ContinuousClock.Instant) -> [CrossingEffect] {
        isAsking = false
        guard isOnBothSides else { return bringInLine() }
        // Something has changed since the question.
        if isDue, deferrals < Self.maxDeferrals {
            deferrals += 1
            return ask()
        }
        deferrals = 0
        let effects = decideCandidates(answer, now: now)
        return isDecided ? effects + pass(answer, now: now) : effects
    }

    private mutating func pass(_ answer: CrossingAnswer, now: ContinuousClock.Instant) -> [CrossingEffect] {
        let wake = learn(answer, now: now)
        repairs.removeAll { $0 <= now - .seconds(1) }
        // A compositor or a program may undo each repair.
        guard repairs.count < Self.maxRepairs else { return wake + [.wake(at: now + .seconds(1))] }
        let effects = repair(answer, now: now)
        // The same effects are not repeated until something has changed.
        guard effects.contains(where: \.isRepair), effects != lastRepair else {
            return wake + effects.filter { !$0.isRepair }
        }
        lastRepair = effects
        repairs.append(now)
        return wake + effects + ask()
    }

    private mutating func repair(_ answer: CrossingAnswer, now: ContinuousClock.Instant) -> [CrossingEffect] {
        switch holder {
        case .nobody: return empty()
        case .bridge(let contents):
            // A secret may have been owned before there was a seat.
            if contents.isConcealed { return releaseOwned() + offer(contents, answer, now: now) }
            return display == .bridge(contents) ? offer(contents, answer, now: now) : [.own(contents)]
        case .window(let window) where display == .program(window):
            return captured.map { offer($0, answer, now: now) } ?? []
        case .window, .compositor: return lost()
        case .offer(let offer):
            guard !isServed(offer, answer) else { return [] }
            // The compositor's copy of a part would take the other formats from Wayland programs.
            if let captured, captured.isWhole { return [.own(captured)] }
            // This may be a copy of contents for which an X11 program owns the selection.
            let crosses = copiesAlways == false && !answer.isFocused && !mayBeUnmarked
            return crosses ? [.cross(offer)] : releaseOlder(now: now)
        }
    }

    /// Gives the pasteboard to its next holder, after an X11 program has lost the selection to the compositor, or to
    /// this bridge at the same moment.
    private mutating func lost() -> [CrossingEffect] {
        switch seat {
        case .program(let offer): step(to: .offer(offer))
        case .bridge(let contents) where captured == nil: step(to: .bridge(contents))
        default: keepCaptured()
        }
    }

    private mutating func empty() -> [CrossingEffect] {
        var effects = releaseOwned()
        switch seat {
        case .bridge, .copy, .program: effects.append(.clearSeat)
        case .nobody, nil: break
        }
        return effects
    }

    private func releaseOwned() -> [CrossingEffect] {
        switch display {
        case .bridge, .crossing: [.release]
        case .nobody, .program, .compositor, nil: []
        }
    }

    /// Releases older contents, unless the compositor's copy of them may be on its way.
    private func releaseOlder(now: ContinuousClock.Instant) -> [CrossingEffect] {
        let release = releaseOwned()
        guard !release.isEmpty, let lastOwned else { return release }
        let end = lastOwned + Self.recentTime
        return now < end ? [.wake(at: end)] : release
    }

    /// Returns true if X11 programs can read a Wayland program's contents.
    private func isServed(_ offer: ForeignOfferID, _ answer: CrossingAnswer) -> Bool {
        switch display {
        case .crossing(offer): true
        case .bridge(let contents): contents == captured
        // The compositor serves only windows with the focus.
        case .compositor: answer.isFocused
        default: false
        }
    }

    // MARK: Onto the seat

    /// Offers contents on the seat, unless the compositor copies them from the X display.
    private mutating func offer(
        _ contents: CrossingContents, _ answer: CrossingAnswer, now: ContinuousClock.Instant
    ) -> [CrossingEffect] {
        guard !isOnSeat(contents) else {
            awaited = nil
            return []
        }
        let isCopied = (answer.isFocused || copiesAlways == true) && !contents.isConcealed
        guard isCopied, uncopied != contents.id else { return [.offer(contents)] }
        guard let awaited, awaited.id == contents.id else {
            let until = now + Self.copyTimeout
            awaited = (contents.id, until)
            return [.wake(at: until)]
        }
        guard awaited.until <= now else { return [] }
        self.awaited = nil
        uncopied = contents.id
        return [.offer(contents)]
    }

    private func isOnSeat(_ contents: CrossingContents) -> Bool {
        switch seat {
        case .bridge(contents), .copy(contents): return true
        case .program:
            if case .window = holder { return programCopy == seat }
            return false
        default: return false
        }
    }

    /// Learns whether the compositor copies the X11 selection even while no X11 window has the focus. Returns the time
    /// of the next check.
    private mutating func learn(_ answer: CrossingAnswer, now: ContinuousClock.Instant) -> [CrossingEffect] {
        wasFocused = answer.isFocused
        guard let probe, !answer.isFocused else { return [] }
        if !probe.isCopied {
            // A compositor may not have seen a claim that another claim followed.
            guard case .bridge(let contents) = display, contents.id == probe.id else {
                self.probe = nil
                return []
            }
            if now < probe.until { return [.wake(at: probe.until)] }
        }
        copiesAlways = probe.isCopied
        self.probe = nil
        return []
    }
}

extension CrossingEffect {
    /// True for a change after which the bridge asks for the compositor's reaction.
    fileprivate var isRepair: Bool {
        switch self {
        case .step, .hold, .own, .cross, .release, .forget, .offer, .clearSeat: true
        case .count, .ask, .look, .lookAtSeat, .lookForRefill, .wake: false
        }
    }
}
