import PasteboardModel
import PasteboardSharing
import Testing

@Suite struct ShareMachineTests {
    /// Returns a side whose origin and count are `time`.
    private func side(_ time: Int, _ kind: SideState.Kind = .contents, incomplete: Bool = false) -> SideState {
        SideState(
            origin: ContentsOrigin(time: time, machine: "a"), count: time, kind: kind, isIncomplete: incomplete)
    }

    private func copy(_ token: Int, _ from: ShareSide, _ state: SideState) -> [ShareEffect] {
        [.copy(token: token, from: from, count: state.count, origin: state.origin)]
    }

    /// Two sides, and the side that is copied.
    struct Pair: Sendable {
        var local: SideState
        var remote: SideState
        var source: ShareSide?
    }

    private static func state(
        _ origin: ContentsOrigin, _ kind: SideState.Kind = .contents, incomplete: Bool = false
    ) -> SideState {
        SideState(origin: origin, count: 7, kind: kind, isIncomplete: incomplete)
    }

    private static let old = ContentsOrigin(time: 1, machine: "b")
    private static let same = ContentsOrigin(time: 2, machine: "a")
    private static let new = ContentsOrigin(time: 2, machine: "b")

    static let pairs = [
        // The newer origin is copied, whether it has contents or is empty.
        Pair(local: state(new), remote: state(old), source: .local),
        Pair(local: state(old), remote: state(new), source: .remote),
        Pair(local: state(new, .empty), remote: state(old), source: .local),
        Pair(local: state(new), remote: state(old, .empty), source: .local),
        // The machine's name decides between two copies of the same moment.
        Pair(local: state(same), remote: state(new), source: .remote),
        Pair(local: state(new), remote: state(same), source: .local),
        // Equal origins are the same contents.
        Pair(local: state(new), remote: state(new), source: nil),
        Pair(local: state(new, .empty), remote: state(new, .empty), source: nil),
        // Contents that lack promises are renewed from the side that has them.
        Pair(local: state(new, incomplete: true), remote: state(new), source: .remote),
        Pair(local: state(new), remote: state(new, incomplete: true), source: .local),
        Pair(local: state(new, incomplete: true), remote: state(new, incomplete: true), source: nil),
        Pair(local: state(new, incomplete: true), remote: state(old), source: .local),
        Pair(local: state(new), remote: state(old, incomplete: true), source: .local),
        // Withheld contents are not copied, and only newer contents replace them.
        Pair(local: state(new, .withheld), remote: state(old), source: nil),
        Pair(local: state(old), remote: state(new, .withheld), source: nil),
        Pair(local: state(new), remote: state(old, .withheld), source: .local),
        Pair(local: state(new, .withheld), remote: state(old, .withheld), source: nil),
        Pair(local: state(new, .withheld), remote: state(new, incomplete: true), source: nil),
    ]

    @Test("The newer side is copied, unless it is withheld", arguments: pairs)
    func choice(_ pair: Pair) {
        for isLocalFirst in [true, false] {
            var machine = ShareMachine()
            let events = [ShareEvent.changed(.local, pair.local), .changed(.remote, pair.remote)]
            #expect(machine.handle(events[isLocalFirst ? 0 : 1]) == [])
            let effects = machine.handle(events[isLocalFirst ? 1 : 0])
            #expect(effects == (pair.source.map { copy(1, $0, $0 == .local ? pair.local : pair.remote) } ?? []))
        }
    }

    /// Returns a machine that is copying the local side, of time 2, to the remote side, of time 1.
    private func copying() -> ShareMachine {
        var machine = ShareMachine()
        _ = machine.handle(.changed(.remote, side(1)))
        #expect(machine.handle(.changed(.local, side(2))) == copy(1, .local, side(2)))
        return machine
    }

    @Test("Nothing is copied before both sides have reported")
    func unknown() {
        var machine = ShareMachine()
        #expect(machine.handle(.changed(.local, side(2))) == [])
        #expect(machine.handle(.changed(.local, side(3))) == [])
        #expect(machine.handle(.changed(.remote, side(1))) == copy(1, .local, side(3)))
    }

    @Test("Changes during a copy wait until it ends, and the last change counts", arguments: CopyResult.allCases)
    func changes(result: CopyResult) {
        var machine = copying()
        #expect(machine.handle(.changed(.local, side(3))) == [])
        #expect(machine.handle(.changed(.local, side(4))) == [])
        if result == .superseded { #expect(machine.handle(.changed(.remote, side(3))) == []) }
        if result == .done { #expect(machine.handle(.changed(.remote, side(2))) == []) }
        #expect(machine.handle(.copied(token: 1, result)) == copy(2, .local, side(4)))
    }

    @Test("A finished copy leads to nothing else, whether its change is reported before or after its end")
    func done() {
        var machine = copying()
        #expect(machine.handle(.changed(.remote, side(2))) == [])
        #expect(machine.handle(.copied(token: 1, .done)) == [])
        machine = copying()
        #expect(machine.handle(.copied(token: 1, .done)) == [])
        #expect(machine.handle(.changed(.remote, side(2))) == [])
        #expect(machine.handle(.changed(.local, side(2))) == [])
    }

    @Test("Reports from before a copy do not lead to another copy", arguments: [CopyResult.done, .superseded])
    func late(result: CopyResult) {
        var machine = copying()
        #expect(machine.handle(.changed(.remote, side(0))) == [])
        #expect(machine.handle(.copied(token: 1, result)) == [])
        #expect(machine.handle(.changed(.remote, side(1))) == [])
        #expect(machine.handle(.changed(.local, side(2))) == [])
        // A newer change also waits for the report.
        #expect(machine.handle(.changed(.local, side(5))) == [])
        #expect(machine.handle(.changed(.remote, side(3))) == copy(2, .local, side(5)))
    }

    @Test("A copy that was superseded is followed by a copy of the newer side")
    func superseded() {
        var machine = copying()
        #expect(machine.handle(.copied(token: 1, .superseded)) == [])
        #expect(machine.handle(.changed(.remote, side(3))) == copy(2, .remote, side(3)))
        machine = copying()
        #expect(machine.handle(.changed(.remote, side(3))) == [])
        #expect(machine.handle(.copied(token: 1, .superseded)) == copy(2, .remote, side(3)))
    }

    @Test("A copy that failed is tried again after the next report", arguments: ShareSide.allCases)
    func failed(reporter: ShareSide) {
        var machine = copying()
        #expect(machine.handle(.copied(token: 1, .failed)) == [])
        #expect(machine.handle(.copied(token: 1, .failed)) == [])
        #expect(machine.handle(.changed(reporter, side(reporter == .local ? 2 : 1))) == copy(2, .local, side(2)))
    }

    @Test("Promises are renewed each time that their provider ends")
    func renewals() {
        var machine = copying()
        _ = machine.handle(.copied(token: 1, .done))
        _ = machine.handle(.changed(.remote, side(2)))
        for token in 2..<5 {
            #expect(machine.handle(.changed(.remote, side(2, incomplete: true))) == copy(token, .local, side(2)))
            #expect(machine.handle(.copied(token: token, .done)) == [])
            #expect(machine.handle(.changed(.remote, side(2))) == [])
        }
    }

    @Test("If a side's new contents are withheld, its old contents are withdrawn from the other side")
    func withdrawn() {
        var machine = copying()
        _ = machine.handle(.copied(token: 1, .done))
        _ = machine.handle(.changed(.remote, side(2)))
        #expect(machine.handle(.changed(.local, side(3, .withheld))) == [.withdraw(from: .local)])
        #expect(machine.handle(.changed(.local, side(3, .withheld))) == [])
        #expect(machine.handle(.changed(.local, side(4, .withheld))) == [])
    }

    @Test("Contents that a side lost while they were copied are withdrawn after the copy")
    func withdrawnLater() {
        var machine = copying()
        #expect(machine.handle(.changed(.local, side(3, .withheld))) == [])
        #expect(machine.handle(.copied(token: 1, .done)) == [.withdraw(from: .local)])
    }

    @Test("The end of withheld contents does not change the other side until there are newer contents")
    func withheldAndEmptied() {
        var machine = ShareMachine()
        _ = machine.handle(.changed(.remote, side(1)))
        #expect(machine.handle(.changed(.local, side(2, .withheld))) == [])
        #expect(machine.handle(.changed(.local, side(3, .empty))) == [])
        #expect(machine.handle(.changed(.local, side(4, .empty))) == [])
        #expect(machine.handle(.changed(.remote, side(5))) == copy(1, .remote, side(5)))
        #expect(machine.handle(.copied(token: 1, .done)) == [])
        #expect(machine.handle(.changed(.local, side(5))) == [])
        #expect(machine.handle(.changed(.local, side(6, .empty))) == copy(2, .local, side(6, .empty)))
    }

    @Test("Newer contents are copied to a side with withheld contents")
    func withheld() {
        var machine = ShareMachine()
        _ = machine.handle(.changed(.local, side(2, .withheld)))
        #expect(machine.handle(.changed(.remote, side(1))) == [])
        #expect(machine.handle(.changed(.remote, side(3))) == copy(1, .remote, side(3)))
    }
}
