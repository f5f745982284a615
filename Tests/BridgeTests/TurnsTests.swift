import Testing

@testable import Bridge

@Suite struct TurnsTests {
    private final class Log {
        var lines: [String] = []
        var ends: [() -> Void] = []
    }

    @Test("Work begins when the work before it has ended, in the order it came")
    func order() {
        let (turns, log) = (Turns(), Log())
        for name in ["a", "b", "c"] {
            turns.take { done in
                log.lines.append(name)
                log.ends.append(done)
            }
        }
        #expect(log.lines == ["a"])
        log.ends[0]()
        #expect(log.lines == ["a", "b"])
        log.ends[1]()
        #expect(log.lines == ["a", "b", "c"])
    }

    @Test("Work that ends at once lets the next begin")
    func atOnce() {
        let (turns, log) = (Turns(), Log())
        for name in ["a", "b"] {
            turns.take { done in
                log.lines.append(name)
                done()
            }
        }
        #expect(log.lines == ["a", "b"])
    }
}
