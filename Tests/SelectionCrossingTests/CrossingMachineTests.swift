import DataControlProtocol
import SelectionCrossing
import SelectionProtocol
import Testing

/// Tests of the rules of ``CrossingMachine``, one by one. `CrossingWorld` tests the rules in any order.
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

        /// Answers queries until there are no more, and performs the machine's effects. Returns all effects since the
        /// last event, except queries and alarms.
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

        /// Gives the X11 selection to the compositor's window, with these contents.
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

    @Test("With only a display, the captured contents of a program that dies are claimed again at the same count")
    func displayAlone() {
        var subject = Subject(display: .nobody, seat: nil)
        subject.handle(.displayChanged(.program(Self.window)))
        #expect(subject.effects == [.step(.window(Self.window), steps: 1)])
        subject.handle(.captured(Self.captured))
        #expect(subject.effects == [])
        subject.handle(.displayChanged(.nobody, DisplayChange(isDeath: true)))
        #expect(subject.effects == [.hold(.bridge(Self.captured)), .own(Self.captured)])
    }

    @Test("Finding a program with the captured contents is not a change")
    func foundProgram() {
        let hold = CrossingEffect.hold(.window(Self.window))
        let step = CrossingEffect.step(.window(Self.window), steps: 1)
        for (contents, effect) in [(OwnerContents.same, hold), (.other, step)] {
            var machine = CrossingMachine(holder: .bridge(Self.captured))
            #expect(machine.handle(.displayFound(.program(Self.window)), now: .now) == [.look])
            #expect(machine.handle(.looked(contents), now: .now) == [effect])
        }
    }

    @Test("Finding the same owner twice is not a change")
    func foundTwice() {
        var subject = Subject(display: .program(Self.window), seat: nil)
        subject.handle(.displayFound(.program(Self.window)))
        #expect(subject.settle() == [])
        #expect(subject.machine.holder == .window(Self.window))
    }

    @Test("Finding a Wayland program with the captured contents is not a change, with or without a display")
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

    @Test("A Wayland program that is found, but followed by another program before the answer, is not counted")
    func foundAndFollowed() {
        var machine = CrossingMachine(holder: .bridge(Self.captured))
        _ = machine.handle(.seatFound(program(1)), now: .now)
        #expect(machine.handle(.seatChanged(program(2)), now: .now) == [.step(offer(2), steps: 1)])
        #expect(machine.handle(.looked(.same), now: .now) == [])
    }

    @Test("Finding the compositor's window with several formats of the captured contents is not a change")
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

    @Test("The bridge's contents stay if a program that was found dies before it is examined")
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

    @Test(
        "A manager that puts back a dead program's contents makes no change, and is replaced by the captured contents")
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

    @Test("A manager that puts back all of a dead program's contents keeps the selection")
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

    @Test("A program that copies right after another program's death is a change, even if a third program follows")
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

    @Test("Without captured contents, contents that a manager puts back are a change")
    func refillOfNothing() {
        var subject = Subject(display: .nobody, seat: nil)
        subject.handle(.displayChanged(.program(Self.window)))
        subject.handle(Self.refill)
        #expect(subject.effects == [.step(.window(Self.manager), steps: 1)])
    }

    @Test("A manager on the seat that puts back a program's contents makes no change")
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

    @Test("With only a display, a release empties the pasteboard, and so does an uncaptured program's death")
    func displayReleased() {
        for isDeath in [false, true] {
            var subject = Subject(display: .nobody, seat: nil)
            subject.handle(.displayChanged(.program(Self.window)))
            if !isDeath { subject.handle(.captured(Self.captured)) }
            subject.handle(.displayChanged(.nobody, DisplayChange(isDeath: isDeath)))
            #expect(subject.effects == [.step(.nobody, steps: 1)])
        }
    }

    @Test("A release right after a program saved its contents is not a change, and the selection is claimed again")
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

    @Test("With only a seat, each copy is a change, and captured contents outlive their program")
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
        // The second ownership for the same copy is not a change.
        subject.compositorOwns(at: 1_000)
        #expect(subject.effects == [.hold(.compositor(Self.compositor))])
    }

    @Test("Without a seat, the format that the compositor keeps from a dead program gives way to the captured contents")
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

    @Test("Without a seat, after a reported death, the compositor's window has its kept format or a new copy")
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
        "Without a seat, a copy some time after the death of a secret's program is a change, and may be the secret",
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

    @Test("Without a seat, the empty text of a locked screen is not a change")
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

    @Test(
        "Without a seat, a part of the captured contents is the format that the compositor keeps from an ended program")
    func kept() {
        let later = DisplayChange(acquired: ServerTime(2_000))
        let isPart: [CrossingEffect] = [.hold(.bridge(Self.captured)), .own(Self.captured)]
        let isCopy: [CrossingEffect] = [.step(.compositor(Self.compositor), steps: 1)]
        for (event, effects) in [
            (CrossingEvent.looked(.part), isPart), (.looked(.other), isCopy),
            // The second half of a pair follows.
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

    @Test("While the seat is lost, the compositor's window stands for its programs, until a seat is found again")
    func seatComesAndGoes() {
        var subject = Subject(display: .compositor(Self.compositor), seat: .nobody, isFocused: true)
        #expect(subject.machine.holder == .nobody)
        subject.handle(.seatLost)
        // The compositor's end takes the display away too.
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
        // A failed attempt to connect reports the absence again.
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

    @Test("Captured contents that the bridge claims for their program count as the same contents")
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

    @Test("The compositor's copy of an X11 selection from before the seat was found is not a change")
    func foundCopy() {
        var subject = Subject(display: .program(Self.window), seat: nil)
        subject.handle(.seatFound(program(1)))
        #expect(subject.settle(isFocused: true, alike: [1]) == [])
        #expect(subject.machine.holder == .window(Self.window))
    }

    @Test("A Wayland program's copy is one change, and is claimed on X11 once it is captured")
    func copied() {
        var subject = Subject(display: .nobody, seat: .nobody)
        subject.handle(.seatChanged(program(1)))
        #expect(subject.settle() == [.step(offer(1), steps: 1)])
        subject.handle(.captured(Self.captured))
        #expect(subject.settle() == [.own(Self.captured)])
    }

    @Test("Fifty copies by Wayland programs during a query are fifty changes")
    func quickCopies() {
        var subject = Subject(display: .nobody, seat: .nobody)
        for number in 1...50 {
            subject.handle(.seatChanged(program(number)))
        }
        #expect(subject.settle() == [.step(offer(50), steps: 50)])
    }

    @Test("While an X11 window has the focus, the compositor serves X11 programs, and its ownership is not a change")
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

    @Test("The compositor's copy of a claim for a Wayland program takes the program's place at the same count")
    func replacedByCopy() {
        var subject = Subject(display: .nobody, seat: .nobody)
        subject.handle(.seatChanged(program(1)))
        subject.settle()
        subject.handle(.captured(Self.captured))
        subject.settle()
        subject.handle(.seatChanged(.copy(Self.captured)))
        #expect(subject.settle() == [.hold(.bridge(Self.captured))])
    }

    @Test("A Wayland program that clears the bridge's offer empties the pasteboard")
    func cleared() {
        var subject = Subject(display: .nobody, seat: .nobody)
        subject.handle(.writing(Self.contents))
        subject.handle(.displayChanged(.bridge(Self.contents)))
        #expect(subject.settle() == [.step(.bridge(Self.contents), steps: 1), .offer(Self.contents)])
        subject.handle(.seatChanged(.nobody))
        #expect(subject.settle() == [.step(.nobody, steps: 1), .release])
    }

    // MARK: X11 programs

    @Test("The compositor's copy of an X11 program's selection is not a change")
    func programCopy() {
        var subject = Subject(display: .nobody, seat: .nobody, isFocused: true)
        subject.handle(.displayChanged(.program(Self.window)))
        subject.settle(isFocused: true)
        subject.handle(.seatChanged(program(1)))
        #expect(subject.settle(isFocused: true, alike: [1]) == [])
        // The next selection is a Wayland program's, although it has the same types.
        subject.handle(.seatChanged(program(2)))
        #expect(subject.settle(isFocused: true, alike: [1, 2]) == [.step(offer(2), steps: 1)])
    }

    @Test("A selection with other types, or long after a claim without the focus, is a Wayland program's copy")
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

    @Test("If the compositor owns the X11 selection for a copy, the copy was a Wayland program's")
    func copiedProgram() {
        var subject = Subject(display: .nobody, seat: .nobody, isFocused: true)
        subject.handle(.displayChanged(.program(Self.window)))
        subject.settle(isFocused: true)
        subject.handle(.seatChanged(program(1)))
        #expect(subject.settle(isFocused: true, alike: [1]) == [])
        subject.handle(.displayChanged(.compositor(Self.compositor)))
        #expect(subject.settle(isFocused: true) == [.step(offer(1), steps: 1)])
    }

    @Test("If the compositor has made each side a copy of the other, the seat is cleared, and both copies are counted")
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

    @Test("A copy of nothing after a Wayland program's copy leaves the captured contents of that copy")
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

    @Test("A copy of nothing that was not found earlier is found when an X11 window gets the focus")
    func copyOfNothingWithoutFocus() {
        var subject = Subject(display: .nobody, seat: .nobody)
        subject.handle(.displayChanged(.program(Self.window)))
        subject.handle(.displayChanged(.compositor(Self.compositor)))
        subject.handle(.seatChanged(program(1)))
        #expect(subject.settle() == [.step(offer(1), steps: 1)])
        subject.handle(.focusChanged)
        #expect(subject.settle(isFocused: true, isCopyOfNothing: true) == [.step(.nobody, steps: 1), .clearSeat])
    }

    @Test(
        "Of two selections before the bridge's claim, the one with equal types is the copy, or the last if both match")
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

    @Test(
        "A compositor that copies even while no X11 window has the focus is recognized and gets only captured contents")
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

    @Test("A release of older contents that is reported after the copy of later contents is not a change")
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

    @Test("A bridge that restarts claims its contents at the same count, not the compositor's copy of them")
    func restarted() {
        var subject = Subject(display: nil, seat: nil)
        subject.machine = CrossingMachine(holder: .bridge(Self.contents))
        subject.handle(.displayFound(.nobody))
        subject.handle(.seatFound(.copy(nil)))
        #expect(subject.settle() == [.own(Self.contents), .offer(Self.contents)])
        #expect(subject.machine.holder == .bridge(Self.contents))
    }

    @Test("Without a seat, the format that the compositor has kept is not a copy for a bridge that restarts")
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

    @Test("A bridge that starts claims nothing until it knows whether there is a seat")
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

    @Test("A selection may be an X11 program's without its mark if it is found, follows a claim, or has the same types")
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

    @Test("The X11 selection is taken back at most 32 times a second")
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
