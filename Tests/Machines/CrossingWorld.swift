import DataControlProtocol
package import SelectionCrossing
import SelectionProtocol
package import TestRandom

/// A session with Xwayland whose programs copy on both sides, with messages that take any time. After all of it, the
/// programs of both sides paste what the pasteboard has, which is the last copy, and each copy has been counted.
package struct CrossingWorld: MachineWorld {
    package typealias Operation = CrossingOperation
    package typealias Effect = CrossingEffect

    package static let name = "crossing"

    private let injection: FaultInjection<Operation, Effect>?
    private var hasBegun = false
    private var machine = CrossingMachine()
    private var session = SessionModel(CompositorHabits.all[0])
    private var now = ContinuousClock.now
    private var wakes: [ContinuousClock.Instant] = []
    /// The last number of a copy, and of the bridge's contents.
    private var copies = 0
    private var versions = 0
    private var copiedOnDisplay: ContinuousClock.Instant?
    private var copiedOnSeat: ContinuousClock.Instant?

    // The bridge around the machine.
    /// The number of the X11 selection's changes that the bridge knows of.
    private var seenSerial = 0
    /// The contents of the X11 selection that the bridge knows of.
    private var seenOnDisplay: ModelContents?
    private var count = 0
    private var contents: ModelContents?
    /// The contents that the bridge knows, by their holders.
    private var known: [CrossingContents: ModelContents] = [:]
    private var offers: [ForeignOfferID: ModelContents] = [:]
    private var windows: [WindowID: ModelContents] = [:]

    // The reference.
    private var reference = CrossingReference()

    package init(injection: FaultInjection<Operation, Effect>?) {
        self.injection = injection
        begin(0)
    }

    package var phase: Int {
        let holder =
            switch machine.holder {
            case .nobody: 0
            case .bridge: 1
            case .window: 2
            case .offer: 3
            case .compositor: 4
            }
        let owner =
            switch session.owner {
            case .nobody: 0
            case .program: 1
            case .compositor: 2
            case .bridge: 3
            case .relay: 4
            }
        let selection =
            switch session.selection {
            case .nobody: 0
            case .program: 1
            case .copy: 2
            case .bridge: 3
            }
        return ((holder * 5 + owner) * 4 + selection) * 2 + (session.isFocused ? 1 : 0)
    }

    private mutating func begin(_ number: Int) {
        session = SessionModel(CompositorHabits.all[abs(number % CompositorHabits.all.count)])
        _ = machine.handle(.displayFound(.nobody), now: now)
        _ = machine.handle(.seatFound(.nobody), now: now)
        perform([.ask])
    }

    // MARK: Random operations

    private static let kinds = Array("ffxxxxewwwwweWrrrcddddddddssssssssppppppppppCtS")

    package func random(using generator: inout SeededGenerator) -> Operation {
        guard hasBegun else { return .begin(compositor: generator.number(0..<CompositorHabits.all.count)) }
        let isSecret = generator.one(in: 8)
        switch generator.pick(Self.kinds) {
        case "f": return .focus(generator.one(in: 2))
        case "x":
            return .copyOnDisplay(program: generator.number(0..<3), types: generator.number(0..<3), isSecret: isSecret)
        case "e": return .endOnDisplay(isDeath: !generator.one(in: 3))
        case "w":
            return .copyOnSeat(types: generator.number(0..<3) + (generator.one(in: 4) ? 0 : 3), isSecret: isSecret)
        case "W": return .endOnSeat
        case "r": return .write(isSecret: isSecret)
        case "c": return generator.one(in: 2) ? .clear : .settle
        case "d": return .deliver(isSeat: generator.one(in: 2))
        case "s": return .serve(isCompositor: generator.one(in: 2))
        case "p": return .compose(isDisplay: generator.one(in: 2))
        case "C": return .capture
        case "t": return .pause(milliseconds: generator.pick([1, 5, 100, 600, 2_000]))
        default: return .settle
        }
    }

    // MARK: Steps

    package mutating func step(_ operation: Operation) throws(BrokenInvariant) {
        switch operation {
        case .begin(let number): if !hasBegun { self = CrossingWorld(injection: injection, compositor: number) }
        case .focus(let isFocused): focus(isFocused)
        case .copyOnDisplay(let program, let types, let isSecret): copyOnDisplay(program, types, isSecret)
        case .endOnDisplay(let isDeath): try endOnDisplay(isDeath: isDeath)
        case .copyOnSeat(let types, let isSecret): copyOnSeat(types, isSecret)
        case .endOnSeat: try endOnSeat()
        case .write(let isSecret): write(isSecret)
        case .clear: try clear()
        case .deliver(let isSeat): if isSeat { deliverSeat() } else { deliverDisplay() }
        case .serve(let isCompositor): if isCompositor { session.serveCompositor() } else { session.serveBridge() }
        case .compose(let isDisplay): if isDisplay { session.composeDisplay() } else { session.composeSeat() }
        case .capture: capture()
        case .pause(let milliseconds): pause(.milliseconds(max(milliseconds, 0)))
        case .settle: try settle()
        }
        hasBegun = true
        if let fault = session.fault { throw BrokenInvariant(fault) }
    }

    private init(injection: FaultInjection<Operation, Effect>?, compositor: Int) {
        self.injection = injection
        begin(compositor)
    }

    package mutating func finish() throws(BrokenInvariant) { try settle() }

    private mutating func next(_ types: Int, _ isSecret: Bool) -> ModelContents {
        copies += 1
        return ModelContents(number: copies, types: types, isSecret: isSecret)
    }

    private mutating func focus(_ isFocused: Bool) {
        guard isFocused != session.isFocused else { return }
        session.focus(isFocused)
        reference.focusChanges += 1
        handle(.focusChanged)
    }

    private mutating func copyOnDisplay(_ program: Int, _ types: Int, _ isSecret: Bool) {
        // Right after one another, copies of both sides with the same types are taken for one.
        let isFollowing = copiedOnSeat.map { now - $0 <= .seconds(3) } ?? false
        let contents = next(abs(types % 3) + (isFollowing ? 6 : 0), isSecret)
        let window = WindowID(UInt32(10 + abs(program % 3)))
        copiedOnDisplay = now
        reference.copied(contents.number, .display)
        session.set(.program(window, contents))
    }

    private mutating func copyOnSeat(_ types: Int, _ isSecret: Bool) {
        let isFollowing = copiedOnDisplay.map { now - $0 <= .seconds(3) } ?? false
        let contents = next(isFollowing ? abs(types % 3) + 3 : types, isSecret)
        copiedOnSeat = now
        reference.copied(contents.number, .seat)
        session.copyOnSeat(contents)
    }

    private mutating func endOnDisplay(isDeath: Bool) throws(BrokenInvariant) {
        guard case .program = session.owner else { return }
        if reference.copies != 0 { try settle() }
        let isHeld = isHolder(ofDisplay: true)
        // In rare cases the compositor's copy is taken for a Wayland program's.
        guard case .program = session.owner, isHeld || !session.isCopy else { return }
        reference.ended(keeping: !isHeld || isDeath && machine.isCaptured)
        session.set(.nobody, isDeath: isDeath)
        try settle()
    }

    private mutating func endOnSeat() throws(BrokenInvariant) {
        try settle()
        switch session.selection {
        case .program: reference.ended(keeping: machine.isCaptured || !isHolder(ofDisplay: false))
        // A program clears what the bridge offers. An X11 program keeps its contents.
        case .bridge: reference.ended(keeping: machine.isHeldByProgram)
        case .copy, .nobody: return
        }
        session.changeSeat(.nobody)
        try settle()
    }

    private func isHolder(ofDisplay: Bool) -> Bool {
        switch machine.holder {
        case .window: ofDisplay
        case .offer: !ofDisplay
        case .nobody, .bridge, .compositor: false
        }
    }

    private mutating func write(_ isSecret: Bool) {
        let model = next(0, isSecret)
        versions += 1
        let contents = CrossingContents(OfferID(versions), isConcealed: isSecret)
        known[contents] = model
        reference.copied(model.number, .bridge)
        if isSecret {
            releaseUnseen()
            handle(.wrote(contents))
        } else {
            handle(.writing(contents))
            session.set(.bridge(contents, model))
        }
    }

    /// Releases the X11 selection, and awaits that.
    private mutating func releaseUnseen() {
        while !session.displayEvents.isEmpty { deliverDisplay() }
        guard session.owner != .nobody else { return }
        session.set(.nobody)
        guard case .owner(_, _, let serial)? = session.displayEvents.popLast() else { return }
        seenSerial = serial
    }

    private mutating func clear() throws(BrokenInvariant) {
        try settle()
        guard machine.holder != .nobody else { return }
        reference.ended(keeping: false)
        if session.owner != .nobody { session.set(.nobody) }
        while !session.displayEvents.isEmpty { deliverDisplay() }
        if machine.holder != .nobody { handle(.cleared) }
        try settle()
    }

    private mutating func pause(_ duration: Duration) {
        // Neither the compositor nor the bridge takes seconds.
        if duration > .milliseconds(100) {
            while !session.compositorEvents.isEmpty { session.composeDisplay() }
            while !session.displayEvents.isEmpty { deliverDisplay() }
            while !session.seatEvents.isEmpty { deliverSeat() }
        }
        now += duration
        guard wakes.contains(where: { $0 <= now }) else { return }
        wakes.removeAll { $0 <= now }
        handle(.due)
    }

    private mutating func capture() {
        let model: ModelContents? =
            switch (machine.holder, session.owner, session.selection) {
            case (.window(let window), .program(let owner, let model), _) where owner == window: model
            case (.offer(let offer), _, .program(let owner, let model)) where owner == offer: model
            default: nil
            }
        guard let model, !model.isSecret, !machine.isCaptured else { return }
        versions += 1
        let contents = CrossingContents(OfferID(versions), isWhole: !model.isLarge)
        known[contents] = model
        handle(.captured(contents))
    }

    // MARK: The bridge around the machine

    private mutating func handle(_ event: CrossingEvent) {
        var effects = machine.handle(event, now: now)
        injection?.effects(&effects)
        perform(effects)
    }

    private mutating func perform(_ effects: [CrossingEffect]) {
        for effect in effects {
            switch effect {
            case .step(let holder, let steps):
                count += steps
                contents = model(of: holder)
            case .count(let steps): count += steps
            case .hold(let holder): contents = model(of: holder)
            case .own(let contents):
                reference.works += 1
                guard let model = known[contents] else { continue }
                session.displayRequests.append(.claim(.bridge(contents, model), unlessAfter: seenSerial))
            case .relay(let offer):
                reference.works += 1
                session.displayRequests.append(.claim(.relay(offer), unlessAfter: seenSerial))
            case .release: session.displayRequests.append(.release(unlessAfter: seenSerial))
            case .offer(let contents):
                reference.works += 1
                guard let model = known[contents] else { continue }
                session.seatRequests.append(.offer(contents, model))
            case .clearSeat: session.seatRequests.append(.clear)
            // The seat is asked first, the display after its answer.
            case .ask: session.seatRequests.append(.question)
            case .look, .forget: break
            case .wake(let time): wakes.append(time)
            }
        }
    }

    private func model(of holder: CrossingHolder) -> ModelContents? {
        switch holder {
        case .nobody: nil
        case .bridge(let contents): known[contents]
        case .window(let window), .compositor(let window): windows[window]
        case .offer(let offer): offers[offer]
        }
    }

    private mutating func deliverDisplay() {
        guard !session.displayEvents.isEmpty else { return }
        switch session.displayEvents.removeFirst() {
        case .answer(let isFocused):
            let comparesContents = machine.isHabitUnknown && !isFocused
            let alike = offers.filter { offer in
                comparesContents ? offer.value == seenOnDisplay : offer.value.types == seenOnDisplay?.types
            }.keys
            handle(.answered(CrossingAnswer(isFocused: isFocused, alike: Set(alike))))
        case .owner(let owner, let isDeath, let serial):
            seenSerial = serial
            let change = DisplayChange(isDeath: isDeath)
            seenOnDisplay = nil
            switch owner {
            case .nobody: handle(.displayChanged(.nobody, change))
            case .program(let window, let model):
                windows[window] = model
                seenOnDisplay = model
                handle(.displayChanged(.program(window), change))
            case .compositor: handle(.displayChanged(.compositor(SessionModel.compositorWindow), change))
            case .bridge(let contents, let model):
                seenOnDisplay = model
                handle(.displayChanged(.bridge(contents), change))
            case .relay(let offer): handle(.displayChanged(.relay(offer), change))
            }
        }
    }

    private mutating func deliverSeat() {
        guard !session.seatEvents.isEmpty else { return }
        switch session.seatEvents.removeFirst() {
        case .answer: session.displayRequests.append(.question)
        case .owner(.nobody): handle(.seatChanged(.nobody))
        case .owner(.program(let offer, let model)):
            offers[offer] = model
            handle(.seatChanged(.program(offer)))
        case .owner(.bridge(let contents, _)): handle(.seatChanged(.bridge(contents)))
        case .owner(.copy(_, .bridge(let contents, _))): handle(.seatChanged(.copy(contents)))
        case .owner(.copy(_, .relay)): handle(.seatChanged(.copy(nil)))
        case .owner(.copy(let offer, .program(_, let model))):
            offers[offer] = model
            handle(.seatChanged(.program(offer)))
        case .owner(.copy): break
        }
    }

    // MARK: The end

    /// Performs everything under way, and compares the result.
    private mutating func settle() throws(BrokenInvariant) {
        for _ in 0..<4 {
            try quiet()
            pause(.milliseconds(1_100))
            try quiet()
            capture()
        }
        try quiet()
        if let fault = session.fault { throw BrokenInvariant(fault) }
        // A compositor may have lost the contents of programs, since their copies crossed each other.
        if !session.hasLost { try reference.compare(number, count: count) }
        if !(session.isCopyOfNothing && machine.isHeldByProgram) { try expectPastes() }
        try expectHolder()
        let isSplit = session.seatPaste != contents?.number
        reference.settled(number, seat: session.seatPaste, isSplit: isSplit, count: count)
        session.hasLost = false
    }

    private mutating func quiet() throws(BrokenInvariant) {
        for _ in 0..<2_000 {
            guard !session.isQuiet else { return }
            session.composeDisplay()
            session.serveCompositor()
            session.serveBridge()
            session.composeSeat()
            deliverDisplay()
            deliverSeat()
        }
        throw BrokenInvariant("the messages come to an end")
    }

    /// The number of the contents that the pasteboard has.
    private var number: Int? {
        // A copy of an X11 selection has what the present owner of that has.
        if case .offer = machine.holder, session.isCopy { return session.seatPaste }
        return contents?.number
    }

    private func expectHolder() throws(BrokenInvariant) {
        guard case .offer = machine.holder, case .copy(_, of: .bridge) = session.selection else { return }
        throw BrokenInvariant("a program whose place a copy of the bridge's contents has taken is no holder")
    }

    private func expectPastes() throws(BrokenInvariant) {
        let seat = session.seatPaste
        let display = session.displayPaste
        try expect(
            seat == number || isLeftToDisplay,
            "a Wayland program pastes what the pasteboard has: \(seat ?? 0) is not \(number ?? 0)")
        try expect(
            display == number || isLeftToSeat || isOlder,
            "an X11 program pastes what the pasteboard has: \(display ?? 0) is not \(number ?? 0)")
    }

    /// True for contents of an X11 program that are not captured, which it alone has.
    private var isLeftToDisplay: Bool {
        guard case .window = machine.holder else { return false }
        return contents?.isSecret == true && session.seatPaste != contents?.number
    }

    /// True if an X11 program still has older contents, which a secret on the seat or its end has not taken from it.
    private var isOlder: Bool { contents == nil && isOwnedByProgram }

    /// True for secrets on the seat, and for a Wayland program's contents that are captured in part: the compositor
    /// alone gives them to X11 programs, and only to one with the focus.
    private var isLeftToSeat: Bool {
        var isPart = false
        if case .offer = machine.holder { isPart = contents?.isLarge == true }
        return (isPart || contents?.isSecret == true)
            && (!session.isFocused || session.displayPaste == nil || isOwnedByProgram)
    }

    private var isOwnedByProgram: Bool {
        if case .program = session.owner { true } else { false }
    }
}
