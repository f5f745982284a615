/// A writer of small PNG files for a terminal: flat areas are compressed, and little time is spent on the rest.
package enum PNGWriter {
    package static func file(_ pixels: Pixels) -> [UInt8] {
        let size = bigEndian(UInt32(pixels.width)) + bigEndian(UInt32(pixels.height))
        // Eight bits of red, green, blue and opacity.
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", size + [8, 6, 0, 0, 0])
            + chunk("IDAT", Deflate.zlib(filtered(pixels))) + chunk("IEND", [])
    }

    /// Returns the rows with the numbers of their filters: the first as the difference to the pixel on the left, the
    /// others as the difference to the row above.
    private static func filtered(_ pixels: Pixels) -> [UInt8] {
        let length = 4 * pixels.width
        var rows: [UInt8] = []
        rows.reserveCapacity((length + 1) * pixels.height)
        for start in stride(from: 0, to: pixels.bytes.count, by: max(length, 1)) {
            rows.append(start == 0 ? 1 : 2)
            let distance = start == 0 ? 4 : length
            for index in start..<start + length {
                rows.append(pixels.bytes[index] &- (index < distance ? 0 : pixels.bytes[index - distance]))
            }
        }
        return rows
    }

    private static func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
        let named = Array(name.utf8) + bytes
        return bigEndian(UInt32(bytes.count)) + named + bigEndian(CyclicRedundancyCheck.value(of: named))
    }

    static func bigEndian(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}

/// A compressor that finds runs of equal bytes and nothing else, with the fixed codes of RFC 1951.
private struct Deflate {
    private var output: [UInt8] = [0x78, 0x01]
    private var buffer: UInt32 = 0
    private var count = 0

    static func zlib(_ bytes: [UInt8]) -> [UInt8] {
        var deflate = Deflate()
        // The last block, with the fixed codes.
        deflate.write(1, bits: 1)
        deflate.write(1, bits: 2)
        deflate.compress(bytes)
        deflate.write(code: 256)
        deflate.write(0, bits: 7)
        return deflate.output + PNGWriter.bigEndian(adler32(bytes))
    }

    private mutating func compress(_ bytes: [UInt8]) {
        var index = 0
        while index < bytes.count {
            write(code: Int(bytes[index]))
            var run = 0
            while index + 1 + run < bytes.count, bytes[index + 1 + run] == bytes[index] { run += 1 }
            index += 1 + run
            while run >= 3 { run -= writeRun(run) }
            for _ in 0..<run { write(code: Int(bytes[index - 1])) }
        }
    }

    /// Writes a match at distance 1, and returns its length.
    private mutating func writeRun(_ run: Int) -> Int {
        let wanted = min(run, 258)
        let symbol = Inflate.lengths.lastIndex { $0.0 <= wanted } ?? 0
        let (base, extra) = Inflate.lengths[symbol]
        let added = min(wanted - base, 1 << extra - 1)
        write(code: 257 + symbol)
        write(UInt32(added), bits: extra)
        // The code of distance 1.
        write(0, bits: 5)
        return base + added
    }

    /// Writes a symbol by its fixed code, the highest bit first (RFC 1951, section 3.2.6).
    private mutating func write(code symbol: Int) {
        let (code, bits) =
            switch symbol {
            case ..<144: (0x30 + symbol, 8)
            case ..<256: (0x190 + symbol - 144, 9)
            case ..<280: (symbol - 256, 7)
            default: (0xC0 + symbol - 280, 8)
            }
        for bit in stride(from: bits - 1, through: 0, by: -1) { write(UInt32(code >> bit & 1), bits: 1) }
    }

    private mutating func write(_ value: UInt32, bits: Int) {
        buffer |= value << UInt32(count)
        count += bits
        while count >= 8 {
            output.append(UInt8(truncatingIfNeeded: buffer))
            buffer >>= 8
            count -= 8
        }
    }

    private static func adler32(_ bytes: [UInt8]) -> UInt32 {
        var (a, b) = (UInt32(1), UInt32(0))
        for byte in bytes {
            a = (a + UInt32(byte)) % 65_521
            b = (b + a) % 65_521
        }
        return b << 16 | a
    }
}

/// The checksum of PNG's chunks (CRC-32 of ISO 3309).
private enum CyclicRedundancyCheck {
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }

    static func value(of bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { value, byte in table[Int((value ^ UInt32(byte)) & 255)] ^ value >> 8 }
    }
}
