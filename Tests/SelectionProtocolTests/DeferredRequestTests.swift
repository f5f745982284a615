import SelectionProtocol
import Testing

/// Tests with an offer of one target that is available and two targets that are generated on demand.
@Suite struct DeferredRequestTests {
    private static let made = Atom(330)
    private static let other = Atom(331)
    private static var offer: OfferTable {
        OfferTable(
            id: OfferID(9), acquired: ServerTime(1),
            entries: [
                (Sample.utf8, .init(type: Sample.utf8, body: 0, .ready(length: 5))),
                (made, .init(type: made, body: 1, .made(within: .seconds(1)))),
                (other, .init(type: other, body: 2, .made(within: .seconds(4)))),
            ])
    }

    private var owner = SelectionOwner(atoms: Sample.atoms, limits: Sample.limits)
    private var offer = Self.offer
    private let now = Sample.start

    private mutating func ask(_ target: Atom, from peer: WindowID = Sample.peer) -> [SelectionOwner.Effect] {
        owner.request(Sample.request(target, from: peer), offer: offer, now: now)
    }

    private mutating func settle(_ body: Int, _ availability: OfferTable.Availability) -> [SelectionOwner.Effect] {
        offer.settle(body, availability)
        return owner.settled(offer, body: body, now: now)
    }

    @Test("A missing body is generated, and then its request is answered")
    mutating func made() {
        #expect(ask(Self.made) == [.make(OfferID(9), body: 1)])
        #expect(
            settle(1, .ready(length: 3)) == [
                .write(Sample.destination(), type: Self.made, .slice(OfferID(9), body: 1, 0..<3)),
                .notify(Sample.request(Self.made), property: Sample.property),
            ])
        #expect(settle(1, .ready(length: 3)) == [])
        #expect(ask(Self.made).count == 2)
    }

    @Test("A body that cannot be generated is refused, and further requests for it are refused at once")
    mutating func failed() {
        _ = ask(Self.made)
        let refusal = [SelectionOwner.Effect.notify(Sample.request(Self.made), property: .none)]
        #expect(settle(1, .failed) == refusal)
        #expect(ask(Self.made) == refusal)
    }

    @Test("A long generated body is sent by INCR")
    mutating func long() {
        _ = ask(Self.made)
        #expect(
            settle(1, .ready(length: 250)) == [
                .watch(Sample.peer),
                .write(Sample.destination(), type: Sample.atoms.incr, .words([250])),
                .notify(Sample.request(Self.made), property: Sample.property),
            ])
    }

    @Test("A body that takes too long is refused once, at the deadline, and available later")
    mutating func late() {
        _ = ask(Self.made)
        #expect(owner.deadline == now + .seconds(1))
        #expect(owner.expire(now: now + .milliseconds(999)) { _ in Self.offer } == [])
        #expect(
            owner.expire(now: now + .seconds(1)) { _ in Self.offer }
                == [.notify(Sample.request(Self.made), property: .none)])
        #expect(owner.deadline == nil)
        #expect(settle(1, .ready(length: 3)) == [])
        #expect(ask(Self.made).last == .notify(Sample.request(Self.made), property: Sample.property))
    }

    @Test(
        "A request waits as long as its toolkit does, if the toolkit is known",
        arguments: [
            ("GDK_SELECTION", 25_000), ("GDK_SELECTION_0x1f", 25_000), ("_QT_SELECTION", 4_500),
            ("CHROME_SELECTION", 3_000), ("META_SELECTION", 14_000), ("XCLIP_OUT", 25_000), ("SDL_SELECTION", 1_000),
            (nil, 1_000),
        ] as [(String?, Int)])
    mutating func toolkits(property: String?, milliseconds: Int) {
        let toolkit = RequestorToolkit(property: property)
        _ = owner.request(Sample.request(Self.made), of: toolkit, offer: offer, now: now)
        #expect(owner.deadline == now + .milliseconds(milliseconds))
        let pairs = [Self.made.id, Atom(400).id]
        _ = owner.multiple(
            Sample.request(Sample.atoms.multiple, property: Atom(401)), of: toolkit, pairs: pairs, offer: offer,
            now: now + .seconds(1))
        let offer = offer
        let refusals = owner.expire(now: now + .milliseconds(milliseconds)) { _ in offer }
        #expect(refusals.count == 1)
        #expect(owner.deadline == now + .milliseconds(milliseconds + 1_000))
    }

    @Test("Two requests for one body are both answered")
    mutating func two() {
        _ = ask(Self.made)
        _ = ask(Self.made, from: Sample.otherPeer)
        let answers = settle(1, .ready(length: 3)).filter { if case .notify = $0 { true } else { false } }
        #expect(answers.count == 2)
    }

    @Test("Other requests are answered while a body is generated")
    mutating func others() {
        _ = ask(Self.made)
        #expect(ask(Sample.utf8).last == .notify(Sample.request(Sample.utf8), property: Sample.property))
    }

    @Test("A MULTIPLE waits for all its bodies, and marks those that cannot be generated")
    mutating func multiple() {
        let request = Sample.request(Sample.atoms.multiple)
        let (first, second, third) = (Atom(401), Atom(402), Atom(403))
        let pairs = [Sample.utf8, first, Self.made, second, Self.other, third].map(\.id)
        #expect(
            owner.multiple(request, pairs: pairs, offer: offer, now: now)
                == [.make(OfferID(9), body: 1), .make(OfferID(9), body: 2)])
        #expect(owner.deadline == now + .seconds(1))
        #expect(settle(1, .ready(length: 3)) == [])
        let list = [Sample.utf8, first, Self.made, second, Self.other, .none].map(\.id)
        let effects = settle(2, .failed)
        #expect(
            effects.suffix(2) == [
                .write(Sample.destination(), type: Sample.atoms.atomPair, .words(list)),
                .notify(request, property: Sample.property),
            ])
        #expect(effects.count == 4)
    }

    @Test("A MULTIPLE neither generates nor waits for a pair that fails in any case")
    mutating func hopelessPair() {
        let request = Sample.request(Sample.atoms.multiple)
        let taken = Atom(401)
        for pairs in [[Self.made, .none], [Self.made, Sample.property], [Sample.utf8, taken, Self.made, taken]] {
            let effects = owner.multiple(request, pairs: pairs.map(\.id), offer: offer, now: now)
            #expect(effects.last == .notify(request, property: Sample.property))
        }
        #expect(owner.transferCount == 0)
    }

    @Test("An offer with a waiting request counts as being sent")
    mutating func retired() {
        _ = ask(Self.made)
        #expect(owner.isSending(OfferID(9)))
        #expect(owner.transferCount == 1)
        _ = settle(1, .failed)
        #expect(!owner.isSending(OfferID(9)))
    }

    @Test("A requestor whose window is gone gets no answer")
    mutating func gone() {
        _ = ask(Self.made)
        owner.windowGone(Sample.peer)
        #expect(settle(1, .ready(length: 3)) == [])
        #expect(owner.deadline == nil)
    }

    @Test("A request is refused if too many are waiting")
    mutating func tooMany() {
        for index in 0..<Sample.limits.transfers {
            let request = Sample.request(Self.made, property: Atom(10_000 + UInt32(index)))
            _ = owner.request(request, offer: offer, now: now)
        }
        #expect(ask(Self.made) == [.notify(Sample.request(Self.made), property: .none)])
    }

    @Test("A new request for the same property refuses the older request at once")
    mutating func superseded() {
        _ = ask(Self.made)
        #expect(
            ask(Sample.utf8) == [
                .notify(Sample.request(Self.made), property: .none),
                .write(Sample.destination(), type: Sample.utf8, .slice(OfferID(9), body: 0, 0..<5)),
                .notify(Sample.request(Sample.utf8), property: Sample.property),
            ])
        #expect(settle(1, .ready(length: 3)) == [])
    }

    @Test("At shutdown all waiting requests are refused, and no further request waits")
    mutating func leaving() {
        _ = ask(Self.made)
        let refusal = [SelectionOwner.Effect.notify(Sample.request(Self.made), property: .none)]
        #expect(owner.refuseDeferred() == refusal)
        #expect(owner.refuseDeferred() == [])
        #expect(ask(Self.made) == refusal)
    }

    @Test("A target that could not be generated is no longer offered")
    mutating func promised() {
        _ = ask(Self.made)
        _ = settle(1, .failed)
        let list = [Sample.atoms.targets, Sample.atoms.timestamp, Sample.atoms.multiple, Sample.utf8, Self.other]
        #expect(
            ask(Sample.atoms.targets).first == .write(Sample.destination(), type: .atom, .words(list.map(\.id))))
    }
}
