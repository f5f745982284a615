import SelectionProtocol
import Testing

/// Tests of the owner's state machine at its limits.
@Suite struct SelectionOwnerQuotaTests {
    private var owner = SelectionOwner(atoms: Sample.atoms, limits: limits)
    private let start = Sample.start

    /// A limit of two transfers in all, and a minimum rate of 100 bytes per second after 60 seconds.
    private static let limits: TransferLimits = {
        var limits = Sample.limits
        limits.windowBits = 0x1F_FFFF
        (limits.transfers, limits.programTransfers) = (2, 2)
        (limits.slowTransferAge, limits.minTransferRate) = (.seconds(60), 100)
        limits.requestorTimeout = .seconds(1_000)
        return limits
    }()

    /// The first window of another program.
    private let stranger = WindowID(0x60_0001)

    private mutating func ask(
        _ property: UInt32, from window: WindowID = Sample.peer, after seconds: Int = 0
    ) -> [SelectionOwner.Effect] {
        owner.request(
            Sample.request(Sample.png, property: Atom(property), from: window), offer: Sample.offer,
            now: start + .seconds(seconds))
    }

    private func refusal(_ property: UInt32, from window: WindowID = Sample.peer) -> [SelectionOwner.Effect] {
        [.notify(Sample.request(Sample.png, property: Atom(property), from: window), property: .none)]
    }

    private func notified(_ effects: [SelectionOwner.Effect]) -> [Atom] {
        effects.compactMap { if case .notify(_, let property) = $0 { property } else { nil } }
    }

    @Test("A transfer over the limit is refused once, and the transfers in progress continue")
    mutating func refused() {
        _ = ask(401)
        _ = ask(402)
        #expect(ask(403) == refusal(403))
        #expect(owner.takeRefusals() == [.limit(.programTransfers): 1])
        #expect(owner.takeRefusals() == [:])
        #expect(owner.transferCount == 2)
    }

    @Test("Short data is sent regardless of the limits")
    mutating func short() {
        _ = ask(401)
        _ = ask(402)
        let request = Sample.request(Sample.utf8, property: Atom(403))
        #expect(notified(owner.request(request, offer: Sample.offer, now: start)) == [Atom(403)])
    }

    @Test("A program at its limit does not lock out other programs")
    mutating func programs() {
        owner.limits.transfers = 10
        _ = ask(401)
        _ = ask(402, from: Sample.otherPeer)
        // Both windows belong to one program.
        #expect(ask(403) == refusal(403))
        #expect(notified(ask(404, from: stranger)) == [Atom(404)])
    }

    @Test("A slow transfer is ended for a new transfer, and nothing more is written to it")
    mutating func slow() {
        _ = ask(401)
        _ = ask(402, from: Sample.otherPeer)
        for _ in 0..<2 {
            _ = owner.propertyDeleted(Sample.destination(Atom(402), of: Sample.otherPeer), now: start)
        }
        let effects = ask(403, from: stranger, after: 61)
        #expect(effects.first == .unwatch(Sample.peer))
        #expect(notified(effects) == [Atom(403)])
        #expect(owner.takeRefusals() == [.evicted(.transfers): 1])
        #expect(owner.propertyDeleted(Sample.destination(Atom(401)), now: start + .seconds(62)) == [])
        #expect(owner.transferCount == 2)
    }

    @Test("A chunk counts as moved when it was taken, not when it was written")
    mutating func taken() {
        owner.limits.transfers = 1
        owner.limits.minTransferRate = 1
        _ = ask(401)
        _ = owner.propertyDeleted(Sample.destination(Atom(401)), now: start)
        #expect(owner.states.map(\.moved) == [0])
        #expect(notified(ask(402, from: stranger, after: 60)) == [Atom(402)])
    }

    @Test("A new request for the same property replaces the old request")
    mutating func replaced() {
        _ = ask(401)
        _ = ask(402)
        #expect(notified(ask(401)) == [Atom(401)])
        #expect(owner.takeRefusals() == [:])
    }

    @Test("Transfers of the other state machine count, and its slow transfers are ended")
    mutating func otherTransfers() {
        let other = SelectionOwner.Destination(window: WindowID(0x20_0009), property: Sample.property)
        owner.otherTransfers.transfers = [.init(id: other, program: nil, started: start, moved: 0)]
        _ = ask(401)
        #expect(ask(402, after: 59) == refusal(402))
        for _ in 0..<2 { _ = owner.propertyDeleted(Sample.destination(Atom(401)), now: start) }
        let effects = ask(403, after: 60)
        #expect(effects.first == .end(other))
        #expect(notified(effects) == [Atom(403)])
        // The ended transfer no longer counts.
        #expect(owner.otherTransfers.transfers.isEmpty)
    }

    @Test("A MULTIPLE marks the pairs over the limit, and is answered once")
    mutating func multiple() {
        let pairs = [Sample.png, Atom(401), Sample.png, Atom(402), Sample.png, Atom(403), Sample.utf8, Atom(404)]
        let request = Sample.request(Sample.atoms.multiple)
        let effects = owner.multiple(request, pairs: pairs.map(\.id), offer: Sample.offer, now: start)
        var answered = pairs
        answered[5] = .none
        #expect(effects.contains(.write(Sample.destination(), type: Sample.atoms.atomPair, .words(answered.map(\.id)))))
        #expect(notified(effects) == [Sample.property])
        #expect(owner.takeRefusals() == [.limit(.programTransfers): 1])
    }

    @Test("The bytes of each retired version count once, until they are sent")
    mutating func bytes() {
        (owner.limits.transfers, owner.limits.programTransfers) = (10, 10)
        (owner.limits.bytes, owner.limits.programBytes) = (1_000, 250)
        _ = ask(401)
        #expect(notified(ask(402)) == [Atom(402)])
        owner.retired[OfferID(7)] = [.init(name: 1, length: 250)]
        #expect(ask(403) == refusal(403))
        #expect(owner.takeRefusals() == [.limit(.programBytes): 1])
        #expect(notified(ask(404, from: stranger)) == [Atom(404)])
        owner.windowGone(Sample.peer)
        #expect(notified(ask(405)) == [Atom(405)])
    }

    @Test("Refusals are counted by reason")
    mutating func reasons() {
        let unknown = Sample.request(Sample.unknown)
        _ = owner.request(unknown, offer: Sample.offer, now: start)
        _ = owner.request(unknown, offer: nil, now: start)
        let list = Sample.request(Sample.atoms.multiple)
        _ = owner.multiple(list, pairs: nil, offer: Sample.offer, now: start)
        _ = owner.multiple(list, pairs: [Sample.unknown.id, 401], offer: Sample.offer, now: start)
        _ = ask(401)
        _ = owner.expire(now: start + .seconds(1_000)) { _ in nil }
        #expect(owner.takeRefusals() == [.unknownTarget: 2, .retired: 1, .badList: 1, .stalled: 1])
    }

    @Test("A request that waits in vain is counted as not ready, and takes one place")
    mutating func deferred() {
        let made = OfferTable(
            id: OfferID(8), acquired: ServerTime(1),
            entries: [(Sample.png, .init(type: Sample.png, body: 0, .made(within: .seconds(1))))])
        for property in 401...403 {
            let request = Sample.request(Sample.png, property: Atom(UInt32(property)))
            let effects = owner.request(request, offer: made, now: start)
            #expect(notified(effects) == (property == 403 ? [.none] : []))
        }
        #expect(owner.takeRefusals() == [.limit(.programTransfers): 1])
        #expect(owner.states.map(\.length) == [nil, nil])
        let answers = owner.expire(now: start + .seconds(1)) { _ in made }
        #expect(notified(answers) == [.none, .none])
        #expect(owner.takeRefusals() == [.notReady: 2])
    }

    @Test("The state of a transfer contains its progress, its start and its last progress")
    mutating func states() {
        _ = ask(401)
        for second in [10, 20] {
            _ = owner.propertyDeleted(Sample.destination(Atom(401)), now: start + .seconds(second))
        }
        #expect(
            owner.states == [
                TransferState(
                    direction: .sending, selection: Sample.clipboard, target: Sample.png, window: Sample.peer,
                    moved: 100, length: 250, started: start, lastProgress: start + .seconds(20))
            ])
    }
}
