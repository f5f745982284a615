package import SelectionCrossing
import SelectionProtocol
package import TestRandom

/// A session with Xwayland whose programs copy on both sides, with messages that take any time. In the end, the
/// programs on both sides paste the pasteboard's contents, which are the last copy, and each copy has been counted. No
/// secret is captured, even if the bridge is killed at any moment and another bridge starts.
package struct CrossingWorld: MachineWorld {
    package typealias Operation = CrossingOperation
    package typealias Effect = CrossingEffect

    package static let name = "crossing"

    let injection: FaultInjection<Operation, Effect>?
    private var hasBegun = false
    var session = SessionModel(CompositorHabits.all[0])
    var now = ContinuousClock.now
    /// The number of the last copy.
    private var copies = 0
    private var copiedOnDisplay: ContinuousClock.Instant?
    private var copiedOnSeat: ContinuousClock.Instant?
    /// True if an X11 program has copied right after another copy, so that the compositor may copy either or both.
    private var areClaimsQuick = false
    /// True if the last copies of both sides may have the same types.
    private var isAlike = false
    /// The time of the last change of the focus.
    private var focusTime: ContinuousClock.Instant?
    /// The bridge around the machine.
    var bridge = CrossingBridge()
    var reference = CrossingReference()
    var fault: String?

    package init(injection: FaultInjection<Operation, Effect>?) {
        self.injection = injection
        begin(0)
    }

    package var phase: Int {
        let holder =
            switch bridge.machine.holder {
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
            case .crossing: 4
            }
        let selection =
            switch session.selection {
            case .nobody: 0
            case .program: 1
            case .copy: 2
            case .bridge: 3
            }
        let state = ((holder * 5 + owner) * 4 + selection) * 2 + (session.isFocused ? 1 : 0)
        return state * 2 + (bridge.isRunning ? 1 : 0)
    }

    private mutating func begin(_ number: Int) {
        session = SessionModel(CompositorHabits.all[abs(number % CompositorHabits.all.count)])
        handle(.displayFound(.nobody))
        handle(.seatFound(.nobody))
    }

    // MARK: Random operations

    /// The messages that are late while a few copies are made.
    private enum LateMessages: CaseIterable {
        case none, displayEvents, seatEvents, compositorEvents, compositorRequests
    }

    private var late: LateMessages { LateMessages.allCases[copies / 4 % LateMessages.allCases.count] }

    private static let kinds = Array("ffxxxxewwwwweWmrrrcddddddddssssssssppppppppppCtSkRR")

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
        case "m": return .replace(isRefill: !generator.one(in: 3))
        case "r": return .write(isSecret: isSecret)
        case "c": return generator.one(in: 2) ? .clear : .settle
        case "d": return .deliver(isSeat: late == .seatEvents ? false : late == .displayEvents || generator.one(in: 2))
        case "s": return .serve(isCompositor: late != .compositorRequests && generator.one(in: 2))
        case "p": return .compose(isDisplay: late != .compositorEvents && generator.one(in: 2))
        case "C": return .capture
        case "k": return generator.one(in: 3) ? .kill : .start
        case "R": return .rest
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
        case .replace(let isRefill): try replace(isRefill: isRefill)
        case .write(let isSecret):
            startBoth()
            write(next(0, isSecret))
        case .clear: try clear()
        case .deliver(let isSeat): if isSeat { deliverSeat() } else { deliverDisplay() }
        case .serve(let isCompositor): if isCompositor { session.serveCompositor() } else { session.serveBridge() }
        case .compose(let isDisplay): if isDisplay { session.composeDisplay() } else { session.composeSeat() }
        case .capture: capture()
        case .pause(let milliseconds): pause(.milliseconds(max(milliseconds, 0)))
        case .kill: kill()
        case .start: start()
        case .rest: try rest()
        case .settle: try settle()
        }
        hasBegun = true
        if let fault = fault ?? session.fault { throw BrokenInvariant(fault) }
    }

    private init(injection: FaultInjection<Operation, Effect>?, compositor: Int) {
        self.injection = injection
        begin(compositor)
    }

    package mutating func finish() throws(BrokenInvariant) { try settle() }

    private mutating func next(_ types: Int, _ isSecret: Bool, isRefill: Bool = false) -> ModelContents {
        copies += 1
        return ModelContents(number: copies, types: types, isSecret: isSecret, isRefill: isRefill)
    }

    private mutating func focus(_ isFocused: Bool) {
        guard isFocused != session.isFocused else { return }
        // A copy is taken for the compositor's copy if the focus changes at that moment and the types may be the same.
        let isAmbiguous = isAlike || isFocused && areClaimsQuick && isRecent(copiedOnDisplay)
        guard !isAmbiguous || reference.isSettled else { return }
        session.focus(isFocused)
        focusTime = now
        reference.focusChanges += 1
        if bridge.isAttached { handle(.focusChanged) }
    }

    private mutating func copyOnDisplay(_ program: Int, _ types: Int, _ isSecret: Bool) {
        let contents = next(abs(types % 3) + (isFollowing(copiedOnSeat) ? 6 : 0), isSecret)
        let window = WindowID(UInt32(10 + abs(program % 3)))
        areClaimsQuick = !isResting || isRecent(copiedOnDisplay)
        copiedOnDisplay = now
        noteCopy(contents, .display)
        session.set(.program(window, contents))
    }

    private mutating func copyOnSeat(_ types: Int, _ isSecret: Bool) {
        let contents = next(isFollowing(copiedOnDisplay) ? abs(types % 3) + 3 : types, isSecret)
        copiedOnSeat = now
        noteCopy(contents, .seat)
        session.copyOnSeat(contents)
    }

    /// Returns true if a copy follows a copy on the other side so soon that both are taken for a single copy if they
    /// have the same types. A bridge that starts knows no times.
    private mutating func isFollowing(_ other: ContinuousClock.Instant?) -> Bool {
        guard bridge.isAttached else { return true }
        guard isRecent(other) else { return false }
        let isNeverCopied = bridge.machine.copiesAlways == false && !session.isFocused && !wasFocusedLately
        isAlike = isNeverCopied || session.isCopyOfOwner && isAlone
        return !isAlike
    }

    /// True if the compositor may still copy contents that were owned while an X11 window had the focus.
    private var wasFocusedLately: Bool { isRecent(focusTime) }

    private func isRecent(_ time: ContinuousClock.Instant?) -> Bool { time.map { now - $0 <= .seconds(3) } ?? false }

    /// True if nothing is under way that could cross a copy, or be taken for the copy.
    private var isAlone: Bool {
        isResting && !(areClaimsQuick && isRecent(copiedOnDisplay))
    }

    private var isResting: Bool { bridge.isAttached && session.isQuiet && bridge.machine.isSettled }

    private mutating func noteCopy(_ contents: ModelContents, _ side: CrossingReference.Side) {
        reference.copied(contents.number, side, isSecret: contents.isSecret, isAlone: isAlone)
        // A bridge that starts later finds only the last copy on each side.
        if !bridge.isAttached { reference.missed(finding: []) }
    }

    private mutating func endOnDisplay(isDeath: Bool) throws(BrokenInvariant) {
        guard case .program = session.owner else { return }
        guard bridge.isAttached else {
            session.set(.nobody, isDeath: isDeath)
            return reference.missed(finding: found.union([nil]))
        }
        if !reference.isSettled { try settle() }
        let isHeld = isHolder(ofDisplay: true)
        // In rare cases the compositor's copy is taken for a Wayland program's copy.
        guard case .program = session.owner, isHeld || !session.isCopy else { return }
        reference.ended(keeping: !isHeld || isDeath && bridge.machine.isCaptured)
        session.set(.nobody, isDeath: isDeath)
        try settle()
    }

    private mutating func endOnSeat() throws(BrokenInvariant) {
        guard bridge.isAttached else {
            if case .program = session.selection { session.changeSeat(.nobody) }
            return reference.missed(finding: found.union([nil]))
        }
        try settle()
        switch session.selection {
        case .program: reference.ended(keeping: bridge.machine.isCaptured || !isHolder(ofDisplay: false))
        // A program clears the bridge's offer. An X11 program keeps its contents.
        case .bridge: reference.ended(keeping: bridge.machine.isHeldByProgram)
        case .copy, .nobody: return
        }
        session.changeSeat(.nobody)
        try settle()
    }

    /// The window of a program that copies right after another program has ended.
    static let manager = WindowID(20)

    private mutating func replace(isRefill: Bool) throws(BrokenInvariant) {
        guard bridge.isAttached else { return }
        try settle()
        let isKept = isRefill && bridge.machine.isCaptured
        let contents = next(0, false, isRefill: isRefill)
        switch (bridge.machine.holder, session.owner, session.selection) {
        case (.window(let window), .program(let owner, _), _) where window == owner:
            if !isKept { reference.copied(contents.number, .display, isSecret: false, isAlone: true) }
            copiedOnDisplay = now
            session.follow(.program(Self.manager, contents))
        case (.offer(let offer), _, .program(let owner, _)) where offer == owner:
            reference.ended(keeping: bridge.machine.isCaptured)
            if !isKept { reference.copied(contents.number, .seat, isSecret: false, isAlone: true) }
            copiedOnSeat = now
            session.changeSeat(.nobody)
            session.copyOnSeat(contents)
        default: return
        }
        try settle()
    }

    private func isHolder(ofDisplay: Bool) -> Bool {
        switch bridge.machine.holder {
        case .window: ofDisplay
        case .offer: !ofDisplay
        case .nobody, .bridge, .compositor: false
        }
    }

    private mutating func write(_ model: ModelContents) {
        let contents = bridge.version(of: model)
        reference.copied(model.number, .bridge, isSecret: model.isSecret, isAlone: isAlone)
        if model.isSecret {
            releaseUnseen()
            bridge.isProgramOnDisplay = false
            handle(.wrote(contents))
        } else {
            handle(.writing(contents))
            session.set(.bridge(contents, model))
        }
    }

    /// Releases the X11 selection without a report to the machine.
    private mutating func releaseUnseen() {
        while !session.displayEvents.isEmpty { deliverDisplay() }
        guard session.owner != .nobody else { return }
        session.set(.nobody)
        guard case .owner(_, _, let serial)? = session.displayEvents.popLast() else { return }
        bridge.seenSerial = serial
        bridge.seenOnDisplay = nil
    }

    private mutating func clear() throws(BrokenInvariant) {
        try settle()
        guard bridge.machine.holder != .nobody else { return }
        reference.ended(keeping: false)
        if session.owner != .nobody { session.set(.nobody) }
        while !session.displayEvents.isEmpty { deliverDisplay() }
        if bridge.machine.holder != .nobody { handle(.cleared) }
        try settle()
    }

    private mutating func pause(_ duration: Duration) {
        // Neither the compositor nor the bridge takes this long.
        if duration > .milliseconds(100) {
            while !session.compositorEvents.isEmpty { session.composeDisplay() }
            while !session.displayEvents.isEmpty { deliverDisplay() }
            while !session.seatEvents.isEmpty { deliverSeat() }
        }
        now += duration
        guard bridge.wakes.contains(where: { $0 <= now }) else { return }
        bridge.wakes.removeAll { $0 <= now }
        handle(.due)
    }

    // MARK: Kills

    private mutating func startBoth() {
        start()
        start()
    }

    private mutating func kill() {
        guard bridge.isRunning else { return }
        let isSettled = reference.isSettled && session.isQuiet && isOwned
        bridge.kill()
        session.disconnect()
        if isSettled {
            reference.killed(leaving: bridge.stored?.model.number)
        } else {
            reference.missed(finding: found)
        }
    }

    /// True if no program has contents, and the pasteboard's contents are the bridge's.
    private var isOwned: Bool {
        guard case .bridge = bridge.machine.holder, !isOwnedByProgram else { return false }
        switch session.selection {
        case .program, .copy(_, of: .program): return false
        case .nobody, .bridge, .copy: return true
        }
    }

    /// The numbers of the contents that a bridge may find: the programs' contents, or else the stored contents.
    var found: Set<Int?> {
        let programs = Set([session.displayPaste, session.seatPaste].compactMap(\.self))
        guard programs.isEmpty else { return Set(programs.map(Optional.some)) }
        // KWin 5 leaves a copy on the seat that looks like a Wayland program's copy.
        return session.isCopyOfNothing ? [nil, bridge.stored?.model.number] : [bridge.stored?.model.number]
    }

    // MARK: The end

    /// Performs everything under way, and compares the result.
    private mutating func settle() throws(BrokenInvariant) {
        startBoth()
        for _ in 0..<4 {
            try quiet()
            pause(.milliseconds(1_100))
            try quiet()
            capture()
        }
        try quiet()
        if let fault = fault ?? session.fault { throw BrokenInvariant(fault) }
        // A compositor may have lost the contents of programs whose copies crossed each other.
        if !session.hasLost || reference.isSingle { try reference.compare(number, count: bridge.count) }
        if !(session.isCopyOfNothing && bridge.machine.isHeldByProgram) { try expectPastes() }
        try expectHolder()
        try expectNoCopyOfNothing()
        try expectHabit()
        try expectOwner()
        let isSplit = session.seatPaste != bridge.contents?.number
        reference.settled(number, seat: session.seatPaste, isSplit: isSplit, count: bridge.count)
        session.hasLost = false
    }

    private mutating func rest() throws(BrokenInvariant) {
        try quiet()
        guard reference.onlySide == .bridge, bridge.contents?.isSecret == true else { return }
        if case .bridge = session.selection { return }
        throw BrokenInvariant("a secret is offered on the seat at once")
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
}
