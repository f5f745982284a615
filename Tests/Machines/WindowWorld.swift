package import SelectionCrossing
import SelectionProtocol
package import TestRandom

/// A session of mutter or Weston, which show the bridge no seat: their window on X11 stands for Wayland programs. In
/// the end, the pasteboard has the last copy with its captured formats, each copy has been counted, and no secret was
/// captured, even if the bridge is killed at any moment and another bridge starts.
package struct WindowWorld: MachineWorld {
    package typealias Operation = WindowOperation
    package typealias Effect = CrossingEffect

    package static let name = "crossing-window"

    let injection: FaultInjection<Operation, Effect>?
    private var hasBegun = false
    var session = WindowSession(.pairingMutter)
    var now = ContinuousClock.now
    /// The number of the last copy.
    private var copies = 0

    /// The bridge around the machine.
    var bridge = WindowBridge()
    var fault: String?

    // The expected state.
    /// The contents that the pasteboard may have, by number; nil for none.
    private var expected: Set<Int?> = [nil]
    private var counts = 0...0
    /// True if the bridge was killed since everything was settled.
    private var isRestarted = false
    /// True if everything was settled with public contents or no contents, and nothing has been copied since.
    private var isOpen = false
    /// True if only public contents have been copied since everything was settled in that way.
    private var isPlain = false
    /// The end of the time in which a single format may be the rest, kept by the compositor, of a dead X11 program's
    /// contents that were secret or not captured.
    private var rescueEnd: ContinuousClock.Instant?

    package init(injection: FaultInjection<Operation, Effect>?) {
        self.injection = injection
        begin(.pairingMutter)
    }

    private mutating func begin(_ compositor: WindowSession.Compositor) {
        session = WindowSession(compositor)
        handle(.displayFound(.nobody))
        handle(.seatAbsent)
    }

    package var phase: Int {
        let holder =
            switch bridge.machine.holder {
            case .nobody: 0
            case .bridge: 1
            case .window: 2
            case .offer, .compositor: 3
            }
        let owner =
            switch session.owner {
            case .nobody: 0
            case .program: 1
            case .compositor(nil): 2
            case .compositor(let contents?): contents.isKept ? 3 : 4
            case .bridge(_, let contents): contents == nil ? 5 : 6
            }
        return ((holder * 7 + owner) * 2 + (bridge.machine.isDecided ? 1 : 0)) * 2 + (bridge.isRunning ? 1 : 0)
    }

    // MARK: Random operations

    private static let kinds = Array("xxxxeewwwwwwWWrrddddddddsssssscccccCCCCCCSlkbf")

    package func random(using generator: inout SeededGenerator) -> Operation {
        guard hasBegun else {
            return .begin(compositor: generator.number(0..<WindowSession.Compositor.allCases.count))
        }
        let isSecret = generator.one(in: 6)
        switch generator.pick(Self.kinds) {
        case "x":
            return .copyOnDisplay(
                program: generator.number(0..<3), formats: generator.number(1..<4), isSecret: isSecret)
        case "e": return .endOnDisplay(isDeath: !generator.one(in: 3), isReported: generator.one(in: 2))
        case "w":
            return .copyOnSeat(
                program: generator.number(0..<2), formats: generator.number(1..<4), isSecret: isSecret)
        case "W": return .endOnSeat(isClear: generator.one(in: 3))
        case "r": return .write(isSecret: isSecret)
        case "l": return .lock
        case "f": return .focus(generator.one(in: 2))
        case "d": return .deliver
        case "s": return .serve
        case "c": return .compose
        case "C": return .capture
        case "k": return .kill
        case "b": return .start
        default: return .settle
        }
    }

    // MARK: Steps

    package mutating func step(_ operation: Operation) throws(BrokenInvariant) {
        if !isQuick(operation) { session.pass() }
        switch operation {
        case .begin(let number):
            let all = WindowSession.Compositor.allCases
            if !hasBegun { begin(all[abs(number % all.count)]) }
        case .focus(let isFocused): session.isFocused = isFocused
        case .copyOnDisplay(let program, let formats, let isSecret):
            session.set(.program(WindowID(UInt32(10 + abs(program % 3))), next(formats, isSecret)))
        case .endOnDisplay(let isDeath, let isReported):
            try endOnDisplay(isDeath: isDeath, isReported: isReported)
        case .copyOnSeat(let program, let formats, let isSecret): copyOnSeat(abs(program % 2), formats, isSecret)
        case .endOnSeat(let isClear): try endOnSeat(isClear: isClear)
        case .lock: try lock()
        case .write(let isSecret):
            startBoth()
            write(next(2, isSecret))
        case .deliver: deliver()
        case .serve: serve()
        case .compose: session.compose()
        case .capture: capture()
        case .kill: kill()
        case .start: start()
        case .settle: try settle()
        }
        hasBegun = true
        if let fault { throw BrokenInvariant(fault) }
    }

    /// Returns true for a copy at the same time as a copy on the other side.
    private func isQuick(_ operation: Operation) -> Bool {
        switch (operation, session.owner) {
        case (.copyOnDisplay, .compositor), (.copyOnSeat, .program): true
        default: false
        }
    }

    package mutating func finish() throws(BrokenInvariant) { try settle() }

    private mutating func next(_ formats: Int, _ isSecret: Bool) -> WindowSession.Contents {
        isPlain = isOpen && !isSecret
        isOpen = false
        copies += 1
        expected = [copies]
        // A bridge that starts later finds only the last copy. The bridge may count earlier contents of the compositor.
        let least = counts.lowerBound + (bridge.isAttached ? 1 : 0)
        let most = counts.upperBound + (bridge.isAttached ? 1 : 2) + (isRestarted ? 1 : 0)
        counts = least...max(most, least)
        return WindowSession.Contents(number: copies, formats: min(max(formats, 1), 3), isSecret: isSecret)
    }

    private mutating func lose(changes: ClosedRange<Int>, keeping number: Int?) {
        expected = [number]
        counts = counts.lowerBound + changes.lowerBound...counts.upperBound + changes.upperBound
    }

    private mutating func copyOnSeat(_ program: Int, _ formats: Int, _ isSecret: Bool) {
        if session.passesCopies {
            session.copy(next(formats, isSecret), by: program)
        } else {
            // The former program's contents are lost, unless they are captured.
            if case .compositor = session.owner { expected.insert(nil) }
            session.copy(WindowSession.Contents(number: 0, formats: 1, isSecret: isSecret), by: program)
        }
    }

    private mutating func endOnDisplay(isDeath: Bool, isReported: Bool) throws(BrokenInvariant) {
        guard case .program = session.owner else { return }
        if bridge.isRunning { startBoth() }
        guard bridge.isRunning else {
            session.set(.nobody, isDeath: isDeath)
            return noteUnseen()
        }
        try settle()
        guard case .program(_, let contents) = session.owner else { return }
        switch (isDeath, bridge.captured) {
        case (true, _?): break
        // The bridge has seen the mark, and makes mutter forget the contents that it has kept.
        case (true, nil) where contents.isMarked && bridge.isListed: lose(changes: 1...1, keeping: nil)
        // The death may be reported before mutter owns its kept contents.
        case (true, nil): lose(changes: 1...2, keeping: contents.number)
        case (false, _): lose(changes: 1...1, keeping: nil)
        }
        if isDeath, bridge.captured == nil { rescueEnd = now + .seconds(12) }
        session.set(.nobody, isDeath: isDeath)
        if isReported { deliver() }
        try settle()
    }

    private mutating func endOnSeat(isClear: Bool) throws(BrokenInvariant) {
        guard session.hasCopier else { return }
        let isSeen = isClear && session.passesCopies
        if bridge.isRunning { startBoth() }
        guard bridge.isRunning else {
            if isSeen { session.clear() } else { session.endCopier() }
            return noteUnseen()
        }
        try settle()
        guard session.hasCopier, case .compositor(let contents?) = session.owner else { return }
        if isSeen {
            lose(changes: 1...1, keeping: nil)
            session.clear()
        } else {
            let isKept = bridge.captured != nil && contents.formats > 1 || session.kept == nil
            lose(changes: isKept ? 0...0 : 1...1, keeping: contents.number)
            session.endCopier()
        }
        try settle()
    }

    private mutating func lock() throws(BrokenInvariant) {
        guard session.compositor != .weston else { return }
        if bridge.isRunning { startBoth() }
        guard bridge.isRunning else {
            session.lock()
            return noteUnseen()
        }
        try settle()
        switch bridge.machine.holder {
        case .nobody, .bridge: break
        case .window, .offer, .compositor: if bridge.captured == nil { lose(changes: 1...1, keeping: nil) }
        }
        session.lock()
        try settle()
        try expect(session.contents?.isBlank == true, "nothing is brought back while the screen is locked")
    }

    // MARK: Kills

    private mutating func kill() {
        guard bridge.isRunning else { return }
        let isSettled = isOwned && session.isQuiet
        isRestarted = true
        (isOpen, isPlain) = (false, false)
        bridge.kill()
        session.disconnect()
        // The format that mutter has kept from the bridge's contents does not count as a copy.
        if isSettled {
            expected = [bridge.stored?.model.number]
            counts = bridge.count...bridge.count
        } else {
            counts = bridge.count...counts.upperBound + 1
            noteUnseen()
        }
    }

    /// True if the bridge owns the selection for the pasteboard's contents, or has captured an X11 program's contents.
    private var isOwned: Bool {
        if case .program(_, let contents) = session.owner { return bridge.captured == contents }
        guard case .bridge(let contents) = bridge.machine.holder, case .bridge(contents, _) = session.owner else {
            return false
        }
        return true
    }

    /// Adds the contents that the next bridge may find after a change that no bridge has seen.
    private mutating func noteUnseen() {
        expected.formUnion([nil, bridge.stored?.model.number, session.kept?.number, session.contents?.number])
        counts = counts.lowerBound...max(counts.upperBound, counts.lowerBound + 1)
    }

    // MARK: The end

    private mutating func settle() throws(BrokenInvariant) {
        startBoth()
        for _ in 0..<3 {
            try quiet()
            capture()
            now += .seconds(1)
            session.pass()
            due()
        }
        try quiet()
        if let fault { throw BrokenInvariant(fault) }
        let (contents, count) = (bridge.contents, bridge.count)
        try expect(
            expected.contains(contents?.number),
            "the pasteboard has one of \(expected.map { $0 ?? 0 }.sorted()): \(contents?.number ?? 0)")
        try expect(counts.contains(count), "each copy is counted once: \(count) is not in \(counts)")
        let pasted = session.contents
        try expect(
            pasted?.isBlank == true || session.hasLostContents
                || pasted?.number == contents?.number && pasted?.formats == contents?.formats,
            "a program pastes \(contents?.number ?? 0) with all its formats")
        try expectCapture()
        try expect(contents != nil || session.kept?.isSecret != true, "mutter has forgotten a secret")
        if case .bridge(_, nil) = session.owner { throw BrokenInvariant("the bridge's empty contents are released") }
        let mayBeRescued = rescueEnd.map { now < $0 } ?? false
        isOpen =
            contents == nil && !mayBeRescued || bridge.captured != nil || contents?.isSecret == false && isOwned
        isPlain = false
        expected = [contents?.number]
        counts = count...count
        isRestarted = false
    }

    /// Expects that public contents after public contents are captured, and that a window without contents is not the
    /// holder.
    private func expectCapture() throws(BrokenInvariant) {
        guard case .compositor = bridge.machine.holder, !session.hasLostContents else { return }
        try expect(bridge.isListed, "a window without contents is not the holder")
        try expect(!isPlain || bridge.captured != nil, "a public copy after public contents is captured")
    }

    private mutating func quiet() throws(BrokenInvariant) {
        for _ in 0..<1_000 {
            guard !session.isQuiet else { return }
            session.compose()
            deliver()
            serve()
        }
        throw BrokenInvariant("the messages come to an end")
    }
}
