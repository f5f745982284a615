package import UniformTypes

/// A format in which pictures are read and written.
package enum PictureFormat: String, CaseIterable, Sendable {
    case png, bmp, tiff

    package var type: UniformType {
        switch self {
        case .png: .png
        case .bmp: .bmp
        case .tiff: .tiff
        }
    }

    /// The number of bytes by which a format is recognized.
    package static let signatureLength = 8

    /// Recognizes the format of a file by its first bytes; nil for any other format.
    package init?(_ bytes: some Collection<UInt8>) {
        let start = Array(bytes.prefix(Self.signatureLength))
        if start == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] {
            self = .png
        } else if start.starts(with: [0x42, 0x4D]) || Self.isHeaderOfDIB(start) {
            self = .bmp
        } else if start.starts(with: [0x49, 0x49, 0x2A, 0x00]) || start.starts(with: [0x4D, 0x4D, 0x00, 0x2A]) {
            self = .tiff
        } else {
            return nil
        }
    }

    /// The sizes of the header of a BMP file without its file header, as Windows and programs for it pass pictures on:
    /// BITMAPINFOHEADER, BITMAPV4HEADER and BITMAPV5HEADER.
    private static let headersOfDIB = [40, 108, 124]

    private static func isHeaderOfDIB(_ start: [UInt8]) -> Bool {
        start.count == signatureLength && headersOfDIB.contains(number(start[...], .little))
    }

    /// Returns a picture as a whole file: a bitmap without a file header gets one.
    func file(_ bytes: [UInt8]) -> [UInt8] {
        guard self == .bmp, Self.isHeaderOfDIB(Array(bytes.prefix(Self.signatureLength))), bytes.count >= 40 else {
            return bytes
        }
        func field(_ offset: Int) -> Int { Self.number(bytes[offset...], .little) }
        let (header, depth, compression, colors) = (field(0), field(14) & 0xFF, field(16), field(32))
        // Three masks follow the shortest header if the compression is BI_BITFIELDS.
        let masks = header == 40 && compression == 3 ? 12 : 0
        let palette = 4 * (colors == 0 && depth <= 8 ? 1 << depth : min(colors, 256))
        func little(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
        return [0x42, 0x4D] + little(14 + bytes.count) + little(0) + little(14 + header + masks + palette) + bytes
    }

    /// Returns false for a file that is cut short, as far as its structure shows that. The library would fill the rest
    /// of the picture with a color.
    func isWhole(_ bytes: [UInt8]) -> Bool {
        switch self {
        case .png: Self.hasEndOfPNG(bytes)
        case .bmp: Self.number(bytes[2...], .little) <= bytes.count
        case .tiff: true
        }
    }

    /// Follows the chunks up to IEND (PNG, section 5.3).
    private static func hasEndOfPNG(_ bytes: [UInt8]) -> Bool {
        var rest = bytes.dropFirst(8)
        while rest.count >= 12 {
            let length = number(rest, .big)
            if rest.dropFirst(4).starts(with: Array("IEND".utf8)) { return true }
            guard length <= rest.count - 12 else { return false }
            rest = rest.dropFirst(12 + length)
        }
        return false
    }

    /// Returns true for a TIFF file whose colors are multiplied by the alpha: the tag ExtraSamples has the value 1
    /// (TIFF 6.0, section 18).
    package static func hasAssociatedAlpha(ofTIFF bytes: [UInt8]) -> Bool {
        let order: ByteOrder = bytes.first == 0x4D ? .big : .little
        let directory = number(bytes.dropFirst(4), order)
        let entries = number(bytes.dropFirst(directory), order, length: 2)
        for index in 0..<entries {
            let entry = bytes.dropFirst(directory + 2 + 12 * index)
            if number(entry, order, length: 2) == 338 { return number(entry.dropFirst(8), order, length: 2) == 1 }
        }
        return false
    }

    private enum ByteOrder { case little, big }

    /// Returns the number of some bytes at the beginning; 0 if there are fewer bytes.
    private static func number(_ bytes: ArraySlice<UInt8>, _ order: ByteOrder, length: Int = 4) -> Int {
        let bytes = bytes.prefix(length)
        guard bytes.count == length else { return 0 }
        let ordered = order == .big ? Array(bytes) : bytes.reversed()
        return ordered.reduce(0) { $0 << 8 | Int($1) }
    }

    /// The conversions that are offered: other formats from PNG, which most programs write, and PNG from the others.
    package static let conversions: [(from: PictureFormat, to: PictureFormat)] = [
        (.bmp, .png), (.tiff, .png), (.png, .bmp), (.png, .tiff),
    ]
}
