import SelectionProtocol
import Testing

/// Tests with an offer like a clipboard manager's: one of its targets performs an action.
@Suite struct SideEffectTests {
    private static let save = Atom(340)
    private static let null = Atom(341)
    private static let offer = OfferTable(
        id: OfferID(9), acquired: ServerTime(5),
        entries: [
            (save, .init(type: null, body: 0, .performed(within: .seconds(3)))),
            (Sample.utf8, .init(type: Sample.utf8, body: 1, .ready(length: 5))),
        ])

    private var owner = SelectionOwner(atoms: Sample.atoms, limits: Sample.limits)
    private let now = Sample.start

    private mutating func ask(_ request: SelectionRequest) -> [SelectionOwner.Effect] {
        owner.request(request, offer: Self.offer, now: now)
    }

    private mutating func perform(_ number: Int, _ isDone: Bool) -> [SelectionOwner.Effect] {
        owner.performed(number, isDone, now: now) { $0 == Self.offer.id ? Self.offer : nil }
    }

    private func effect(
        _ number: Int, property: Atom = Sample.property, from peer: WindowID = Sample.peer
    ) -> SelectionOwner.Effect {
        .perform(SideEffect(number: number, requestor: peer, property: property, timeout: .seconds(3)))
    }

    @Test("A side effect is answered once, when it is complete, by an empty property of its own type")
    mutating func done() {
        let request = Sample.request(Self.save)
        #expect(ask(request) == [effect(1)])
        #expect(owner.deadline == now + .seconds(3))
        #expect(
            perform(1, true) == [
                .write(Sample.destination(), type: Self.null, .words([])),
                .notify(request, property: Sample.property),
            ])
        #expect(perform(1, true) == [])
        #expect(owner.deadline == nil)
    }

    @Test(
        "The timeout of SAVE_TARGETS is the time that its toolkit waits",
        arguments: [(nil, 9_000), ("_QT_SELECTION", 4_500), ("_EMACS_TMP_", 3_000)] as [(String?, Int)])
    mutating func toolkits(property: String?, milliseconds: Int) {
        let toolkit = RequestorToolkit(property: property, saves: true)
        let effects = owner.request(Sample.request(Self.save), of: toolkit, offer: Self.offer, now: now)
        guard case .perform(let effect)? = effects.first else { Issue.record("\(effects)"); return }
        #expect(effect.timeout == .milliseconds(milliseconds))
        #expect(owner.deadline == now + .milliseconds(milliseconds))
    }

    @Test("A failed side effect is refused, and performed again for the next request")
    mutating func failed() {
        let request = Sample.request(Self.save)
        _ = ask(request)
        #expect(perform(1, false) == [.notify(request, property: .none)])
        #expect(owner.takeRefusals() == [.notSaved: 1])
        #expect(ask(request) == [effect(2)])
    }

    @Test("A side effect is performed separately for each request")
    mutating func anew() {
        _ = ask(Sample.request(Self.save))
        _ = perform(1, true)
        #expect(ask(Sample.request(Self.save)) == [effect(2)])
    }

    @Test("A requestor without a property passes no parameters, and is answered in the property named after the target")
    mutating func obsolete() {
        let request = Sample.request(Self.save, property: .none)
        #expect(ask(request) == [effect(1, property: .none)])
        #expect(
            perform(1, true) == [
                .write(Sample.destination(Self.save), type: Self.null, .words([])),
                .notify(request, property: Self.save),
            ])
    }

    @Test("A side effect that takes too long is refused once, and its late result is ignored")
    mutating func late() {
        let request = Sample.request(Self.save)
        _ = ask(request)
        #expect(owner.expire(now: now + .seconds(3)) { _ in Self.offer } == [.notify(request, property: .none)])
        #expect(perform(1, true) == [])
    }

    @Test("The side effect is performed and answered for each of two requestors")
    mutating func two() {
        let (first, second) = (Sample.request(Self.save), Sample.request(Self.save, from: Sample.otherPeer))
        #expect(ask(first) == [effect(1)])
        #expect(ask(second) == [effect(2, from: Sample.otherPeer)])
        #expect(perform(2, false) == [.notify(second, property: .none)])
        #expect(perform(1, true).last == .notify(first, property: Sample.property))
    }

    @Test("A new request refuses the older request, whose side effect does not count for the new request")
    mutating func superseded() {
        let request = Sample.request(Self.save)
        _ = ask(request)
        #expect(ask(request) == [.notify(request, property: .none), effect(2)])
        #expect(perform(1, true) == [])
        #expect(perform(2, true).last == .notify(request, property: Sample.property))
    }

    @Test("In a MULTIPLE a side effect is performed for each property, and there is one answer")
    mutating func multiple() {
        let request = Sample.request(Sample.atoms.multiple)
        let (first, second, third) = (Atom(401), Atom(402), Atom(403))
        let pairs = [Self.save, first, Sample.utf8, second, Self.save, third].map(\.id)
        #expect(
            owner.multiple(request, pairs: pairs, offer: Self.offer, now: now)
                == [effect(1, property: first), effect(2, property: third)])
        #expect(perform(1, true) == [])
        let list = [Self.save, first, Sample.utf8, second, Self.save, .none].map(\.id)
        #expect(
            perform(2, false) == [
                .write(Sample.destination(first), type: Self.null, .words([])),
                .write(Sample.destination(second), type: Sample.utf8, .slice(OfferID(9), body: 1, 0..<5)),
                .write(Sample.destination(), type: Sample.atoms.atomPair, .words(list)),
                .notify(request, property: Sample.property),
            ])
    }

    @Test("In a MULTIPLE nothing is performed without a property, or twice for the same property")
    mutating func multipleWithoutPlace() {
        let request = Sample.request(Sample.atoms.multiple)
        let pairs = [Self.save, .none, Self.save, Atom(401), Self.save, Atom(401)].map(\.id)
        #expect(
            owner.multiple(request, pairs: pairs, offer: Self.offer, now: now) == [effect(1, property: Atom(401))])
        let list = [Self.save, .none, Self.save, Atom(401), Self.save, .none].map(\.id)
        #expect(
            perform(1, true).suffix(2) == [
                .write(Sample.destination(), type: Sample.atoms.atomPair, .words(list)),
                .notify(request, property: Sample.property),
            ])
    }

    @Test("The target is listed in TARGETS")
    mutating func listed() {
        let list = [
            Sample.atoms.targets, Sample.atoms.timestamp, Sample.atoms.multiple, Self.save, Sample.utf8,
        ]
        #expect(
            ask(Sample.request(Sample.atoms.targets)).first
                == .write(Sample.destination(), type: .atom, .words(list.map(\.id))))
    }

    @Test("At shutdown waiting requests are refused, and no side effect is performed")
    mutating func leaving() {
        let request = Sample.request(Self.save)
        _ = ask(request)
        #expect(owner.refuseDeferred() == [.notify(request, property: .none)])
        #expect(perform(1, true) == [])
        #expect(ask(request) == [.notify(request, property: .none)])
    }
}
