import TestRandom

extension SeededGenerator {
    /// Bytes of all values, or of those given.
    mutating func bytes(upTo length: Int, from alphabet: [UInt8] = Array(0...255)) -> [UInt8] {
        (0..<Int.random(in: 0...length, using: &self)).map { _ in alphabet.randomElement(using: &self) ?? 0 }
    }
}
