/// How large a picture is, as the head of its file tells. Nothing is decoded, and the rest of the file is not looked at:
/// what says it is a picture may be damaged.
package struct ImageSize: Hashable, Sendable {
    /// In pixels, as they are stored: a camera's mark that the picture is to be turned does not count.
    package let width: Int
    package let height: Int

    private init?(_ width: Int, _ height: Int) {
        guard width > 0, height > 0 else { return nil }
        self.width = width
        self.height = height
    }

    /// The size of a PNG, JPEG, GIF, BMP, WebP, TIFF, ICO or XPM; nil for all else. Of several pictures in one file it is
    /// the first, of an icon the largest.
    package init?(_ bytes: [UInt8]) {
        self.init(length: bytes.count) { Array(bytes[$0]) }
    }

    /// The same, of a file of which only few bytes are read.
    ///
    /// - Parameters:
    ///   - length: Of the file, in bytes.
    ///   - read: Gives the bytes of a range that is within the length; nil where they cannot be read.
    package init?(length: Int, reading read: @escaping (Range<Int>) -> [UInt8]?) {
        self.init(ImageHead(length: length, read: read))
    }

    private init?(_ head: ImageHead) {
        guard let first = head.bytes(0, 2) else { return nil }
        switch (first[0], first[1]) {
        case (0x89, 0x50): self.init(png: head)
        case (0xFF, 0xD8): self.init(jpeg: head)
        case (0x47, 0x49): self.init(gif: head)
        case (0x42, 0x4D): self.init(bmp: head)
        case (0x52, 0x49): self.init(webP: head)
        case (0x49, 0x49): self.init(tiff: head, .little)
        case (0x4D, 0x4D): self.init(tiff: head, .big)
        case (0x00, 0x00): self.init(icon: head)
        case (0x2F, 0x2A): self.init(xpm: head)
        default: return nil
        }
    }

    // MARK: Formats

    /// The IHDR chunk is always the first (PNG, section 5.6).
    private init?(png head: ImageHead) {
        guard head.has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], at: 0), head.has("IHDR", at: 12),
            let width = head.number(16, bytes: 4, .big), let height = head.number(20, bytes: 4, .big)
        else { return nil }
        self.init(width, height)
    }

    /// The markers up to the first frame header, SOF (ITU T.81, annex B). Cameras put thumbnails and profiles before it,
    /// each in segments of 64 KiB at most.
    private init?(jpeg head: ImageHead) {
        var place = 2
        for _ in 0..<ImageHead.mostParts {
            guard let marker = head.bytes(place, 2), marker[0] == 0xFF else { return nil }
            switch marker[1] {
            // A byte of padding.
            case 0xFF: place += 1
            // Markers without a segment.
            case 0x01, 0xD0...0xD7: place += 2
            // The frame headers; DHT, JPG and DAC stand among them.
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                guard let height = head.number(place + 5, bytes: 2, .big),
                    let width = head.number(place + 7, bytes: 2, .big)
                else { return nil }
                self.init(width, height)
                return
            // The picture begins, or ends, and had no header.
            case 0xD8...0xDA: return nil
            default:
                guard let length = head.number(place + 2, bytes: 2, .big), length >= 2 else { return nil }
                place += 2 + length
            }
        }
        return nil
    }

    private init?(gif head: ImageHead) {
        guard head.has("GIF87a", at: 0) || head.has("GIF89a", at: 0),
            let width = head.number(6, bytes: 2, .little), let height = head.number(8, bytes: 2, .little)
        else { return nil }
        self.init(width, height)
    }

    /// The header of OS/2 has 12 bytes and small numbers; all later ones begin alike. A negative height is that of a
    /// picture whose first line is on top.
    private init?(bmp head: ImageHead) {
        guard let header = head.number(14, bytes: 4, .little) else { return nil }
        if header == 12 {
            guard let width = head.number(18, bytes: 2, .little), let height = head.number(20, bytes: 2, .little) else {
                return nil
            }
            self.init(width, height)
        } else {
            guard header >= 16, let width = head.number(18, bytes: 4, .little),
                let height = head.number(22, bytes: 4, .little)
            else { return nil }
            self.init(
                Int(Int32(truncatingIfNeeded: width)), Int(Int32(truncatingIfNeeded: height).magnitude))
        }
    }

    /// A RIFF file whose first chunk is the picture, with loss or without, or tells of what follows (RFC 9649).
    private init?(webP head: ImageHead) {
        guard head.has("RIFF", at: 0), head.has("WEBP", at: 8) else { return nil }
        if head.has("VP8 ", at: 12), head.has([0x9D, 0x01, 0x2A], at: 23) {
            guard let width = head.number(26, bytes: 2, .little), let height = head.number(28, bytes: 2, .little) else {
                return nil
            }
            // The two upper bits are a scale.
            self.init(width & 0x3FFF, height & 0x3FFF)
        } else if head.has("VP8L", at: 12), head.has([0x2F], at: 20) {
            guard let both = head.number(21, bytes: 4, .little) else { return nil }
            self.init((both & 0x3FFF) + 1, (both >> 14 & 0x3FFF) + 1)
        } else if head.has("VP8X", at: 12) {
            guard let width = head.number(24, bytes: 3, .little), let height = head.number(27, bytes: 3, .little) else {
                return nil
            }
            self.init(width + 1, height + 1)
        } else {
            return nil
        }
    }

    /// ImageWidth and ImageLength of the first directory, which libtiff writes behind the picture (TIFF 6.0, section 2).
    private init?(tiff head: ImageHead, _ order: ByteOrder) {
        guard head.number(2, bytes: 2, order) == 42, let directory = head.number(4, bytes: 4, order),
            let count = head.number(directory, bytes: 2, order)
        else { return nil }
        var width: Int?
        var height: Int?
        for index in 0..<min(count, ImageHead.mostParts) {
            let entry = directory + 2 + 12 * index
            guard let tag = head.number(entry, bytes: 2, order), let type = head.number(entry + 2, bytes: 2, order)
            else { return nil }
            // They are sorted.
            if tag > 257 { break }
            guard tag >= 256, type == 3 || type == 4 else { continue }
            let value = head.number(entry + 8, bytes: type == 3 ? 2 : 4, order)
            if tag == 256 { width = value } else { height = value }
        }
        guard let width, let height else { return nil }
        self.init(width, height)
    }

    /// Icons and cursors. A side of 256 is written as 0.
    private init?(icon head: ImageHead) {
        guard head.has([0, 0, 1, 0], at: 0) || head.has([0, 0, 2, 0], at: 0),
            let count = head.number(4, bytes: 2, .little)
        else { return nil }
        var largest: ImageSize?
        for index in 0..<min(count, ImageHead.mostParts) {
            guard let sides = head.bytes(6 + 16 * index, 2) else { break }
            let side = sides.map { $0 == 0 ? 256 : Int($0) }
            if side[0] * side[1] > (largest.map { $0.width * $0.height } ?? 0) { largest = Self(side[0], side[1]) }
        }
        guard let largest else { return nil }
        self = largest
    }

    /// C source, whose first string begins with the width and the height.
    private init?(xpm head: ImageHead) {
        guard head.has("/* XPM */", at: 0), let text = head.bytes(0, min(head.length, 4_096)),
            let quote = text.firstIndex(of: UInt8(ascii: "\""))
        else { return nil }
        let numbers = text[(quote + 1)...].prefix { $0 != UInt8(ascii: "\"") }.split { $0 == 0x20 || $0 == 0x09 }
            .prefix(2).compactMap { Int32(String(decoding: $0, as: UTF8.self)) }
        guard numbers.count == 2 else { return nil }
        self.init(Int(numbers[0]), Int(numbers[1]))
    }
}
