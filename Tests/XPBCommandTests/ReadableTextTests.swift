import CommandCore
import FoundationEssentials
import Testing
import XPBCommand

@Suite struct ByteSizeTests {
    @Test(
        "Bytes are written in the largest unit that fits, with a decimal below ten",
        arguments: [
            (0, "0 bytes"), (1, "1 byte"), (1_023, "1023 bytes"), (1_024, "1 KiB"), (1_536, "1.5 KiB"),
            (10_239, "10 KiB"), (10_240, "10 KiB"), (319_488, "312 KiB"), (1_048_063, "1023 KiB"),
            (1_048_575, "1 MiB"), (1_258_291, "1.2 MiB"), (1 << 30, "1 GiB"), (1 << 40, "1 TiB"),
            (.max, "8388608 TiB"),
        ])
    func sizes(bytes: Int, text: String) {
        #expect(ByteSize.text(bytes) == text)
    }
}

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

    @Test("A future moment counts as now, and every number has an age")
    func extremes() {
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        #expect(Age.text(since: 1_700_000_500_000, at: now) == "0s")
        #expect(Age.text(since: .max, at: now) == "0s")
        #expect(Age.text(since: .min, at: now).hasSuffix("y"))
    }
}
