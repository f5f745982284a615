import DataControlProtocol
import SelectionProtocol

/// The X11 side.
extension CrossingMachine {
    mutating func displayFound(_ owner: DisplayOwner, now: ContinuousClock.Instant) -> [CrossingEffect] {
        display = owner
        tracker.lost()
        // The compositor may have kept a secret of a bridge that was killed.
        followsSecret = true
        rescueEnd = owner == .nobody ? now + Self.copyTimeout : nil
        switch owner {
        case .program(let window):
            // A seat that is found later may have the compositor's copy.
            uncopiedClaims = 1
            lastClaim = now
            return found(program: window)
        case .compositor(let window) where isSeatAbsent: return found(compositor: window)
        case .nobody, .compositor, .bridge, .crossing: return bringInLine()
        }
    }

    private mutating func found(program window: WindowID) -> [CrossingEffect] {
        let holder = CrossingHolder.window(window)
        switch self.holder {
        case .nobody: return hold(holder) + bringInLine()
        // A selection that is watched already is reported again.
        case holder: return bringInLine()
        // The previous bridge may have captured the program's contents.
        case .bridge: return look(at: holder, .found)
        case .window, .offer, .compositor: return step(to: holder) + bringInLine()
        }
    }

    private mutating func look(at owner: CrossingHolder, _ kind: Unseen.Kind) -> [CrossingEffect] {
        unseen = Unseen(owner: owner, kind: kind)
        return [.look]
    }

    mutating func displayChanged(
        _ owner: DisplayOwner, _ change: DisplayChange, now: ContinuousClock.Instant
    ) -> [CrossingEffect] {
        let former = display
        noteSecrecy(change.former, now: now)
        display = owner
        if owner == .nobody { rescueEnd = now + (change.isDeath ? Self.rescueTimeout : Self.copyTimeout) }
        if !owner.isCompositor { tracker.lost() }
        let first = countUnseen(before: owner)
        return first + changed(to: owner, change, former: former, now: now)
    }

    /// Counts an owner that another owner follows before the bridge has examined it.
    private mutating func countUnseen(before owner: DisplayOwner) -> [CrossingEffect] {
        switch unseen?.owner {
        case .window(let window):
            defer { unseen = nil }
            return unseen?.kind == .found ? [] : step(to: .window(window))
        // The previous ownership was a copy, unless this ownership is its second half.
        case .compositor(let window) where !owner.isCompositor:
            unseen = nil
            return step(to: .compositor(window))
        case .compositor, .offer, .bridge, .nobody, nil: return []
        }
    }

    /// Records the secrecy of the contents that the pasteboard is about to lose to another owner.
    private mutating func noteSecrecy(_ former: FormerSecrecy, now: ContinuousClock.Instant) {
        if !isDecided {
            // The bridge has not examined the former owner's contents.
            followsSecret = true
        } else if display != .nobody {
            followsSecret = former != .open
        } else if rescueEnd.map({ now > $0 }) ?? true {
            followsSecret = false
        }
    }

    private mutating func changed(
        to owner: DisplayOwner, _ change: DisplayChange, former: DisplayOwner?, now: ContinuousClock.Instant
    ) -> [CrossingEffect] {
        switch owner {
        case .program(let window): return claimed(by: window, change, now: now)
        case .compositor(let window) where isSeatAbsent:
            return changed(toCompositor: window, change, afterNobody: former == .nobody, now: now)
        case .compositor, .crossing: return bringInLine()
        case .bridge(let contents): return claimed(for: contents, after: former, now: now)
        case .nobody: return released(by: former, change, now: now)
        }
    }

    private mutating func claimed(
        by window: WindowID, _ change: DisplayChange, now: ContinuousClock.Instant
    ) -> [CrossingEffect] {
        // The compositor has seen the earlier claims by now.
        if let lastClaim, now - lastClaim > Self.recentTime { uncopiedClaims = 0 }
        uncopiedClaims += 1
        lastClaim = now
        isLastClaimCopied = false
        programCopy = nil
        followCandidates()
        if change.mayBeRefill, change.steps == 1, hasContents {
            unseen = Unseen(owner: .window(window), kind: .followed)
            return [.lookForRefill]
        }
        return step(to: .window(window), steps: change.steps) + bringInLine()
    }

    private mutating func claimed(
        for contents: CrossingContents, after former: DisplayOwner?, now: ContinuousClock.Instant
    ) -> [CrossingEffect] {
        if wasFocused == false, copiesAlways == nil, !wasFocusedLately(now) {
            // The copy may have been reported earlier.
            probe = (contents.id, now + Self.copyTimeout, isCopied: lastCopied == contents.id)
        }
        if seat == .copy(contents) { uncopiedClaims = 0 }
        lastOwned = now
        if writing.remove(contents) != nil {
            followCandidates()
            return step(to: .bridge(contents)) + bringInLine()
        }
        guard case .window = holder else { return bringInLine() }
        // The bridge has taken the selection over from a program.
        if captured == contents { return keepCaptured() + bringInLine() }
        // The copy of a claim may be reported before that claim, and before a program's claim that came earlier.
        return (isOnBothSides ? step(to: .bridge(contents)) : []) + bringInLine()
    }

    /// Records that the selections of the seat up to now were reported before another owner.
    mutating func followCandidates() {
        for index in candidates.indices { candidates[index].isFollowed = true }
    }

    private mutating func released(
        by former: DisplayOwner?, _ change: DisplayChange, now: ContinuousClock.Instant
    ) -> [CrossingEffect] {
        let isDeath = change.isDeath
        secretDeath = isDeath && change.former == .secret ? now : nil
        switch (former, holder) {
        case (.bridge, .bridge(let contents)) where isOnBothSides && contents.isConcealed: return bringInLine()
        // The release of older contents was on its way when the copy of these contents was reported.
        case (.bridge(let owned), .bridge(let contents)) where owned != contents: return bringInLine()
        case (.bridge, .bridge(let contents)) where change.followsSave: return own(contents)
        // The compositor has released its copy or empty text, or this bridge a Wayland program's contents.
        case (.compositor, _) where isOnBothSides, (.compositor, .bridge) where isSeatAbsent, (.crossing, _),
            (_, .offer),
            (_, .nobody):
            return bringInLine()
        case (_, .window) where isDeath, (_, .compositor) where isDeath: return keepCaptured() + bringInLine()
        // A program that was found has ended, and the bridge may have its contents.
        case (.program, .bridge) where isDeath: return bringInLine()
        default: return step(to: .nobody) + bringInLine()
        }
    }

    mutating func displayLost() -> [CrossingEffect] {
        display = nil
        if case .offer = unseen?.owner {} else { unseen = nil }
        uncopiedClaims = 0
        programCopy = nil
        switch holder {
        case .window, .compositor: return keepCaptured() + bringInLine()
        case .nobody, .bridge, .offer: return bringInLine()
        }
    }

    // MARK: The compositor's window without a seat

    mutating func seatAbsent() -> [CrossingEffect] {
        guard !isSeatAbsent else { return [] }
        isSeatAbsent = true
        isSeatExpected = false
        guard case .compositor(let window) = display else { return bringInLine() }
        return found(compositor: window)
    }

    private mutating func forget(now: ContinuousClock.Instant) -> [CrossingEffect] {
        rescueEnd = now + Self.copyTimeout
        isForgetting = true
        return [.forget, .wake(at: now + Self.copyTimeout)]
    }

    mutating func looked(_ contents: OwnerContents) -> [CrossingEffect] {
        guard let unseen else { return [] }
        self.unseen = nil
        switch unseen.owner {
        case .window(let window) where display == .program(window): return looked(atProgram: window, contents)
        case .offer(let offer) where seat == .program(offer): return looked(atOffer: offer, contents)
        case .compositor(let window): return looked(atCompositor: window, contents, isFound: unseen.kind == .found)
        case .window, .offer, .bridge, .nobody: return bringInLine()
        }
    }

    private mutating func looked(
        atCompositor window: WindowID, _ contents: OwnerContents, isFound: Bool
    ) -> [CrossingEffect] {
        switch (contents, holder, captured) {
        case (.part, .compositor, let captured?): return hold(.bridge(captured)) + [.own(captured)]
        case (.part, .bridge(let contents), _): return [.own(contents)]
        case (.blank, .nobody, _), (.blank, .bridge, _): return []
        case (.blank, _, _): return keepCaptured()
        case (.same, .bridge, _) where isFound: return hold(.compositor(window))
        case (.part, _, _), (.same, _, _), (.other, _, _): return step(to: .compositor(window))
        }
    }

    private mutating func looked(atProgram window: WindowID, _ contents: OwnerContents) -> [CrossingEffect] {
        switch (contents, holder, captured) {
        case (.same, .bridge, _), (.same, .window, _): return hold(.window(window)) + bringInLine()
        case (.part, .bridge(let contents), _): return own(contents)
        case (.part, .window, let captured?): return keepCaptured() + own(captured)
        case (_, .bridge, _), (_, .window, _): return step(to: .window(window)) + bringInLine()
        case (_, .nobody, _), (_, .offer, _), (_, .compositor, _): return bringInLine()
        }
    }

    private mutating func looked(atOffer offer: ForeignOfferID, _ contents: OwnerContents) -> [CrossingEffect] {
        guard case .bridge = holder else { return bringInLine() }
        return (contents == .same ? hold(.offer(offer)) : step(to: .offer(offer))) + bringInLine()
    }

    /// Owns the X11 selection for contents of the bridge: at once if there is only a display, otherwise after both
    /// sides have been queried.
    private mutating func own(_ contents: CrossingContents) -> [CrossingEffect] {
        isOnBothSides ? bringInLine() : [.own(contents)]
    }

    mutating func compositorEmptied() -> [CrossingEffect] {
        guard case .compositor = holder else { return [] }
        return hold(.nobody)
    }

    private mutating func found(compositor window: WindowID) -> [CrossingEffect] {
        let holder = CrossingHolder.compositor(window)
        if self.holder == .nobody { return hold(holder) }
        if self.holder == holder { return [] }
        guard case .bridge = self.holder else { return step(to: holder) }
        // The compositor may have kept a format that the previous bridge offered, or the previous bridge may have
        // captured the program's contents.
        return look(at: holder, .found)
    }

    private mutating func changed(
        toCompositor window: WindowID, _ change: DisplayChange, afterNobody: Bool, now: ContinuousClock.Instant
    ) -> [CrossingEffect] {
        // On a busy machine, the death of a secret's program is reported before the compositor owns what it has kept.
        if afterNobody, let death = secretDeath, now - death < Self.copyTimeout {
            secretDeath = nil
            return forget(now: now)
        }
        let meaning = tracker.owned(at: change.acquired, followsDeath: change.followsDeath)
        if case .compositor(let former) = unseen?.owner {
            unseen = nil
            let copy = step(to: .compositor(former))
            return copy + (meaning == .repeatedOwnership ? holdSame(window) : step(to: .compositor(window)))
        }
        switch (meaning, holder) {
        case (.rescue, .window) where change.former == .secret: return step(to: .nobody) + forget(now: now)
        case (.rescue, .window), (.rescue, .compositor):
            guard captured != nil else { return step(to: .compositor(window)) }
            // A Wayland program may have copied right after the death.
            return keepCaptured() + look(at: .compositor(window), .followed)
        // The first ownership had a format kept of the previous copy, whose program seemed to have ended.
        case (.repeatedOwnership, .bridge): return step(to: .compositor(window))
        case (.repeatedOwnership, _): return holdSame(window)
        case (.rescue, .nobody), (.rescue, .offer): return step(to: .compositor(window))
        // The Wayland program may have ended, the compositor was faster than the bridge after a program's death, or the
        // screen is locked.
        case (.copy, _), (.rescue, .bridge): return look(at: .compositor(window), .followed)
        }
    }

    /// Gives the contents to the second ownership for one copy, which belongs to the copying program.
    private mutating func holdSame(_ window: WindowID) -> [CrossingEffect] {
        followsSecret = false
        return hold(.compositor(window))
    }
}
