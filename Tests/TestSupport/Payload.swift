import TestRandom

/// Test data that is the same in every run.
package enum Payload {
    /// Returns pseudo-random bytes, including NUL. Longer data repeats a block whose length is prime, so that a lost or
    /// repeated chunk of any size is detected.
    package static func random(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count { bytes += block.prefix(count - bytes.count) }
        return bytes
    }

    /// A block of 1,048,583 bytes.
    private static let block: [UInt8] = {
        var generator = SeededGenerator(seed: 1)
        return (0..<1_048_583).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
    }()

    /// Returns printable UTF-8 text of the given number of bytes, with characters of one, two, three and four bytes.
    package static func text(_ count: Int) -> [UInt8] {
        let phrase = Array("naïve café, 日本語, 𝄞 and plain words. ".utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count + phrase.count <= count { bytes += phrase }
        while bytes.count < count { bytes.append(UInt8(ascii: ".")) }
        return bytes
    }

    /// Returns a description of the difference between two byte strings; nil if they are equal. `#expect` on the arrays
    /// themselves would print all of their bytes.
    package static func difference(_ found: [UInt8], _ expected: [UInt8]) -> String? {
        if found == expected { return nil }
        let same = zip(found, expected).prefix { $0 == $1 }.count
        return "\(found.count) bytes where \(expected.count) were expected; the first \(same) are the same"
    }
}
