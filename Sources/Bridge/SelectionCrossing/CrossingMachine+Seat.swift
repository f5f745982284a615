import DataControlProtocol
import SelectionProtocol

/// The Wayland side.
extension CrossingMachine {
    mutating func seatFound(_ owner: SeatOwner, now: ContinuousClock.Instant) -> [CrossingEffect] {
        seat = owner
        isSeatAbsent = false
        isSeatExpected = false
        if case .program(let offer) = owner {
            unsureOffer = offer
            foundOffer = offer
        }
        switch owner {
        case .program(let offer) where display == nil:
            return holder == .nobody ? hold(.offer(offer)) : stepUnlessSame(offer)
        case .program:
            // The compositor's window stood for the program.
            if case .compositor = holder { return hold(.nobody) + seatChanged(owner, now: now) }
            return seatChanged(owner, now: now)
        case .nobody, .copy, .bridge: return bringInLine()
        }
    }

    /// Makes a found selection the contents, unless the bridge has the same contents: the previous bridge may have
    /// captured them from the program.
    private mutating func stepUnlessSame(_ offer: ForeignOfferID) -> [CrossingEffect] {
        guard case .bridge = holder else { return step(to: .offer(offer)) }
        unseen = Unseen(owner: .offer(offer), kind: .found)
        return [.lookAtSeat(offer)]
    }

    /// Forgets a found selection of the seat that has not been examined, since another selection has followed.
    private mutating func forgetUnseen() {
        if case .offer = unseen?.owner { unseen = nil }
    }

    mutating func seatChanged(_ owner: SeatOwner, now: ContinuousClock.Instant) -> [CrossingEffect] {
        let former = seat
        seat = owner
        forgetUnseen()
        switch owner {
        case .program(let offer) where display == nil: return step(to: .offer(offer))
        case .program(let offer):
            candidates.append(Candidate(offer: offer, time: now))
            return bringInLine()
        case .copy(let contents):
            if let contents {
                // The copy may have been made while there was another focus.
                lastCopied = wasFocusedLately(now) ? nil : contents.id
                if display == .bridge(contents) { uncopiedClaims = 0 }
                if probe?.id == contents.id { probe?.isCopied = true }
            }
            // The compositor's copy of a claim of the bridge, for the program's contents, has replaced the program.
            if case .offer = holder { return replaced(byCopyOf: contents) + bringInLine() }
            return bringInLine()
        case .bridge:
            // No X11 program had the selection when the bridge offered this.
            if display?.isProgram != true { uncopiedClaims = 0 }
            return bringInLine()
        case .nobody: return emptied(former)
        }
    }

    mutating func seatRefilled(_ offer: ForeignOfferID, now: ContinuousClock.Instant) -> [CrossingEffect] {
        // The manager may have put back the contents of a program that has copied and ended since the last answer.
        guard hasContents, candidates.isEmpty else { return seatChanged(.program(offer), now: now) }
        seat = .program(offer)
        forgetUnseen()
        // The end of the program has not been reported.
        if case .offer = holder { return keepCaptured() + bringInLine() }
        return bringInLine()
    }

    private mutating func replaced(byCopyOf contents: CrossingContents?) -> [CrossingEffect] {
        // The copy may be reported before the claim.
        if let contents, writing.remove(contents) != nil { return step(to: .bridge(contents)) }
        // Older contents of the bridge may have crossed the program's copy.
        guard captured == nil, let contents else { return keepCaptured() }
        return step(to: .bridge(contents))
    }

    /// Follows the end of the seat's owner or the clearing of its selection, which compositors report alike.
    private mutating func emptied(_ former: SeatOwner?) -> [CrossingEffect] {
        switch (holder, former) {
        case (.offer, _): return keepCaptured() + bringInLine()
        // A Wayland program has cleared what the bridge offered.
        case (.bridge(let contents), .bridge(let offered)) where offered == contents:
            return step(to: .nobody) + bringInLine()
        default: return bringInLine()
        }
    }

    mutating func seatCleared() -> [CrossingEffect] {
        seat = .nobody
        forgetUnseen()
        return (holder == .nobody ? [] : step(to: .nobody)) + bringInLine()
    }

    mutating func seatLost() -> [CrossingEffect] {
        seat = nil
        forgetUnseen()
        candidates = []
        programCopy = nil
        awaited = nil
        if case .offer = holder { return keepCaptured() + bringInLine() }
        return bringInLine()
    }

    // MARK: Candidates

    /// Decides which of the seat's selections are copies of the X11 selection. The other selections are changes.
    mutating func decideCandidates(_ answer: CrossingAnswer, now: ContinuousClock.Instant) -> [CrossingEffect] {
        if answer.isCopyOfNothing, mayBeCopyOfNothing { return loseToCopy() }
        guard let last = candidates.last else { return [] }
        let isPresent = seat == .program(last.offer)
        let copy = lastCopy(among: candidates, answer, at: last.time)
        let decided = candidates
        candidates = []
        // The present selection may be a copy of an earlier claim if an X11 program has claimed again since.
        let isOwnedByProgram = display?.isProgram == true
        let earlier = copy ?? (isPresent && !isOwnedByProgram ? decided.count - 1 : decided.count)
        let programs = decided.count - copies(before: earlier, isLastCopied: copy != nil, answer, at: last.time)
        if isPresent, copy == decided.count - 1 {
            programCopy = seat
            return changes(programs) + replacedByCopy()
        }
        // The pasteboard stays with the owner of the X11 selection if its claim was reported after this selection.
        guard isPresent, programs > 0, !(last.isFollowed && isOwnedByHolder) else { return changes(programs) }
        let isFound = last.offer == foundOffer
        let isRecent = lastClaim.map { last.time - $0 <= Self.recentTime } ?? false
        // A compositor that copies even while no X11 window has the focus asks the program first, which may be slow.
        let isLateCopy = copiesAlways != false && answer.alike.contains(last.offer)
        if isRecent || isLateCopy { unsureOffer = last.offer }
        return isFound ? stepUnlessSame(last.offer) : step(to: .offer(last.offer), steps: programs)
    }

    /// Returns the index of the selection that is a copy of the X11 program's last claim (rule 3).
    private func lastCopy(
        among decided: [Candidate], _ answer: CrossingAnswer, at time: ContinuousClock.Instant
    ) -> Int? {
        guard uncopiedClaims > 0, let lastClaim else { return nil }
        // A slow program lists its types late.
        let isFocusedSince = answer.isFocused && lastFocusChange.map { $0 <= lastClaim } ?? true
        guard isFocusedSince || time - lastClaim <= Self.recentTime else { return nil }
        // The copy may be reported before the claim.
        guard lastClaim - time <= Self.recentTime else { return nil }
        guard mayCopy(answer, at: time) != false else { return nil }
        if case .bridge = holder, isOwnedByHolder {
            // The program has lost the selection to the bridge since, and its types are not known. If in doubt, the
            // last selection is taken for the copy: such a copy has no contents of its own, and would replace those of
            // the bridge.
            guard mayCopy(answer, at: time) == true else { return nil }
        } else {
            guard display?.isProgram == true else { return nil }
        }
        return decided.lastIndex { answer.alike.contains($0.offer) }
    }

    /// Returns the number of copies: one for each earlier claim that had no copy yet, and the copy of the last claim.
    private mutating func copies(
        before earlier: Int, isLastCopied: Bool, _ answer: CrossingAnswer, at time: ContinuousClock.Instant
    ) -> Int {
        var copies = isLastCopied ? 1 : 0
        let isRecent = lastClaim.map { time - $0 <= Self.recentTime } ?? false
        if mayCopy(answer, at: time) == true, isLastCopied || isRecent && !isLastClaimCopied {
            copies += min(earlier, max(uncopiedClaims - 1, 0))
        }
        uncopiedClaims -= copies
        isLastClaimCopied = isLastClaimCopied || isLastCopied
        return copies
    }

    /// Returns true if the compositor may have copied X11 selections just now; nil if this is not known.
    private func mayCopy(_ answer: CrossingAnswer, at time: ContinuousClock.Instant) -> Bool? {
        answer.isFocused || wasFocusedLately(time) ? true : copiesAlways
    }

    /// Gives up the contents of a copy of nothing, and the contents of the Wayland programs that the copy has replaced.
    private mutating func loseToCopy() -> [CrossingEffect] {
        let programs = candidates.count - min(candidates.count, max(uncopiedClaims, 1))
        candidates = []
        uncopiedClaims = 0
        unsureOffer = nil
        if programs > 0 { return changes(programs) + step(to: .nobody) }
        return isHeldByProgram ? keepCaptured() : []
    }

    /// Counts changes that other changes have followed.
    private func changes(_ count: Int) -> [CrossingEffect] { count > 0 ? [.count(count)] : [] }

    /// Returns the pasteboard to an X11 program, if a copy of its selection has replaced a Wayland program's selection.
    private mutating func replacedByCopy() -> [CrossingEffect] {
        guard case .offer = holder, case .program(let window) = display else { return [] }
        return step(to: .window(window))
    }

    /// Returns true if a window may have had the focus when the compositor copied.
    func wasFocusedLately(_ time: ContinuousClock.Instant) -> Bool {
        lastFocusChange.map { time - $0 <= Self.recentTime } ?? false
    }

    /// True if the holder owns the X11 selection.
    private var isOwnedByHolder: Bool {
        switch (holder, display) {
        case (.window(let window), .program(let owner)): window == owner
        case (.bridge(let contents), .bridge(let owned)): contents == owned
        // Secrets are not owned on X11.
        case (.bridge(let contents), .nobody): contents.isConcealed
        default: false
        }
    }
}
