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
        [.init(owner: owner, isDeath: false)]
    }

    private func changeAfterDeath(_ owner: OwnershipTracker.Owner) -> [OwnershipTracker.Change] {
        change(owner).map {
            var change = $0
            change.followsDeath = true
            change.mayBeRefill = owner != .none
            return change
        }
    }

    @Test("Setting an owner is a change, even if it is the same owner")
    mutating func reassert() {
        #expect(handle(.ownerSet(first)) == change(first))
        #expect(handle(.ownerSet(first)) == change(first))
        #expect(handle(.ownerSet(second)) == change(second))
    }

    @Test("A claim by the bridge is a change like any other")
    mutating func ours() {
        #expect(handle(.ownerSet(.ours(OfferID(3)))) == change(.ours(OfferID(3))))
        #expect(tracker.owner == .ours(OfferID(3)))
    }

    @Test("A release is a change without a death, and a second release is not a change")
    mutating func cleared() {
        _ = handle(.ownerSet(first))
        #expect(handle(.ownerSet(.none)) == change(.none))
        #expect(handle(.ownerSet(.none)) == [])
    }

    @Test("The release of a selection that the bridge owned is reported as such")
    mutating func releasedByBridge() {
        _ = handle(.ownerSet(.ours(OfferID(3))))
        #expect(handle(.ownerSet(.none)).map(\.endsOurs) == [true])
        _ = handle(.ownerSet(first))
        #expect(handle(.ownerSet(.none)).map(\.endsOurs) == [false])
    }

    @Test("A death is reported after ten milliseconds, with its server time")
    mutating func dies() {
        _ = handle(.ownerSet(first))
        #expect(handle(.ownerDied(at: death)) == [])
        #expect(tracker.owner == .none)
        #expect(tracker.deadline == now + .milliseconds(10))
        #expect(tracker.expire(now: now + .milliseconds(9)) == [])
        #expect(tracker.expire(now: now + .milliseconds(10)) == [.init(owner: .none, isDeath: true, time: death)])
        #expect(tracker.expire(now: now + .milliseconds(11)) == [])
    }

    @Test("A reported death counts as unfollowed until the selection has an owner, even briefly")
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

    @Test("A destroyed owner and a new owner within ten milliseconds are one change")
    mutating func wine() {
        _ = handle(.ownerSet(first))
        #expect(handle(.ownerDied(at: death)) == [])
        #expect(handle(.ownerSet(second), at: .milliseconds(9)) == changeAfterDeath(second))
        #expect(tracker.deadline == nil)
        #expect(tracker.expire(now: now + .seconds(1)) == [])
    }

    @Test("An owner within half a second after a death may be a refill, unless it has the dead owner's connection")
    mutating func refill() {
        tracker = OwnershipTracker(found: first, windowBits: 1)
        let ours = OwnershipTracker.Owner.ours(OfferID(3))
        let sibling = OwnershipTracker.Owner.foreign(WindowID(Sample.peer.id ^ 1))
        let cases: [(OwnershipTracker.Owner, Int, Bool)] = [
            (second, 5, true), (second, 500, true), (second, 501, false), (sibling, 5, false), (.none, 5, false),
        ]
        for (next, time, mayBeRefill) in cases {
            for isOursBetween in [false, true] {
                _ = handle(.ownerSet(first))
                _ = handle(.ownerDied(at: death))
                if isOursBetween { _ = handle(.ownerSet(ours)) }
                let changes = handle(.ownerSet(next), at: .milliseconds(time))
                #expect(changes.map(\.mayBeRefill) == [mayBeRefill], "\(next) after \(time) ms")
                #expect(handle(.ownerSet(second)).map(\.mayBeRefill) == [false])
            }
        }
    }

    @Test("A death without an owner is not a change")
    mutating func deathOfNobody() {
        #expect(handle(.ownerDied(at: death)) == [])
        #expect(tracker.deadline == nil)
    }

    @Test("A release while a death is held back is one change")
    mutating func deathThenClear() {
        _ = handle(.ownerSet(first))
        _ = handle(.ownerDied(at: death))
        #expect(handle(.ownerSet(.none)) == changeAfterDeath(.none))
        #expect(tracker.deadline == nil)
    }
}
