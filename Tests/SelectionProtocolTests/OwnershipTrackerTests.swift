import SelectionProtocol
import Testing

@Suite struct OwnershipTrackerTests {
    private var tracker = OwnershipTracker(found: .none)
    private let now = Sample.start
    private let first = OwnershipTracker.Owner.foreign(Sample.peer)
    private let death = ServerTime(4_711)
    private let second = OwnershipTracker.Owner.foreign(Sample.otherPeer)

    private mutating func handle(
        _ event: OwnershipTracker.Event, at time: Duration = .zero
    ) -> [OwnershipTracker.Change] {
        tracker.handle(event, now: now + time)
    }

    private func change(_ owner: OwnershipTracker.Owner) -> [OwnershipTracker.Change] {
        [.init(owner: owner, byDeath: false)]
    }

    @Test("Each owner that is set is a change, the same one again too")
    mutating func reassert() {
        #expect(handle(.ownerSet(first)) == change(first))
        #expect(handle(.ownerSet(first)) == change(first))
        #expect(handle(.ownerSet(second)) == change(second))
    }

    @Test("Ours is a change like any other")
    mutating func ours() {
        #expect(handle(.ownerSet(.ours(OfferID(3)))) == change(.ours(OfferID(3))))
        #expect(tracker.owner == .ours(OfferID(3)))
    }

    @Test("A selection that is given up is a change by no death; given up again it is none")
    mutating func cleared() {
        _ = handle(.ownerSet(first))
        #expect(handle(.ownerSet(.none)) == change(.none))
        #expect(handle(.ownerSet(.none)) == [])
    }

    @Test("A death is told after ten milliseconds, with the server's time of it")
    mutating func dies() {
        _ = handle(.ownerSet(first))
        #expect(handle(.ownerDied(at: death)) == [])
        #expect(tracker.owner == .none)
        #expect(tracker.deadline == now + .milliseconds(10))
        #expect(tracker.expire(now: now + .milliseconds(9)) == [])
        #expect(tracker.expire(now: now + .milliseconds(10)) == [.init(owner: .none, byDeath: true, time: death)])
        #expect(tracker.expire(now: now + .milliseconds(11)) == [])
    }

    @Test("A death is without a successor once it is told, until somebody owns the selection, if only for a moment")
    mutating func unfollowed() {
        _ = handle(.ownerSet(first))
        _ = handle(.ownerDied(at: death))
        #expect(tracker.unfollowedDeath == nil)
        _ = tracker.expire(now: now + .milliseconds(10))
        #expect(tracker.unfollowedDeath == death)
        #expect(handle(.ownerSet(.none)) == [])
        #expect(tracker.unfollowedDeath == death)
        _ = handle(.ownerSet(second))
        _ = handle(.ownerSet(.none))
        #expect(tracker.owner == .none && tracker.unfollowedDeath == nil)
    }

    @Test("Destroyed and owned again within ten milliseconds is one change")
    mutating func wine() {
        _ = handle(.ownerSet(first))
        #expect(handle(.ownerDied(at: death)) == [])
        #expect(handle(.ownerSet(second), at: .milliseconds(9)) == change(second))
        #expect(tracker.deadline == nil)
        #expect(tracker.expire(now: now + .seconds(1)) == [])
    }

    @Test("A death of nobody is no change")
    mutating func deathOfNobody() {
        #expect(handle(.ownerDied(at: death)) == [])
        #expect(tracker.deadline == nil)
    }

    @Test("A death that is held back and then given up by hand is one change")
    mutating func deathThenClear() {
        _ = handle(.ownerSet(first))
        _ = handle(.ownerDied(at: death))
        #expect(handle(.ownerSet(.none)) == change(.none))
        #expect(tracker.deadline == nil)
    }
}
