/// An image file, read only at the places that count.
struct ImageHead {
    /// At most so many segments, entries or pictures of one file are gone through.
    static let mostParts = 1_024

    /// Of the file, in bytes.
    let length: Int
    /// Gives the bytes of a range that is within the length.
    let read: (Range<Int>) -> [UInt8]?

    /// Nil where the file does not have them all.
    func bytes(_ place: Int, _ count: Int) -> [UInt8]? {
        guard place >= 0, count <= length, place <= length - count, let bytes = read(place..<place + count),
            bytes.count == count
        else { return nil }
        return bytes
    }

    /// A number without a sign, of at most four bytes.
    func number(_ place: Int, bytes count: Int, _ order: ByteOrder) -> Int? {
        guard let bytes = bytes(place, count) else { return nil }
        let ordered = order == .big ? bytes : bytes.reversed()
        return ordered.reduce(0) { $0 << 8 | Int($1) }
    }

    func has(_ expected: [UInt8], at place: Int) -> Bool { bytes(place, expected.count) == expected }

    func has(_ expected: String, at place: Int) -> Bool { has(Array(expected.utf8), at: place) }
}
