/// Random numbers with a known sequence (SplitMix64): a failure that names its seed can be repeated.
struct Generator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    /// Bytes of all values, or of those given.
    mutating func bytes(upTo length: Int, from alphabet: [UInt8] = Array(0...255)) -> [UInt8] {
        (0..<Int.random(in: 0...length, using: &self)).map { _ in alphabet.randomElement(using: &self) ?? 0 }
    }
}
