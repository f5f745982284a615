import FoundationEssentials

/// The objects of a property list in Apple's binary format, for a check before it is decoded.
///
/// An object of a list can be a part of several others, and decoders repeat it for each of them: a list of 400 bytes
/// can stand for more values than fit into memory. The list ends with a table of the objects' places and a trailer of
/// 32 bytes. All numbers are big-endian.
///
/// Source: CFBinaryPList.c in Apple's CoreFoundation.
struct BinaryPropertyList {
    /// The maximum number of containers around a value. Decoders of deeper lists exhaust the stack.
    static let maxDepth = 512

    static let magic = Array("bplist0".utf8)
    private static let trailerLength = 32

    /// The references to the parts of an array or a dictionary. Other objects have no parts.
    private struct Parts {
        var place = 0
        var count = 0
    }

    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let count: Int
    private let top: Int
    private let table: Int

    /// Reads the trailer; nil if there is none.
    private init?(_ data: Data) {
        guard data.count > Self.trailerLength, data.starts(with: Self.magic) else { return nil }
        bytes = Array(data)
        let trailer = bytes.count - Self.trailerLength
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        guard let count = Self.number(in: bytes, at: trailer + 8, size: 8),
            let top = Self.number(in: bytes, at: trailer + 16, size: 8),
            let table = Self.number(in: bytes, at: trailer + 24, size: 8), top < count, table <= trailer,
            offsetSize > 0, count <= (trailer - table) / offsetSize
        else { return nil }
        (self.count, self.top, self.table) = (count, top, table)
    }

    /// Returns true for a binary list that stands for about as many values as it has bytes, or for fewer.
    static func isDecodable(_ data: Data) -> Bool {
        guard let list = BinaryPropertyList(data) else { return false }
        return list.hasFewValues(limit: data.count + 1_000_000)
    }

    /// Adds up the values for which each object stands, in the order of decoding.
    private func hasFewValues(limit: Int) -> Bool {
        /// The values of each object; 0 for an object that is not known yet, and -1 for one that is being counted.
        var values = [Int32](repeating: 0, count: count)
        var path: [(object: Int, parts: Parts, next: Int)] = []
        func enter(_ object: Int) -> Bool {
            guard let parts = parts(of: object) else { return false }
            guard parts.count > 0 else {
                values[object] = 1
                return true
            }
            guard path.count <= Self.maxDepth else { return false }
            values[object] = -1
            path.append((object, parts, 0))
            return true
        }
        guard enter(top) else { return false }
        var sums = [0]
        while let (object, parts, next) = path.last {
            guard next < parts.count else {
                path.removeLast()
                values[object] = Int32(clamping: sums.removeLast() + 1)
                continue
            }
            guard let part = number(at: parts.place + next * referenceSize, size: referenceSize), part < count,
                values[part] >= 0
            else { return false }
            if values[part] == 0 {
                guard enter(part) else { return false }
                if values[part] < 0 {
                    sums.append(0)
                    continue
                }
            }
            path[path.count - 1].next += 1
            sums[sums.count - 1] += Int(values[part])
            guard sums[sums.count - 1] <= limit else { return false }
        }
        return true
    }

    /// Returns the parts of an object; nil if it is damaged.
    private func parts(of object: Int) -> Parts? {
        guard let offset = number(at: table + object * offsetSize, size: offsetSize), offset < bytes.count else {
            return nil
        }
        let (kind, length) = (bytes[offset] >> 4, Int(bytes[offset] & 0x0F))
        let isDictionary = kind == 0xD
        // Sets are not property lists. Foundation crashes when it converts one.
        guard kind != 0xB, kind != 0xC else { return nil }
        guard isDictionary || kind == 0xA else { return Parts() }
        var parts = Parts(place: offset + 1, count: length)
        // A length of 15 or more follows as an integer.
        if length == 0x0F {
            guard offset + 1 < bytes.count, bytes[offset + 1] >> 4 == 1 else { return nil }
            let size = 1 << Int(bytes[offset + 1] & 0x0F)
            guard let number = number(at: offset + 2, size: size) else { return nil }
            parts = Parts(place: offset + 2 + size, count: number)
        }
        if isDictionary { parts.count *= 2 }
        return parts.count <= bytes.count ? parts : nil
    }

    private func number(at place: Int, size: Int) -> Int? { Self.number(in: bytes, at: place, size: size) }

    /// Reads a number; nil if it is not within the bytes, or too large for a place in a file.
    private static func number(in bytes: [UInt8], at place: Int, size: Int) -> Int? {
        guard (1...8).contains(size), place >= 0, place <= bytes.count - size else { return nil }
        var number: UInt64 = 0
        for byte in bytes[place..<place + size] { number = number << 8 | UInt64(byte) }
        return number < 1 << 40 ? Int(number) : nil
    }
}
