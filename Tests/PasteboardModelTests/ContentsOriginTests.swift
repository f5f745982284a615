import FoundationEssentials
import PasteboardModel
import TestRandom
import Testing

@Suite struct ContentsOriginTests {
    @Test("Origins are ordered by time, then by the bytes of the machine's name")
    func order() {
        let origins = [(1, "z"), (2, ""), (2, "A"), (2, "a"), (2, "ab"), (2, "e\u{301}"), (2, "\u{e9}"), (3, "a")]
            .map { ContentsOrigin(time: $0, machine: $1) }
        for (index, left) in origins.enumerated() {
            for (other, right) in origins.enumerated() {
                #expect((left < right) == (index < other))
                #expect((left == right) == (index == other))
            }
        }
        #expect(Set(origins + origins).count == origins.count)
    }

    @Test("An origin survives a round trip through JSON")
    func coding() throws {
        let origin = ContentsOrigin(time: 1_800_000_000_000_001, machine: "desk")
        let data = try JSONEncoder().encode(origin)
        #expect(try JSONDecoder().decode(ContentsOrigin.self, from: data) == origin)
    }

    @Test("An origin may be at most ten minutes ahead")
    func ahead() {
        let now = 1_800_000_000_000_000
        for (time, isTooFar) in [
            (now - HybridClock.maxAhead * 10, false), (now, false), (now + HybridClock.maxAhead, false),
            (now + HybridClock.maxAhead + 1, true), (.max, true), (.min, false),
        ] {
            #expect(ContentsOrigin(time: time, machine: "a").isTooFarAhead(of: now) == isTooFar, "\(time)")
        }
        #expect(HybridClock.maxAhead == 10 * 60 * 1_000_000)
    }

    @Test("A clock returns the time, or a later time than all times that it has returned or observed")
    func clock() {
        var clock = HybridClock()
        #expect(clock.next(at: 100) == 100)
        #expect(clock.next(at: 100) == 101)
        #expect(clock.next(at: 50) == 102)
        clock.observe(200)
        clock.observe(150)
        #expect(clock.next(at: 120) == 201)
        #expect(clock.next(at: 300) == 300)
        clock.observe(.max)
        #expect(clock.next(at: 400) == .max)
        #expect(clock.next(at: 400) == .max)
    }

    @Test("A clock never repeats a time, whatever the system's clock does")
    func random() {
        var generator = SeededGenerator(seed: 1)
        var clock = HybridClock()
        var latest = 0
        for _ in 0..<10_000 {
            let now = Int.random(in: 0..<1_000, using: &generator)
            if Bool.random(using: &generator) {
                let time = clock.next(at: now)
                #expect(time > latest && time >= now)
                latest = time
            } else {
                clock.observe(now)
                latest = max(latest, now)
            }
        }
    }
}
