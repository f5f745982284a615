import PasteboardWire
import Testing

struct WireCodingTests {
    /// The replies to a client that does not read stay in memory. The allocator rounds lengths up to a multiple of 16,
    /// and so leaves room for the NUL of most messages, but not of all.
    @Test("An encoded message takes little more memory than its bytes", arguments: 32_000..<32_016)
    func capacity(length: Int) throws {
        let message = try WireCoding.encode([String(repeating: "a", count: length)])
        #expect(message.count == length + 5)
        #expect(message.last == 0)
        #expect(message.capacity < message.count + message.count / 4)
    }

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
