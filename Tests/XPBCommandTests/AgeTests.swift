import FoundationEssentials
import Testing

@testable import XPBCommand

@Suite struct AgeTests {
    @Test(
        "An age has one unit",
        arguments: [
            (0, "0s"), (59, "59s"), (60, "1m"), (3_599, "59m"), (3_600, "1h"), (86_399, "23h"), (86_400, "1d"),
            (1_209_599, "13d"), (1_209_600, "2w"), (31_556_951, "52w"), (31_556_952, "1y"), (70_000_000, "2y"),
        ])
    func units(seconds: Int, text: String) {
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        #expect(Age.text(since: (1_700_000_000 - seconds) * 1_000, at: now) == text)
    }

    @Test("What is to come was now, and any number has an age")
    func extremes() {
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        #expect(Age.text(since: 1_700_000_500_000, at: now) == "0s")
        #expect(Age.text(since: .max, at: now) == "0s")
        #expect(Age.text(since: .min, at: now).hasSuffix("y"))
    }
}
