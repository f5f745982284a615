import CommandCore
import Testing
import XPBCommand

@Suite struct LifetimeTests {
    @Test(
        "A time has a unit or is in seconds, with decimals, and is rounded up to milliseconds",
        arguments: [
            ("45", 45_000), ("45s", 45_000), ("1.5m", 90_000), ("2h", 7_200_000), ("7d", 604_800_000), ("0.0001", 1),
            (".5s", 500), ("1.", 1_000), ("10000d", 864_000_000_000),
        ])
    func times(text: String, milliseconds: Int) {
        #expect(Lifetime(argument: text)?.milliseconds == milliseconds)
    }

    @Test(
        "A time that is invalid, zero or too long is refused",
        arguments: [
            "", "s", "0", "0s", "0.0", "-1", "+1", "1e3", "inf", "nan", "5x", "5 s", "5ms", "1h30m", ".", "10001d",
            "٣", "0x10", "1,5",
        ])
    func none(text: String) {
        #expect(Lifetime(argument: text) == nil)
    }
}
