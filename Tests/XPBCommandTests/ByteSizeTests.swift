import Testing

@testable import XPBCommand

@Suite struct ByteSizeTests {
    @Test(
        "Bytes are written in the largest unit that they have one of, with a decimal below ten",
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
