import SelectionProtocol
import Testing

@Suite struct SelectionOwnerTests {
    private var owner = SelectionOwner(atoms: Sample.atoms, limits: Sample.limits)
    private let now = Sample.start

    private mutating func answer(
        _ request: SelectionRequest, offer: OfferTable? = Sample.offer
    ) -> [SelectionOwner.Effect] {
        owner.request(request, offer: offer, now: now)
    }

    // MARK: One answer for each request

    @Test("An offered target is written, then notified")
    mutating func plain() {
        let request = Sample.request(Sample.utf8)
        #expect(
            answer(request) == [
                .write(Sample.destination(), type: Sample.utf8, .slice(OfferID(7), body: 0, 0..<5)),
                .notify(request, property: Sample.property),
            ])
    }

    @Test("TEXT is answered with the type of the data")
    mutating func textHasAType() {
        let effects = answer(Sample.request(Sample.text))
        #expect(effects.first == .write(Sample.destination(), type: Sample.utf8, .slice(OfferID(7), body: 0, 0..<5)))
    }

    @Test("A target that is not offered is refused")
    mutating func unknownTarget() {
        let request = Sample.request(Sample.unknown)
        #expect(answer(request) == [.notify(request, property: .none)])
    }

    @Test("A request for a window that no longer offers anything is refused")
    mutating func noOffer() {
        let request = Sample.request(Sample.utf8)
        #expect(answer(request, offer: nil) == [.notify(request, property: .none)])
    }

    @Test("A request without a property is answered in the property named after the target")
    mutating func obsoleteRequestor() {
        let request = Sample.request(Sample.utf8, property: .none)
        #expect(
            answer(request) == [
                .write(
                    Sample.destination(Sample.utf8), type: Sample.utf8, .slice(OfferID(7), body: 0, 0..<5)),
                .notify(request, property: Sample.utf8),
            ])
    }

    @Test("The answer repeats any time in the request", arguments: [0, 1, 1_233, 1_234, 1_235, UInt32.max])
    mutating func anyTime(milliseconds: UInt32) {
        let request = Sample.request(Sample.utf8, time: ServerTime(milliseconds))
        #expect(answer(request).last == .notify(request, property: Sample.property))
    }

    @Test("TARGETS lists the protocol's targets and the offered targets, as ATOM")
    mutating func targets() {
        let list =
            [Sample.atoms.targets, Sample.atoms.timestamp, Sample.atoms.multiple]
            + [Sample.utf8, Sample.text, Sample.png]
        #expect(
            answer(Sample.request(Sample.atoms.targets)).first
                == .write(Sample.destination(), type: .atom, .words(list.map(\.id))))
    }

    @Test("TIMESTAMP is the time of acquisition, as INTEGER")
    mutating func timestamp() {
        #expect(
            answer(Sample.request(Sample.atoms.timestamp)).first
                == .write(Sample.destination(), type: .integer, .words([1_234])))
    }

    @Test("Every target that TARGETS lists can be converted")
    mutating func everyTargetConverts() {
        for target in Sample.offer.order {
            let request = Sample.request(target, property: Atom(1_000 + target.id))
            #expect(answer(request).last == .notify(request, property: request.property))
        }
    }

    @Test("Empty data is an empty property, not a refusal")
    mutating func empty() {
        let offer = OfferTable(
            id: OfferID(8), acquired: ServerTime(1),
            entries: [(Sample.utf8, .init(type: Sample.utf8, body: 0, .ready(length: 0)))])
        let request = Sample.request(Sample.utf8)
        #expect(
            answer(request, offer: offer) == [
                .write(Sample.destination(), type: Sample.utf8, .slice(OfferID(8), body: 0, 0..<0)),
                .notify(request, property: Sample.property),
            ])
    }

    // MARK: MULTIPLE

    private mutating func multiple(_ pairs: [Atom]?) -> [SelectionOwner.Effect] {
        owner.multiple(
            Sample.request(Sample.atoms.multiple), pairs: pairs?.map(\.id), offer: Sample.offer, now: now)
    }

    @Test("MULTIPLE reads its list first")
    mutating func multipleReads() {
        let request = Sample.request(Sample.atoms.multiple)
        #expect(answer(request) == [.readPairs(request)])
    }

    @Test("MULTIPLE converts the pairs it can, marks the failures, and notifies once")
    mutating func multipleConverts() {
        let (good, bad) = (Atom(401), Atom(402))
        #expect(
            multiple([Sample.utf8, good, Sample.unknown, bad]) == [
                .write(Sample.destination(good), type: Sample.utf8, .slice(OfferID(7), body: 0, 0..<5)),
                .write(
                    Sample.destination(), type: Sample.atoms.atomPair,
                    .words([Sample.utf8.id, good.id, Sample.unknown.id, 0])),
                .notify(Sample.request(Sample.atoms.multiple), property: Sample.property),
            ])
    }

    @Test("A MULTIPLE whose list is absent, odd or too long is refused")
    mutating func multipleRefused() {
        let refusal = [SelectionOwner.Effect.notify(Sample.request(Sample.atoms.multiple), property: .none)]
        #expect(multiple(nil) == refusal)
        #expect(multiple([Sample.utf8]) == refusal)
        #expect(multiple(Array(repeating: Sample.utf8, count: 2 * 1_025)) == refusal)
    }

    @Test("A MULTIPLE without a property is refused")
    mutating func multipleWithoutProperty() {
        let request = Sample.request(Sample.atoms.multiple, property: .none)
        #expect(answer(request) == [.notify(request, property: .none)])
    }

    @Test(
        "In MULTIPLE, a pair without property, a nested MULTIPLE, and a property named twice fail alone",
        arguments: [
            [Sample.utf8, Atom.none], [Sample.atoms.multiple, Atom(401)], [Sample.utf8, Sample.property],
        ])
    mutating func multipleOddPairs(pair: [Atom]) {
        let good = Atom(409)
        let effects = multiple(pair + [Sample.utf8, good] + [Sample.png, good])
        let list = [pair[0].id, 0, Sample.utf8.id, good.id, Sample.png.id, 0]
        #expect(
            effects.dropFirst().first
                == .write(Sample.destination(), type: Sample.atoms.atomPair, .words(list)))
    }

    @Test("An empty MULTIPLE is answered with its empty list")
    mutating func emptyMultiple() {
        #expect(
            multiple([]) == [
                .write(Sample.destination(), type: Sample.atoms.atomPair, .words([])),
                .notify(Sample.request(Sample.atoms.multiple), property: Sample.property),
            ])
    }

    @Test("A long target inside MULTIPLE is sent by INCR")
    mutating func multipleIncremental() {
        let property = Atom(401)
        let effects = multiple([Sample.png, property])
        #expect(
            effects.prefix(2) == [
                .watch(Sample.peer), .write(Sample.destination(property), type: Sample.atoms.incr, .words([250])),
            ])
        #expect(owner.transferCount == 1)
    }

    @Test("A MULTIPLE replaces the transfer to its own property")
    mutating func multipleSupersedes() {
        begin()
        let effects = multiple([])
        #expect(effects.first == .unwatch(Sample.peer))
        #expect(delete() == [])
    }

    // MARK: INCR

    private mutating func begin(from window: WindowID = Sample.peer) {
        _ = answer(Sample.request(Sample.png, from: window))
    }

    private mutating func delete(
        at time: Duration = .zero, of window: WindowID = Sample.peer
    ) -> [SelectionOwner.Effect] {
        owner.propertyDeleted(Sample.destination(of: window), now: now + time)
    }

    private func chunk(_ range: Range<Int>, of window: WindowID = Sample.peer) -> SelectionOwner.Effect {
        .write(Sample.destination(of: window), type: Sample.png, .slice(OfferID(7), body: 1, range))
    }

    @Test("Data longer than a chunk is sent by INCR: the window is watched before the exact length is written")
    mutating func incremental() {
        let request = Sample.request(Sample.png)
        #expect(
            answer(request) == [
                .watch(Sample.peer), .write(Sample.destination(), type: Sample.atoms.incr, .words([250])),
                .notify(request, property: Sample.property),
            ])
    }

    @Test("A compositor is sent longer data at once")
    mutating func compositor() {
        var request = Sample.request(Sample.png)
        request.isOfCompositor = true
        _ = answer(request)
        #expect(owner.transferCount == 0)
    }

    @Test("Data of exactly one chunk is sent at once, and one byte more by INCR", arguments: [(100, 0), (101, 1)])
    mutating func threshold(length: Int, transfers: Int) {
        let offer = OfferTable(
            id: OfferID(8), acquired: ServerTime(1),
            entries: [(Sample.png, .init(type: Sample.png, body: 0, .ready(length: length)))])
        _ = answer(Sample.request(Sample.png), offer: offer)
        #expect(owner.transferCount == transfers)
    }

    @Test("Each deletion is answered by the next chunk, and an empty chunk of the same type is the end")
    mutating func chunks() {
        begin()
        #expect(delete() == [chunk(0..<100)])
        #expect(delete() == [chunk(100..<200)])
        #expect(delete() == [chunk(200..<250)])
        #expect(delete() == [chunk(250..<250), .unwatch(Sample.peer)])
        #expect(owner.transferCount == 0)
        #expect(delete() == [])
    }

    @Test("A deletion of another property or window is ignored")
    mutating func foreignDelete() {
        begin()
        #expect(owner.propertyDeleted(Sample.destination(Sample.otherProperty), now: now) == [])
        #expect(delete(of: Sample.otherPeer) == [])
    }

    @Test("A new request for the same property restarts the transfer")
    mutating func askedAnew() {
        begin()
        _ = delete()
        begin()
        #expect(delete() == [chunk(0..<100)])
        #expect(owner.transferCount == 1)
    }

    @Test("Two transfers to one window are independent, and the window is watched until the last transfer ends")
    mutating func twoOnOneWindow() {
        begin()
        _ = answer(Sample.request(Sample.png, property: Sample.otherProperty))
        for _ in 0..<3 { _ = delete() }
        #expect(delete() == [chunk(250..<250)])
        let other = Sample.destination(Sample.otherProperty)
        for _ in 0..<3 { _ = owner.propertyDeleted(other, now: now) }
        #expect(owner.propertyDeleted(other, now: now).last == .unwatch(Sample.peer))
    }

    @Test("A version counts as being sent until its last transfer ends")
    mutating func sendsItsVersion() {
        begin()
        #expect(owner.isSending(OfferID(7)))
        owner.windowGone(Sample.peer)
        #expect(!owner.isSending(OfferID(7)))
    }

    @Test("A destroyed window ends its own transfers only")
    mutating func windowGone() {
        begin()
        begin(from: Sample.otherPeer)
        owner.windowGone(Sample.peer)
        #expect(delete() == [])
        #expect(delete(of: Sample.otherPeer) == [chunk(0..<100, of: Sample.otherPeer)])
    }

    @Test("A transfer without deletions is dropped after thirty seconds, and progress restarts the timeout")
    mutating func silentRequestor() {
        begin()
        #expect(owner.deadline == now + .seconds(30))
        _ = delete(at: .seconds(29))
        #expect(owner.expire(now: now + .seconds(58)) { _ in Sample.offer } == [])
        #expect(owner.expire(now: now + .seconds(59)) { _ in Sample.offer } == [.unwatch(Sample.peer)])
        #expect(owner.deadline == nil)
    }

    @Test("Over the limit of transfers, long data is refused and short data is not")
    mutating func transferLimit() {
        var limits = Sample.limits
        limits.transfers = 1
        owner = SelectionOwner(atoms: Sample.atoms, limits: limits)
        begin()
        let long = Sample.request(Sample.png, from: Sample.otherPeer)
        #expect(answer(long) == [.notify(long, property: .none)])
        let short = Sample.request(Sample.utf8, from: Sample.otherPeer)
        #expect(answer(short).last == .notify(short, property: Sample.property))
    }

    @Test("Data longer than the 32 bits of INCR can announce is refused")
    mutating func tooLong() {
        let offer = OfferTable(
            id: OfferID(8), acquired: ServerTime(1),
            entries: [(Sample.png, .init(type: Sample.png, body: 0, .ready(length: 4_294_967_296)))])
        let request = Sample.request(Sample.png)
        #expect(answer(request, offer: offer) == [.notify(request, property: .none)])
    }

    @Test(
        "Chunks fit into the longest request of the server", arguments: [(262_140, 262_040), (16_777_212, 262_144)])
    func chunkFitsServer(maximum: Int, chunk: Int) {
        #expect(TransferLimits(maximumRequest: maximum).chunk == chunk)
    }
}
