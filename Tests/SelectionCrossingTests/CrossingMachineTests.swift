import DataControlProtocol
import SelectionCrossing
import SelectionProtocol
import Testing

/// The rules of ``CrossingMachine``, one by one. `CrossingWorld` has them in any order.
@Suite struct CrossingMachineTests {
    /// A machine with the effects of its last event.
    private struct Subject {
        var machine = CrossingMachine()
        var now = ContinuousClock.now
        var effects: [CrossingEffect] = []

        init(display: DisplayOwner?, seat: SeatOwner?, isFocused: Bool = false) {
            if let display { handle(.displayFound(display)) }
            if let seat { handle(.seatFound(seat)) }
            if display != nil, seat != nil { settle(isFocused: isFocused) }
        }

        private var isAsked = false

        mutating func handle(_ event: CrossingEvent) {
            effects = machine.handle(event, now: now)
            isAsked = isAsked || effects.contains(.ask)
        }

        /// Answers questions until there are no more, and performs what the machine wants. Returns all effects since
        /// the last event, but for questions and alarms.
        @discardableResult
        mutating func settle(
            isFocused: Bool = false, alike: [Int] = [], isCopyOfNothing: Bool = false
        ) -> [CrossingEffect] {
            var all = effects
            while isAsked {
                isAsked = false
                let answer = CrossingAnswer(
                    isFocused: isFocused, alike: Set(alike.map(ForeignOfferID.init)),
                    isCopyOfNothing: isCopyOfNothing && machine.mayBeCopyOfNothing)
                handle(.answered(answer))
                all += effects
                for effect in effects { all += perform(effect) }
            }
            return all.filter(\.isWork)
        }

        private mutating func perform(_ effect: CrossingEffect) -> [CrossingEffect] {
            switch effect {
            case .own(let contents): handle(.displayChanged(.bridge(contents)))
            case .cross(let offer): handle(.displayChanged(.crossing(offer)))
            case .release: handle(.displayChanged(.nobody))
            case .offer(let contents): handle(.seatChanged(.bridge(contents)))
            case .clearSeat: handle(.seatChanged(.nobody))
            case .step, .count, .hold, .forget, .ask, .look, .lookAtSeat, .lookForRefill, .wake: return []
            }
            return effects
        }

        /// The compositor's window owns the X11 selection, and has these contents.
        mutating func compositorOwns(at time: UInt32, _ contents: OwnerContents = .other) {
            let change = DisplayChange(acquired: ServerTime(time))
            handle(.displayChanged(.compositor(CrossingMachineTests.compositor), change))
            guard effects == [.look] else { return }
            handle(.looked(contents))
        }

        mutating func pass(_ duration: Duration) {
            now += duration
            handle(.due)
        }
    }

    private static let window = WindowID(7)
    private static let compositor = WindowID(1)
    private static let contents = CrossingContents(OfferID(1))
    private static let captured = CrossingContents(OfferID(2))

    private func program(_ number: Int) -> SeatOwner { .program(ForeignOfferID(number)) }
    private func offer(_ number: Int) -> CrossingHolder { .offer(ForeignOfferID(number)) }

    // MARK: One side

    @Test("On a display alone, the captured contents of a program that dies are owned again at the same count")
    func displayAlone() {
        var subject = Subject(display: .nobody, seat: nil)
        subject.handle(.displayChanged(.program(Self.window)))
        #expect(subject.effects == [.step(.window(Self.window), steps: 1)])
        subject.handle(.captured(Self.captured))
        #expect(subject.effects == [])
        subject.handle(.displayChanged(.nobody, DisplayChange(isDeath: true)))
        #expect(subject.effects == [.hold(.bridge(Self.captured)), .own(Self.captured)])
    }

    @Test("A program that is found with what the bridge has captured is no change")
    func foundProgram() {
        let hold = CrossingEffect.hold(.window(Self.window))
        let step = CrossingEffect.step(.window(Self.window), steps: 1)
        for (contents, effect) in [(OwnerContents.same, hold), (.other, step)] {
            var machine = CrossingMachine(holder: .bridge(Self.captured))
            #expect(machine.handle(.displayFound(.program(Self.window)), now: .now) == [.look])
            #expect(machine.handle(.looked(contents), now: .now) == [effect])
        }
    }

    @Test("An owner that is reported as found twice is no change")
    func foundTwice() {
        var subject = Subject(display: .program(Self.window), seat: nil)
        subject.handle(.displayFound(.program(Self.window)))
        #expect(subject.settle() == [])
        #expect(subject.machine.holder == .window(Self.window))
    }

    @Test("A Wayland program that is found with what the bridge has captured is no change, with or without a display")
    func foundOffer() {
        let first = ForeignOfferID(1)
        for contents in [OwnerContents.same, .other] {
            let effect: CrossingEffect =
                contents == .same ? .hold(.offer(first)) : .step(.offer(first), steps: 1)
            var machine = CrossingMachine(holder: .bridge(Self.captured))
            #expect(machine.handle(.seatFound(.program(first)), now: .now) == [.lookAtSeat(first)])
            #expect(machine.handle(.looked(contents), now: .now) == [effect])
            machine = CrossingMachine(holder: .bridge(Self.captured))
            #expect(machine.handle(.displayFound(.nobody), now: .now) == [.own(Self.captured)])
            #expect(machine.handle(.seatFound(.program(first)), now: .now) == [.ask])
            let answer = CrossingAnswer(isFocused: false)
            #expect(machine.handle(.answered(answer), now: .now) == [.lookAtSeat(first)])
            #expect(machine.handle(.looked(contents), now: .now) == [effect, .ask])
        }
    }

    @Test("A Wayland program that is found and followed by another one before the answer is not counted")
    func foundAndFollowed() {
        var machine = CrossingMachine(holder: .bridge(Self.captured))
        _ = machine.handle(.seatFound(program(1)), now: .now)
        #expect(machine.handle(.seatChanged(program(2)), now: .now) == [.step(offer(2), steps: 1)])
        #expect(machine.handle(.looked(.same), now: .now) == [])
    }

    @Test("The compositor's window that is found with several formats of what the bridge has captured is no change")
    func foundWindow() {
        for (contents, effect) in [
            (OwnerContents.same, CrossingEffect.hold(.compositor(Self.compositor))),
            (.other, .step(.compositor(Self.compositor), steps: 1)),
        ] {
            var machine = CrossingMachine(holder: .bridge(Self.captured))
            _ = machine.handle(.displayFound(.compositor(Self.compositor)), now: .now)
            #expect(machine.handle(.seatAbsent, now: .now) == [.look])
            #expect(machine.handle(.looked(contents), now: .now) == [effect])
        }
    }

    @Test("The contents that the bridge has stay if a program that was found dies before it is looked at")
    func foundAndDead() {
        var machine = CrossingMachine(holder: .bridge(Self.captured))
        _ = machine.handle(.displayFound(.program(Self.window)), now: .now)
        let death = CrossingEvent.displayChanged(.nobody, DisplayChange(isDeath: true))
        #expect(machine.handle(death, now: .now) == [.own(Self.captured)])
        #expect(machine.handle(.looked(.other), now: .now) == [])
    }

    private static let manager = WindowID(8)
    private static let refill = CrossingEvent.displayChanged(
        .program(manager), DisplayChange(followsDeath: true, mayBeRefill: true))

    @Test("A manager that puts back what a dead program had makes no change, and what was captured takes its place")
    func refill() {
        var subject = Subject(display: .nobody, seat: nil)
        subject.handle(.displayChanged(.program(Self.window)))
        subject.handle(.captured(Self.captured))
        subject.handle(Self.refill)
        #expect(subject.effects == [.lookForRefill] && !subject.machine.isDecided)
        subject.handle(.looked(.part))
        #expect(subject.effects == [.hold(.bridge(Self.captured)), .own(Self.captured)] && subject.machine.isDecided)
        // The bridge was faster than the manager.
        subject.handle(.displayChanged(.bridge(Self.captured)))
        subject.handle(Self.refill)
        subject.handle(.looked(.part))
        #expect(subject.effects == [.own(Self.captured)])
    }

    @Test("A manager that puts back all that a dead program had keeps the selection")
    func wholeRefill() {
        for isTakenOver in [false, true] {
            var subject = Subject(display: .nobody, seat: nil)
            subject.handle(.displayChanged(.program(Self.window)))
            subject.handle(.captured(Self.captured))
            if isTakenOver {
                subject.handle(.displayChanged(.nobody, DisplayChange(isDeath: true)))
                subject.handle(.displayChanged(.bridge(Self.captured)))
            }
            subject.handle(Self.refill)
            subject.handle(.looked(.same))
            #expect(subject.effects == [.hold(.window(Self.manager))])
        }
    }

    @Test("A program that copies right after another one's death is a change, also if a third one follows")
    func copyAfterDeath() {
        let step = CrossingEffect.step(.window(Self.manager), steps: 1)
        for isFollowed in [false, true] {
            var subject = Subject(display: .nobody, seat: nil)
            subject.handle(.displayChanged(.program(Self.window)))
            subject.handle(.captured(Self.captured))
            subject.handle(Self.refill)
            if isFollowed {
                subject.handle(.displayChanged(.program(Self.window)))
                #expect(subject.effects == [step, .step(.window(Self.window), steps: 1)])
            }
            subject.handle(.looked(.other))
            #expect(subject.effects == (isFollowed ? [] : [step]))
        }
    }

    @Test("Without captured contents, what a manager puts back is a change")
    func refillOfNothing() {
        var subject = Subject(display: .nobody, seat: nil)
        subject.handle(.displayChanged(.program(Self.window)))
        subject.handle(Self.refill)
        #expect(subject.effects == [.step(.window(Self.manager), steps: 1)])
    }

    @Test("A manager of the seat that puts back what a program had makes no change")
    func seatRefill() {
        for isEndKnown in [true, false] {
            var subject = Subject(display: nil, seat: .nobody)
            subject.handle(.seatChanged(program(1)))
            subject.handle(.captured(Self.captured))
            if isEndKnown { subject.handle(.seatChanged(.nobody)) }
            subject.handle(.seatRefilled(ForeignOfferID(2)))
            let hold = isEndKnown ? [] : [CrossingEffect.hold(.bridge(Self.captured))]
            #expect(subject.effects == hold + [.offer(Self.captured)])
        }
        var subject = Subject(display: nil, seat: .nobody)
        subject.handle(.seatRefilled(ForeignOfferID(2)))
        #expect(subject.effects == [.step(offer(2), steps: 1)])
    }

    @Test("On a display alone, a release empties the pasteboard, and so does the death of a program without a capture")
    func displayReleased() {
        for isDeath in [false, true] {
            var subject = Subject(display: .nobody, seat: nil)
            subject.handle(.displayChanged(.program(Self.window)))
            if !isDeath { subject.handle(.captured(Self.captured)) }
            subject.handle(.displayChanged(.nobody, DisplayChange(isDeath: isDeath)))
            #expect(subject.effects == [.step(.nobody, steps: 1)])
        }
    }

    @Test("A release right after a program had its contents saved is no change, and the selection is owned again")
    func releasedAfterSave() {
        for seat in [nil, SeatOwner.nobody] {
            var subject = Subject(display: .nobody, seat: seat)
            subject.handle(.writing(Self.captured))
            subject.handle(.displayChanged(.bridge(Self.captured)))
            subject.settle()
            subject.handle(.displayChanged(.nobody, DisplayChange(followsSave: true)))
            #expect(subject.settle() == [.own(Self.captured)])
            #expect(subject.machine.holder == .bridge(Self.captured))
        }
    }

    @Test("On a seat alone, each copy is a change, and captured contents outlive their program")
    func seatAlone() {
        var subject = Subject(display: nil, seat: .nobody)
        for number in 1...3 {
            subject.handle(.seatChanged(program(number)))
            #expect(subject.effects == [.step(offer(number), steps: 1)])
        }
        subject.handle(.captured(Self.captured))
        subject.handle(.seatChanged(.nobody))
        #expect(subject.effects == [.hold(.bridge(Self.captured)), .offer(Self.captured)])
    }

    // MARK: The compositor's window without a seat

    @Test("Without a seat, the compositor's window stands for a Wayland program")
    func window() {
        var subject = Subject(display: .nobody, seat: nil)
        subject.handle(.seatAbsent)
        subject.compositorOwns(at: 1_000)
        #expect(subject.effects == [.step(.compositor(Self.compositor), steps: 1)])
        // The second ownership for a copy is no change.
        subject.compositorOwns(at: 1_000)
        #expect(subject.effects == [.hold(.compositor(Self.compositor))])
    }

    @Test("Without a seat, what the compositor keeps of a program that died gives way to the captured contents")
    func rescue() {
        var subject = Subject(display: .nobody, seat: nil)
        subject.handle(.seatAbsent)
        subject.handle(.displayChanged(.program(Self.window)))
        subject.handle(.captured(Self.captured))
        subject.handle(.displayChanged(.compositor(Self.compositor), DisplayChange(followsDeath: true)))
        #expect(subject.effects == [.hold(.bridge(Self.captured)), .look])
        subject.handle(.looked(.part))
        #expect(subject.effects == [.own(Self.captured)])
    }

    @Test("Without a seat, the compositor's window after a reported death has what it kept, or a copy that came first")
    func rescueAfterReport() {
        for (found, effects) in [
            (OwnerContents.part, [CrossingEffect.own(Self.captured)]),
            (.other, [.step(.compositor(Self.compositor), steps: 1)]),
        ] {
            var subject = Subject(display: .program(Self.window), seat: nil)
            subject.handle(.seatAbsent)
            subject.handle(.captured(Self.captured))
            subject.handle(.displayChanged(.nobody, DisplayChange(isDeath: true)))
            #expect(subject.effects == [.hold(.bridge(Self.captured)), .own(Self.captured)])
            subject.compositorOwns(at: 1_000, found)
            #expect(subject.effects == effects)
        }
    }

    @Test("Without a seat, the compositor is made to forget a secret whose program has died", arguments: [false, true])
    func forgotten(afterReport: Bool) {
        var subject = Subject(display: .program(Self.window), seat: nil)
        subject.handle(.seatAbsent)
        if afterReport {
            subject.handle(.displayChanged(.nobody, DisplayChange(isDeath: true, former: .secret)))
            #expect(subject.effects == [.step(.nobody, steps: 1)])
        }
        let change = DisplayChange(followsDeath: !afterReport, former: afterReport ? .open : .secret)
        subject.handle(.displayChanged(.compositor(Self.compositor), change))
        let steps: [CrossingEffect] = afterReport ? [] : [.step(.nobody, steps: 1)]
        #expect(subject.effects.filter(\.isWork) == steps + [.forget])
        subject.handle(.displayChanged(.bridge(Self.contents)))
        #expect(subject.effects == [])
        subject.pass(.seconds(1))
        #expect(subject.effects == [.release])
        subject.handle(.displayChanged(.nobody))
        #expect(subject.effects == [])
    }

    @Test(
        "Without a seat, a copy some time after the death of a secret's program is a copy, and may be the secret",
        arguments: [(1, true), (9, true), (11, false)])
    func afterSecret(seconds: Int, mayBeSecret: Bool) {
        var subject = Subject(display: .program(Self.window), seat: nil)
        subject.handle(.seatAbsent)
        subject.handle(.displayChanged(.nobody, DisplayChange(isDeath: true, former: .secret)))
        subject.pass(.seconds(seconds))
        subject.compositorOwns(at: 1_000)
        #expect(subject.effects == [.step(.compositor(Self.compositor), steps: 1)])
        #expect(subject.machine.followsSecret == mayBeSecret)
    }

    @Test("Without a seat, an empty text is no change: the screen is locked")
    func locked() {
        var subject = Subject(display: .bridge(Self.contents), seat: nil)
        subject.handle(.seatAbsent)
        subject.handle(.writing(Self.contents))
        subject.handle(.displayChanged(.bridge(Self.contents)))
        subject.compositorOwns(at: 1_000, .blank)
        #expect(subject.effects == [] && subject.machine.holder == .bridge(Self.contents))
        subject.compositorOwns(at: 2_000)
        subject.handle(.captured(Self.captured))
        subject.compositorOwns(at: 3_000, .blank)
        #expect(subject.effects == [.hold(.bridge(Self.captured))])
        // Contents that were not captured are lost.
        subject.compositorOwns(at: 4_000)
        subject.compositorOwns(at: 5_000, .blank)
        #expect(subject.effects == [.step(.nobody, steps: 1)])
    }

    @Test("Without a seat, a part of the captured contents is what the compositor keeps of a program that ended")
    func kept() {
        let later = DisplayChange(acquired: ServerTime(2_000))
        let isPart: [CrossingEffect] = [.hold(.bridge(Self.captured)), .own(Self.captured)]
        let isCopy: [CrossingEffect] = [.step(.compositor(Self.compositor), steps: 1)]
        for (event, effects) in [
            (CrossingEvent.looked(.part), isPart), (.looked(.other), isCopy),
            // The second half of a pair.
            (.displayChanged(.compositor(Self.compositor), later), isCopy + [.hold(.compositor(Self.compositor))]),
            (.displayChanged(.program(Self.window)), isCopy + [.step(.window(Self.window), steps: 1)]),
        ] {
            var subject = Subject(display: .nobody, seat: nil)
            subject.handle(.seatAbsent)
            subject.compositorOwns(at: 1_000)
            subject.handle(.captured(Self.captured))
            subject.handle(.displayChanged(.compositor(Self.compositor), later))
            #expect(subject.effects == [.look] && !subject.machine.isDecided)
            subject.handle(event)
            #expect(subject.effects == effects && subject.machine.isDecided)
        }
    }

    @Test("A seat that is lost leaves its programs to the compositor's window, and a seat that is found has them again")
    func seatComesAndGoes() {
        var subject = Subject(display: .compositor(Self.compositor), seat: .nobody, isFocused: true)
        #expect(subject.machine.holder == .nobody)
        subject.handle(.seatLost)
        // The compositor's end takes the display away as well.
        #expect(subject.machine.holder == .nobody)
        subject.handle(.seatAbsent)
        #expect(subject.machine.holder == .compositor(Self.compositor))
        subject.handle(.seatFound(program(1)))
        #expect(subject.settle(isFocused: true).contains(.step(offer(1), steps: 1)))
    }

    @Test("Until it is known that there is no seat, the compositor's window has no meaning")
    func seatUnknown() {
        var subject = Subject(display: .compositor(Self.compositor), seat: nil)
        #expect(subject.machine.holder == .nobody)
        subject.handle(.seatAbsent)
        #expect(subject.effects == [.hold(.compositor(Self.compositor))])
        // A failed attempt to connect ends here again.
        subject.handle(.seatAbsent)
        #expect(subject.effects == [])
        subject.handle(.compositorEmptied)
        #expect(subject.effects == [.hold(.nobody)])
    }

    // MARK: Claims of clients

    @Test("A claim that succeeds after its call has given up is undone", arguments: [false, true])
    func lateClaim(afterProgram: Bool) {
        let written = CrossingContents(OfferID(3))
        var subject = Subject(display: .bridge(Self.contents), seat: nil)
        subject.handle(.writing(Self.contents))
        subject.handle(.displayChanged(.bridge(Self.contents)))
        if afterProgram { subject.handle(.displayChanged(.program(Self.window))) }
        subject.handle(.writing(written))
        subject.handle(.gaveUp(written))
        subject.handle(.displayChanged(.bridge(written)))
        let undone: [CrossingEffect] = afterProgram ? [.step(.nobody, steps: 1), .release] : [.own(Self.contents)]
        #expect(subject.effects == undone)
    }

    @Test("Captured contents that the bridge owns for their program are the same contents")
    func takenOver() {
        var subject = Subject(display: .program(Self.window), seat: nil)
        subject.handle(.captured(Self.captured))
        subject.handle(.displayChanged(.bridge(Self.captured)))
        #expect(subject.effects == [.hold(.bridge(Self.captured))])
    }

    @Test("A failed attempt is not repeated until something changes")
    func inVain() {
        var subject = Subject(display: .nobody, seat: .nobody)
        subject.handle(.seatChanged(program(1)))
        subject.settle()
        subject.handle(.captured(Self.captured))
        subject.handle(.answered(CrossingAnswer(isFocused: false)))
        #expect(subject.effects == [.own(Self.captured), .ask])
        for _ in 0..<3 {
            subject.handle(.answered(CrossingAnswer(isFocused: false)))
            #expect(subject.effects == [])
            subject.handle(.due)
            #expect(subject.effects == [.ask])
        }
    }

    // MARK: Wayland programs

    @Test("A secret that was owned on X11 before there was a seat is moved to the seat")
    func secretBeforeSeat() {
        let secret = CrossingContents(OfferID(4), isConcealed: true)
        var subject = Subject(display: .nobody, seat: nil)
        subject.handle(.writing(secret))
        subject.handle(.displayChanged(.bridge(secret)))
        subject.handle(.seatFound(.nobody))
        #expect(subject.settle() == [.release, .offer(secret)])
        #expect(subject.machine.holder == .bridge(secret))
    }

    @Test("The copy that the compositor has made of an X11 selection before the seat is found is no change")
    func foundCopy() {
        var subject = Subject(display: .program(Self.window), seat: nil)
        subject.handle(.seatFound(program(1)))
        #expect(subject.settle(isFocused: true, alike: [1]) == [])
        #expect(subject.machine.holder == .window(Self.window))
    }

    @Test("A Wayland program's copy is one change, and is owned on X11 once it is captured")
    func copied() {
        var subject = Subject(display: .nobody, seat: .nobody)
        subject.handle(.seatChanged(program(1)))
        #expect(subject.settle() == [.step(offer(1), steps: 1)])
        subject.handle(.captured(Self.captured))
        #expect(subject.settle() == [.own(Self.captured)])
    }

    @Test("Fifty copies of Wayland programs during a question are fifty changes")
    func quickCopies() {
        var subject = Subject(display: .nobody, seat: .nobody)
        for number in 1...50 {
            subject.handle(.seatChanged(program(number)))
        }
        #expect(subject.settle() == [.step(offer(50), steps: 50)])
    }

    @Test("With an X11 focus the compositor serves X11 programs, and its ownership is no change")
    func focused() {
        var subject = Subject(display: .nobody, seat: .nobody, isFocused: true)
        subject.handle(.seatChanged(program(1)))
        subject.settle(isFocused: true)
        subject.handle(.captured(Self.captured))
        subject.settle(isFocused: true)
        subject.handle(.displayChanged(.compositor(Self.compositor)))
        #expect(subject.settle(isFocused: true) == [])
        #expect(subject.machine.holder == offer(1))
    }

    @Test("The copy of a claim for what a Wayland program has takes its place at the same count")
    func replacedByCopy() {
        var subject = Subject(display: .nobody, seat: .nobody)
        subject.handle(.seatChanged(program(1)))
        subject.settle()
        subject.handle(.captured(Self.captured))
        subject.settle()
        subject.handle(.seatChanged(.copy(Self.captured)))
        #expect(subject.settle() == [.hold(.bridge(Self.captured))])
    }

    @Test("A Wayland program that clears what the bridge offers empties the pasteboard")
    func cleared() {
        var subject = Subject(display: .nobody, seat: .nobody)
        subject.handle(.writing(Self.contents))
        subject.handle(.displayChanged(.bridge(Self.contents)))
        #expect(subject.settle() == [.step(.bridge(Self.contents), steps: 1), .offer(Self.contents)])
        subject.handle(.seatChanged(.nobody))
        #expect(subject.settle() == [.step(.nobody, steps: 1), .release])
    }

    // MARK: X11 programs

    @Test("The compositor's copy of an X11 program's selection is no change")
    func programCopy() {
        var subject = Subject(display: .nobody, seat: .nobody, isFocused: true)
        subject.handle(.displayChanged(.program(Self.window)))
        subject.settle(isFocused: true)
        subject.handle(.seatChanged(program(1)))
        #expect(subject.settle(isFocused: true, alike: [1]) == [])
        // The next one is a Wayland program's, although it has the same types.
        subject.handle(.seatChanged(program(2)))
        #expect(subject.settle(isFocused: true, alike: [1, 2]) == [.step(offer(2), steps: 1)])
    }

    @Test("A selection of other types, or long after the claim without a focus, is a Wayland program's")
    func noProgramCopy() {
        for isLate in [false, true] {
            var subject = Subject(display: .nobody, seat: .nobody)
            subject.handle(.displayChanged(.program(Self.window)))
            subject.settle()
            if isLate { subject.pass(.seconds(3)) }
            subject.settle()
            subject.handle(.seatChanged(program(1)))
            #expect(subject.settle(alike: isLate ? [1] : []) == [.step(offer(1), steps: 1)])
        }
    }

    @Test("A copy for which the compositor owns the X11 selection was a Wayland program's")
    func copiedProgram() {
        var subject = Subject(display: .nobody, seat: .nobody, isFocused: true)
        subject.handle(.displayChanged(.program(Self.window)))
        subject.settle(isFocused: true)
        subject.handle(.seatChanged(program(1)))
        #expect(subject.settle(isFocused: true, alike: [1]) == [])
        subject.handle(.displayChanged(.compositor(Self.compositor)))
        #expect(subject.settle(isFocused: true) == [.step(offer(1), steps: 1)])
    }

    @Test("If the compositor has copied both sides for each other, the seat is cleared, and both copies are counted")
    func copyOfNothing() {
        var subject = Subject(display: .nobody, seat: .nobody, isFocused: true)
        subject.handle(.displayChanged(.program(Self.window)))
        subject.handle(.seatChanged(program(1)))
        subject.handle(.displayChanged(.compositor(Self.compositor)))
        // The program had answered the compositor before it lost the selection.
        subject.handle(.seatChanged(program(2)))
        #expect(
            subject.settle(isFocused: true, isCopyOfNothing: true)
                == [.count(1), .step(.nobody, steps: 1), .clearSeat])
    }

    @Test("A copy of nothing that came after a Wayland program's copy leaves what was captured of that")
    func copyOfNothingAfterCapture() {
        var subject = Subject(display: .nobody, seat: .nobody, isFocused: true)
        subject.handle(.displayChanged(.program(Self.window)))
        subject.handle(.seatChanged(program(1)))
        subject.handle(.displayChanged(.compositor(Self.compositor)))
        subject.settle(isFocused: true)
        #expect(subject.machine.holder == offer(1))
        subject.handle(.captured(Self.captured))
        subject.settle(isFocused: true)
        subject.handle(.seatChanged(program(2)))
        let effects = subject.settle(isFocused: true, isCopyOfNothing: true)
        #expect(effects == [.hold(.bridge(Self.captured)), .own(Self.captured)])
    }

    @Test("A copy of nothing is found when an X11 window gets the focus, if it was not before")
    func copyOfNothingWithoutFocus() {
        var subject = Subject(display: .nobody, seat: .nobody)
        subject.handle(.displayChanged(.program(Self.window)))
        subject.handle(.displayChanged(.compositor(Self.compositor)))
        subject.handle(.seatChanged(program(1)))
        #expect(subject.settle() == [.step(offer(1), steps: 1)])
        subject.handle(.focusChanged)
        #expect(subject.settle(isFocused: true, isCopyOfNothing: true) == [.step(.nobody, steps: 1), .clearSeat])
    }

    @Test("The copy among two selections before a claim of the bridge is the one with its types, in doubt the last")
    func copyBeforeOwnClaim() {
        for (alike, isLast) in [([1], false), ([2], true), ([1, 2], true)] {
            var subject = Subject(display: .nobody, seat: .nobody, isFocused: true)
            subject.handle(.displayChanged(.program(Self.window)))
            subject.handle(.writing(Self.contents))
            subject.handle(.displayChanged(.bridge(Self.contents)))
            subject.handle(.seatChanged(program(1)))
            subject.handle(.seatChanged(program(2)))
            subject.settle(isFocused: true, alike: alike)
            #expect(subject.machine.holder == (isLast ? .bridge(Self.contents) : offer(2)), "\(alike)")
        }
    }

    @Test("A selection after the copy of the last of three quick claims is a change")
    func afterQuickClaims() {
        var subject = Subject(display: .nobody, seat: .nobody, isFocused: true)
        for _ in 1...3 { subject.handle(.displayChanged(.program(Self.window))) }
        subject.handle(.seatChanged(program(1)))
        #expect(subject.settle(isFocused: true, alike: [1]) == [])
        subject.handle(.seatChanged(program(2)))
        #expect(subject.settle(isFocused: true) == [.step(offer(2), steps: 1)])
    }

    @Test("Captured contents of an X11 program are offered on the seat, if the compositor does not copy them")
    func offeredLate() {
        var subject = Subject(display: .nobody, seat: .nobody, isFocused: true)
        subject.handle(.displayChanged(.program(Self.window)))
        subject.settle(isFocused: true)
        subject.handle(.captured(Self.captured))
        #expect(subject.settle(isFocused: true) == [])
        #expect(subject.effects == [.wake(at: subject.now + .milliseconds(500))])
        subject.pass(.milliseconds(500))
        #expect(subject.settle(isFocused: true) == [.offer(Self.captured)])
    }

    // MARK: The bridge's contents

    @Test("A secret is offered on the seat, and not owned on X11", arguments: [true, false])
    func secret(isFocused: Bool) {
        let secret = CrossingContents(OfferID(3), isConcealed: true)
        var subject = Subject(display: .nobody, seat: .nobody, isFocused: isFocused)
        subject.handle(.wrote(secret))
        #expect(
            subject.settle(isFocused: isFocused) == [.step(.bridge(secret), steps: 1), .offer(secret)])
    }

    @Test("A compositor that copies without a focus is recognized, and gets no contents that are not captured")
    func copiesAlways() {
        var subject = Subject(display: .nobody, seat: .nobody)
        subject.handle(.writing(Self.contents))
        subject.handle(.displayChanged(.bridge(Self.contents)))
        subject.handle(.seatChanged(.copy(Self.contents)))
        subject.settle()
        subject.handle(.seatChanged(program(1)))
        let effects = subject.settle()
        #expect(!effects.contains(.cross(ForeignOfferID(1))))
        subject.handle(.captured(Self.captured))
        #expect(subject.settle().contains(.own(Self.captured)))
    }

    @Test("A release of older contents that is reported after the copy of later ones is no change")
    func lateRelease() {
        let written = CrossingContents(OfferID(3))
        var subject = Subject(display: .nobody, seat: .nobody)
        subject.handle(.writing(Self.contents))
        subject.handle(.displayChanged(.bridge(Self.contents)))
        subject.settle()
        subject.handle(.seatChanged(program(1)))
        subject.handle(.answered(CrossingAnswer(isFocused: false)))
        subject.handle(.writing(written))
        subject.handle(.seatChanged(.copy(written)))
        #expect(subject.effects.filter(\.isWork) == [.step(.bridge(written), steps: 1)])
        subject.handle(.displayChanged(.nobody))
        subject.handle(.displayChanged(.bridge(written)))
        #expect(subject.settle() == [])
        #expect(subject.machine.holder == .bridge(written))
    }

    @Test("A bridge that starts again owns its contents at the same count, and not what the compositor has of them")
    func restarted() {
        var subject = Subject(display: nil, seat: nil)
        subject.machine = CrossingMachine(holder: .bridge(Self.contents))
        subject.handle(.displayFound(.nobody))
        subject.handle(.seatFound(.copy(nil)))
        #expect(subject.settle() == [.own(Self.contents), .offer(Self.contents)])
        #expect(subject.machine.holder == .bridge(Self.contents))
    }

    @Test("Without a seat, what the compositor has kept is no copy for a bridge that starts again")
    func restartedWithoutSeat() {
        for (found, effects) in [
            (OwnerContents.part, [CrossingEffect.own(Self.contents)]), (.blank, []),
            (.other, [.step(.compositor(Self.compositor), steps: 1)]),
        ] {
            var subject = Subject(display: nil, seat: nil)
            subject.machine = CrossingMachine(holder: .bridge(Self.contents))
            subject.handle(.displayFound(.compositor(Self.compositor)))
            subject.handle(.seatAbsent)
            #expect(subject.effects == [.look])
            subject.handle(.looked(found))
            #expect(subject.effects == effects)
        }
    }

    @Test("A bridge that starts brings nothing in line until it knows the seat")
    func seatExpected() {
        for (event, effects) in [
            (CrossingEvent.seatAbsent, [CrossingEffect.own(Self.contents)]),
            (.seatFound(program(1)), [.lookAtSeat(ForeignOfferID(1))]),
        ] {
            var subject = Subject(display: nil, seat: nil)
            subject.machine = CrossingMachine(holder: .bridge(Self.contents), isSeatExpected: true)
            subject.handle(.displayFound(.nobody))
            #expect(subject.effects == [])
            subject.handle(event)
            #expect(subject.settle() == effects)
        }
    }

    @Test("A selection that may be an X11 program's without its mark is known: found, right after a claim, or alike")
    func unmarked() {
        for (isFound, isLate, alike) in [(true, false, []), (false, false, []), (false, true, []), (false, true, [1])] {
            var subject = Subject(display: .program(Self.window), seat: isFound ? nil : .nobody)
            if isLate { subject.pass(.seconds(3)) }
            subject.settle()
            subject.handle(isFound ? .seatFound(program(1)) : .seatChanged(program(1)))
            #expect(subject.settle(alike: alike) == [.step(offer(1), steps: 1)])
            #expect(subject.machine.mayBeUnmarked == (!isLate || alike == [1]))
        }
    }

    @Test("The X11 selection is taken back 32 times in a second at most")
    func repairs() {
        var subject = Subject(display: .nobody, seat: .nobody, isFocused: true)
        subject.handle(.writing(Self.contents))
        subject.handle(.displayChanged(.bridge(Self.contents)))
        subject.handle(.seatChanged(.copy(Self.contents)))
        subject.settle(isFocused: true)
        var claims = 0
        for _ in 1...40 {
            subject.handle(.displayChanged(.compositor(Self.compositor)))
            claims += subject.settle(isFocused: true).count { $0 == .own(Self.contents) }
        }
        #expect(claims == 32)
    }
}

extension CrossingEffect {
    fileprivate var isWork: Bool {
        switch self {
        case .ask, .wake: false
        default: true
        }
    }
}
