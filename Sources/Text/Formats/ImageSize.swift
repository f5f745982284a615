/// The size of a picture, read from the header of its file. The picture is not decoded, so a file with a size may still
/// be damaged.
package struct ImageSize: Hashable, Sendable {
    /// The width in pixels, as stored: a camera's orientation tag, which asks for a rotation, is ignored.
    package let width: Int
    /// The height in pixels, as stored.
    package let height: Int

    private init?(_ width: Int, _ height: Int) {
        guard width > 0, height > 0 else { return nil }
        self.width = width
        self.height = height
    }

    /// Reads the size of a PNG, JPEG, GIF, BMP, WebP, TIFF, ICO, CUR or XPM file. Only a few bytes are read. If the
    /// file contains several pictures, the size is that of the first; in an icon or cursor, that of the largest.
    ///
    /// - Parameters:
    ///   - length: The length of the file, in bytes.
    ///   - read: Returns the bytes of a range within the length; nil if they cannot be read.
    /// - Returns: nil for any other file, and if width or height is zero or missing.
    package init?(length: Int, reading read: @escaping (Range<Int>) -> [UInt8]?) {
        self.init(ImageFile(length: length, read: read))
    }

    private init?(_ file: ImageFile) {
        guard let first = file.bytes(0, 2) else { return nil }
        switch (first[0], first[1]) {
        case (0x89, 0x50): self.init(png: file)
        case (0xFF, 0xD8): self.init(jpeg: file)
        case (0x47, 0x49): self.init(gif: file)
        case (0x42, 0x4D): self.init(bmp: file)
        case (0x52, 0x49): self.init(webP: file)
        case (0x49, 0x49): self.init(tiff: file, .little)
        case (0x4D, 0x4D): self.init(tiff: file, .big)
        case (0x00, 0x00): self.init(icon: file)
        case (0x2F, 0x2A): self.init(xpm: file)
        default: return nil
        }
    }

    // MARK: Formats

    /// Reads the IHDR chunk, which is always the first (PNG, section 5.6).
    private init?(png file: ImageFile) {
        guard file.has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], at: 0), file.has("IHDR", at: 12),
            let width = file.number(16, bytes: 4, .big), let height = file.number(20, bytes: 4, .big)
        else { return nil }
        self.init(width, height)
    }

    /// Follows the markers up to the first frame header, SOF (ITU T.81, annex B). Cameras put thumbnails and profiles
    /// before it, in segments of at most 64 KiB each.
    private init?(jpeg file: ImageFile) {
        var offset = 2
        for _ in 0..<ImageFile.maxParts {
            guard let marker = file.bytes(offset, 2), marker[0] == 0xFF else { return nil }
            switch marker[1] {
            // A byte of padding.
            case 0xFF: offset += 1
            // Markers without a segment.
            case 0x01, 0xD0...0xD7: offset += 2
            // The frame headers. The numbers between them, DHT, JPG and DAC, are other markers.
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                guard let height = file.number(offset + 5, bytes: 2, .big),
                    let width = file.number(offset + 7, bytes: 2, .big)
                else { return nil }
                self.init(width, height)
                return
            // The picture begins or ends without a frame header.
            case 0xD8...0xDA: return nil
            default:
                guard let length = file.number(offset + 2, bytes: 2, .big), length >= 2 else { return nil }
                offset += 2 + length
            }
        }
        return nil
    }

    private init?(gif file: ImageFile) {
        guard file.has("GIF87a", at: 0) || file.has("GIF89a", at: 0),
            let width = file.number(6, bytes: 2, .little), let height = file.number(8, bytes: 2, .little)
        else { return nil }
        self.init(width, height)
    }

    /// The OS/2 header has 12 bytes and 16-bit numbers; all later headers begin alike. The height is negative if the
    /// first line of the picture is the top one.
    private init?(bmp file: ImageFile) {
        guard let header = file.number(14, bytes: 4, .little) else { return nil }
        if header == 12 {
            guard let width = file.number(18, bytes: 2, .little), let height = file.number(20, bytes: 2, .little) else {
                return nil
            }
            self.init(width, height)
        } else {
            guard header >= 16, let width = file.number(18, bytes: 4, .little),
                let height = file.number(22, bytes: 4, .little)
            else { return nil }
            self.init(
                Int(Int32(truncatingIfNeeded: width)), Int(Int32(truncatingIfNeeded: height).magnitude))
        }
    }

    /// The first chunk of the RIFF file is the picture, lossy or lossless, or a header for the chunks after it (RFC
    /// 9649).
    private init?(webP file: ImageFile) {
        guard file.has("RIFF", at: 0), file.has("WEBP", at: 8) else { return nil }
        if file.has("VP8 ", at: 12), file.has([0x9D, 0x01, 0x2A], at: 23) {
            guard let width = file.number(26, bytes: 2, .little), let height = file.number(28, bytes: 2, .little) else {
                return nil
            }
            // The upper two bits are a scale.
            self.init(width & 0x3FFF, height & 0x3FFF)
        } else if file.has("VP8L", at: 12), file.has([0x2F], at: 20) {
            guard let both = file.number(21, bytes: 4, .little) else { return nil }
            self.init((both & 0x3FFF) + 1, (both >> 14 & 0x3FFF) + 1)
        } else if file.has("VP8X", at: 12) {
            guard let width = file.number(24, bytes: 3, .little), let height = file.number(27, bytes: 3, .little) else {
                return nil
            }
            self.init(width + 1, height + 1)
        } else {
            return nil
        }
    }

    /// Reads ImageWidth and ImageLength from the first directory, which libtiff writes after the picture (TIFF 6.0,
    /// section 2).
    private init?(tiff file: ImageFile, _ order: ByteOrder) {
        guard file.number(2, bytes: 2, order) == 42, let directory = file.number(4, bytes: 4, order),
            let count = file.number(directory, bytes: 2, order)
        else { return nil }
        var width: Int?
        var height: Int?
        for index in 0..<min(count, ImageFile.maxParts) {
            let entry = directory + 2 + 12 * index
            guard let tag = file.number(entry, bytes: 2, order), let type = file.number(entry + 2, bytes: 2, order)
            else { return nil }
            // Entries are sorted by tag.
            if tag > 257 { break }
            guard tag >= 256, type == 3 || type == 4 else { continue }
            let value = file.number(entry + 8, bytes: type == 3 ? 2 : 4, order)
            if tag == 256 { width = value } else { height = value }
        }
        guard let width, let height else { return nil }
        self.init(width, height)
    }

    /// Reads icons and cursors. A width or height of 256 is stored as 0.
    private init?(icon file: ImageFile) {
        guard file.has([0, 0, 1, 0], at: 0) || file.has([0, 0, 2, 0], at: 0),
            let count = file.number(4, bytes: 2, .little)
        else { return nil }
        var largest: ImageSize?
        for index in 0..<min(count, ImageFile.maxParts) {
            guard let sides = file.bytes(6 + 16 * index, 2) else { break }
            let side = sides.map { $0 == 0 ? 256 : Int($0) }
            if side[0] * side[1] > (largest.map { $0.width * $0.height } ?? 0) { largest = Self(side[0], side[1]) }
        }
        guard let largest else { return nil }
        self = largest
    }

    /// Reads C source code, whose first string begins with the width and the height.
    private init?(xpm file: ImageFile) {
        guard file.has("/* XPM */", at: 0), let text = file.bytes(0, min(file.length, 4_096)),
            let quote = text.firstIndex(of: UInt8(ascii: "\""))
        else { return nil }
        let numbers = text[(quote + 1)...].prefix { $0 != UInt8(ascii: "\"") }.split { $0 == 0x20 || $0 == 0x09 }
            .prefix(2).compactMap { Int32(String(decoding: $0, as: UTF8.self)) }
        guard numbers.count == 2 else { return nil }
        self.init(Int(numbers[0]), Int(numbers[1]))
    }
}

/// Random access to an image file, since only a few of its bytes are needed.
private struct ImageFile {
    /// The maximum number of segments, directory entries or icons that are examined in one file.
    static let maxParts = 1_024

    /// The length of the file, in bytes.
    let length: Int
    /// Returns the bytes of a range within the length; nil if they cannot be read.
    let read: (Range<Int>) -> [UInt8]?

    /// Returns `count` bytes at `offset`; nil if the file does not have all of them.
    func bytes(_ offset: Int, _ count: Int) -> [UInt8]? {
        guard offset >= 0, count <= length, offset <= length - count, let bytes = read(offset..<offset + count),
            bytes.count == count
        else { return nil }
        return bytes
    }

    /// Returns the unsigned number of `count` bytes, at most four, at `offset`.
    func number(_ offset: Int, bytes count: Int, _ order: ByteOrder) -> Int? {
        guard let bytes = bytes(offset, count) else { return nil }
        let ordered = order == .big ? bytes : bytes.reversed()
        return ordered.reduce(0) { $0 << 8 | Int($1) }
    }

    func has(_ expected: [UInt8], at offset: Int) -> Bool { bytes(offset, expected.count) == expected }

    func has(_ expected: String, at offset: Int) -> Bool { has(Array(expected.utf8), at: offset) }
}
