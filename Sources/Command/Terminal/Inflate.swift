/// A decompressor of zlib streams (RFC 1950), as in PNG files.
struct Inflate {
    /// The stream is damaged, or longer than expected.
    struct Damaged: Error {}

    private var bits: BitReader
    private var output: [UInt8] = []
    /// The limit on the output.
    private let limit: Int

    /// Returns the decompressed bytes.
    ///
    /// - Parameter limit: The length that the caller expects; a longer stream is an error. The checksum at the end is
    ///   not examined, since a damaged picture is better than none.
    static func zlib(_ bytes: [UInt8], limit: Int) throws(Damaged) -> [UInt8] {
        // The method must be deflate, and no dictionary may be needed.
        guard bytes.count >= 2, bytes[0] & 0x0F == 8, bytes[1] & 0x20 == 0,
            (Int(bytes[0]) << 8 | Int(bytes[1])).isMultiple(of: 31)
        else { throw Damaged() }
        var inflate = Inflate(bits: BitReader(bytes: bytes, position: 2), limit: limit)
        inflate.output.reserveCapacity(limit)
        while try !inflate.readBlock() {}
        return inflate.output
    }

    private init(bits: BitReader, limit: Int) {
        self.bits = bits
        self.limit = limit
    }

    /// Reads a block, and returns true after the last one.
    private mutating func readBlock() throws(Damaged) -> Bool {
        let isLast = try bits.read(1) == 1
        switch try bits.read(2) {
        case 0: try copyStored()
        case 1: try decode(literals: .fixedLiterals, distances: .fixedDistances)
        case 2:
            let (literals, distances) = try readTables()
            try decode(literals: literals, distances: distances)
        default: throw Damaged()
        }
        return isLast
    }

    private mutating func copyStored() throws(Damaged) {
        bits.alignToByte()
        let length = try bits.read(16)
        guard try bits.read(16) == ~length & 0xFFFF, output.count + length <= limit else { throw Damaged() }
        output += try bits.readBytes(length)
    }

    private mutating func decode(literals: HuffmanTable, distances: HuffmanTable) throws(Damaged) {
        while true {
            let symbol = try bits.symbol(literals)
            if symbol < 256 {
                guard output.count < limit else { throw Damaged() }
                output.append(UInt8(symbol))
            } else if symbol == 256 {
                return
            } else {
                try copyMatch(symbol, distances)
            }
        }
    }

    private mutating func copyMatch(_ symbol: Int, _ distances: HuffmanTable) throws(Damaged) {
        guard symbol - 257 < Self.lengths.count else { throw Damaged() }
        let (base, extra) = Self.lengths[symbol - 257]
        let length = base + (try bits.read(extra))
        let code = try bits.symbol(distances)
        guard code < Self.distances.count else { throw Damaged() }
        let (start, more) = Self.distances[code]
        let distance = start + (try bits.read(more))
        guard distance <= output.count, output.count + length <= limit else { throw Damaged() }
        // The source may overlap the bytes that are being written.
        for index in output.count - distance..<output.count - distance + length { output.append(output[index]) }
    }

    /// Reads the code lengths of a block with its own tables (RFC 1951, section 3.2.7).
    private mutating func readTables() throws(Damaged) -> (literals: HuffmanTable, distances: HuffmanTable) {
        let literalCount = try bits.read(5) + 257
        let distanceCount = try bits.read(5) + 1
        let lengthCount = try bits.read(4) + 4
        var lengths = [UInt8](repeating: 0, count: 19)
        for index in 0..<lengthCount { lengths[Self.lengthOrder[index]] = UInt8(try bits.read(3)) }
        let codes = try HuffmanTable(lengths[...])

        var all: [UInt8] = []
        let count = literalCount + distanceCount
        while all.count < count {
            let symbol = try bits.symbol(codes)
            switch symbol {
            case 0...15: all.append(UInt8(symbol))
            case 16:
                guard let last = all.last else { throw Damaged() }
                all += repeatElement(last, count: 3 + (try bits.read(2)))
            case 17: all += repeatElement(0, count: 3 + (try bits.read(3)))
            default: all += repeatElement(0, count: 11 + (try bits.read(7)))
            }
        }
        guard all.count == count else { throw Damaged() }
        return (try HuffmanTable(all[..<literalCount]), try HuffmanTable(all[literalCount...]))
    }

    private static let lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    /// The lengths of the symbols from 257 on, each with its number of extra bits.
    static let lengths: [(Int, Int)] =
        (0..<8).map { ($0 + 3, 0) }
        + (8..<28).map { code in
            let extra = code / 4 - 1
            return (3 + (4 + code % 4) << extra, extra)
        } + [(258, 0)]

    /// The distances of the symbols, each with its number of extra bits.
    private static let distances: [(Int, Int)] =
        (0..<4).map { ($0 + 1, 0) }
        + (4..<30).map { code in
            let extra = code / 2 - 1
            return (1 + (2 + code % 2) << extra, extra)
        }
}

/// A source of bits, the lowest of each byte first.
private struct BitReader {
    private let bytes: [UInt8]
    private var position: Int
    private var buffer: UInt32 = 0
    private var count = 0

    init(bytes: [UInt8], position: Int) {
        self.bytes = bytes
        self.position = position
    }

    /// Makes at least `needed` bits available, at most 16. Zeros follow the end of the stream; ``drop(_:)`` throws
    /// rather than let a caller use them.
    private mutating func fill(_ needed: Int) {
        while count < needed {
            if position < bytes.count { buffer |= UInt32(bytes[position]) << UInt32(count) }
            position += 1
            count += 8
        }
    }

    private mutating func drop(_ number: Int) throws(Inflate.Damaged) {
        buffer >>= UInt32(number)
        count -= number
        // Whole bytes after the end may be in the buffer, but none of their bits may be used.
        guard position - count / 8 <= bytes.count else { throw Inflate.Damaged() }
    }

    mutating func read(_ number: Int) throws(Inflate.Damaged) -> Int {
        guard number > 0 else { return 0 }
        fill(number)
        let value = Int(buffer & (1 << UInt32(number) - 1))
        try drop(number)
        return value
    }

    mutating func symbol(_ table: HuffmanTable) throws(Inflate.Damaged) -> Int {
        guard table.width > 0 else { throw Inflate.Damaged() }
        fill(table.width)
        let entry = table.entries[Int(buffer & (1 << UInt32(table.width) - 1))]
        guard entry != 0 else { throw Inflate.Damaged() }
        try drop(Int(entry & 15))
        return Int(entry >> 4)
    }

    mutating func alignToByte() {
        buffer >>= UInt32(count % 8)
        count -= count % 8
    }

    /// Returns bytes. The reader must be aligned, with only whole bytes read since.
    mutating func readBytes(_ length: Int) throws(Inflate.Damaged) -> ArraySlice<UInt8> {
        let start = position - count / 8
        guard start + length <= bytes.count else { throw Inflate.Damaged() }
        position = start + length
        buffer = 0
        count = 0
        return bytes[start..<position]
    }
}

/// The symbols of a Huffman code, indexed by bits that begin with their codes.
private struct HuffmanTable {
    /// The length of the longest code.
    let width: Int
    /// A symbol and, in the lowest four bits, the length of its code; 0 for bits without a code.
    let entries: [UInt32]

    static let fixedLiterals: HuffmanTable = table(
        [UInt8](repeating: 8, count: 144) + [UInt8](repeating: 9, count: 112) + [UInt8](repeating: 7, count: 24)
            + [UInt8](repeating: 8, count: 8))
    static let fixedDistances: HuffmanTable = table([UInt8](repeating: 5, count: 30))

    private static func table(_ lengths: [UInt8]) -> HuffmanTable {
        guard let table = try? HuffmanTable(lengths[...]) else { preconditionFailure("a fixed code is valid") }
        return table
    }

    /// - Parameter lengths: The lengths of the codes, at most 15; 0 for a symbol without a code.
    init(_ lengths: ArraySlice<UInt8>) throws(Inflate.Damaged) {
        width = Int(lengths.max() ?? 0)
        var counts = [Int](repeating: 0, count: 16)
        for length in lengths where length > 0 { counts[Int(length)] += 1 }
        var next = [Int](repeating: 0, count: 17)
        for length in 1...15 { next[length + 1] = (next[length] + counts[length]) << 1 }
        var entries = [UInt32](repeating: 0, count: 1 << width)
        for (symbol, length) in lengths.enumerated() where length > 0 {
            let length = Int(length)
            let code = next[length]
            next[length] += 1
            guard code < 1 << length else { throw Inflate.Damaged() }
            // Codes are stored from their highest bit on.
            let reversed = Int(UInt16(code).bitReversed >> UInt16(16 - length))
            for index in stride(from: reversed, to: 1 << width, by: 1 << length) {
                entries[index] = UInt32(symbol) << 4 | UInt32(length)
            }
        }
        self.entries = entries
    }
}

extension UInt16 {
    fileprivate var bitReversed: UInt16 {
        var value = self
        value = (value >> 1) & 0x5555 | (value & 0x5555) << 1
        value = (value >> 2) & 0x3333 | (value & 0x3333) << 2
        value = (value >> 4) & 0x0F0F | (value & 0x0F0F) << 4
        return value.byteSwapped
    }
}
