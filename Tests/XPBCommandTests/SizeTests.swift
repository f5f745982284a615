import Testing

@testable import XPBCommand

@Suite struct SizeTests {
    @Test(
        "A size is told in the largest unit of which there are some, rounded up",
        arguments: [
            (0, "0 bytes"), (1, "1 byte"), (1023, "1023 bytes"), (1024, "1 KiB"), (1025, "2 KiB"),
            (1 << 20, "1 MiB"), (16 << 20, "16 MiB"), (1 << 30, "1 GiB"), (5 << 40, "5120 GiB"),
        ])
    func text(bytes: Int, text: String) { #expect(Size.text(bytes) == text) }
}
