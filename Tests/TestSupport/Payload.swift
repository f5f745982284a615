import TestRandom

/// Bytes that a test sends through, the same at each run.
package enum Payload {
    /// Pseudo-random bytes, NULs among them. What is longer than a block repeats it; the block's length is a prime, so
    /// that a chunk lost or sent twice shows whatever the size of chunks.
    package static func random(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count { bytes += block.prefix(count - bytes.count) }
        return bytes
    }

    /// 1,048,583 bytes.
    private static let block: [UInt8] = {
        var generator = SeededGenerator(seed: 1)
        return (0..<1_048_583).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
    }()

    /// UTF-8 text of that many bytes, all of it printable, with characters of one, two, three and four bytes.
    package static func text(_ count: Int) -> [UInt8] {
        let phrase = Array("naïve café, 日本語, 𝄞 and plain words. ".utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count + phrase.count <= count { bytes += phrase }
        while bytes.count < count { bytes.append(UInt8(ascii: ".")) }
        return bytes
    }

    /// Where two byte strings differ, in words; nil where they are the same. Comparing them in `#expect` itself
    /// would print all of them.
    package static func difference(_ found: [UInt8], _ expected: [UInt8]) -> String? {
        if found == expected { return nil }
        let same = zip(found, expected).prefix { $0 == $1 }.count
        return "\(found.count) bytes where \(expected.count) were expected; the first \(same) are the same"
    }
}
