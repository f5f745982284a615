import PasteboardWire
import Testing

struct WireCodingTests {
    @Test(
        "Milliseconds are rounded down, or up",
        arguments: [
            (.zero, 0, 0), (.milliseconds(1), 1, 1), (.microseconds(1), 0, 1), (.nanoseconds(1_999_999), 1, 2),
            (.seconds(86_400) + .microseconds(1_500), 86_400_001, 86_400_002),
        ] as [(Duration, Int, Int)])
    func milliseconds(duration: Duration, whole: Int, started: Int) {
        #expect(duration.millisecondsRoundedDown == whole)
        #expect(duration.millisecondsRoundedUp == started)
    }
}
