/// A reader of PNG files: every bit depth and color type, interlaced or not (PNG, third edition).
///
/// A file from the clipboard is read here, not by the terminal, so that the terminal gets a picture of known size
/// without anything else that the file may contain. libpng and zlib would be two more components of a static program,
/// with their updates, only for previews; this reader and ``Inflate`` are 460 lines and are fuzzed.
package struct PNGReader {
    /// The limits on a picture. The pixels of two screens of 3840×2160 are within them.
    package static let maxPixels = 1 << 24
    package static let maxBytes = 32 << 20
    private static let maxInflated = 96 << 20

    private let width: Int
    private let height: Int
    private let depth: Int
    private let color: Color
    private let isInterlaced: Bool
    private var palette: [UInt8] = []
    /// The opacity of the palette's colors, or else the samples of the one transparent color.
    private var transparency: [UInt8] = []
    private var data: [UInt8] = []

    private enum Color: Int {
        case gray = 0
        case rgb = 2
        case palette = 3
        case grayAlpha = 4
        case rgbAlpha = 6

        var samples: Int {
            switch self {
            case .gray, .palette: 1
            case .grayAlpha: 2
            case .rgb: 3
            case .rgbAlpha: 4
            }
        }

        var depths: [Int] {
            switch self {
            case .gray: [1, 2, 4, 8, 16]
            case .palette: [1, 2, 4, 8]
            default: [8, 16]
            }
        }
    }

    /// Returns the picture, scaled down to fit if it is too large; nil if it is damaged or exceeds a limit.
    package static func pixels(of file: [UInt8], fitting limit: (width: Int, height: Int)) -> Pixels? {
        guard limit.width > 0, limit.height > 0, let reader = PNGReader(file) else { return nil }
        return try? reader.pixels(fitting: limit)
    }

    // MARK: Chunks

    private init?(_ file: [UInt8]) {
        guard file.count <= Self.maxBytes, file.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else {
            return nil
        }
        var chunks = Chunks(file)
        guard let header = chunks.next(), header.name == "IHDR", header.bytes.count == 13 else { return nil }
        let bytes = Array(header.bytes)
        width = Self.number(bytes[0..<4])
        height = Self.number(bytes[4..<8])
        depth = Int(bytes[8])
        guard let color = Color(rawValue: Int(bytes[9])), color.depths.contains(depth), bytes[10] == 0, bytes[11] == 0,
            bytes[12] <= 1, (1...Self.maxPixels).contains(width), (1...Self.maxPixels).contains(height),
            width * height <= Self.maxPixels
        else { return nil }
        self.color = color
        isInterlaced = bytes[12] == 1
        while let chunk = chunks.next(), chunk.name != "IEND" {
            switch chunk.name {
            case "PLTE": palette = Array(chunk.bytes)
            case "tRNS": transparency = Array(chunk.bytes)
            case "IDAT": data += chunk.bytes
            default: break
            }
        }
        guard color != .palette || palette.count >= 3 else { return nil }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    private struct Chunks {
        private let file: [UInt8]
        private var offset = 8

        init(_ file: [UInt8]) { self.file = file }

        /// Returns the next chunk. Its checksum is not examined.
        mutating func next() -> (name: String, bytes: ArraySlice<UInt8>)? {
            guard offset + 8 <= file.count else { return nil }
            let length = PNGReader.number(file[offset..<offset + 4])
            let name = String(decoding: file[offset + 4..<offset + 8], as: UTF8.self)
            let start = offset + 8
            guard length <= file.count - start else { return nil }
            offset = start + length + 4
            return (name, file[start..<start + length])
        }
    }

    // MARK: Pixels

    /// A part of an interlaced picture: every `xStep`th column from `x` on, and every `yStep`th row from `y` on.
    private struct Pass {
        let x: Int
        let y: Int
        let xStep: Int
        let yStep: Int

        static let whole = [Pass(x: 0, y: 0, xStep: 1, yStep: 1)]
        static let adam7 = [
            Pass(x: 0, y: 0, xStep: 8, yStep: 8), Pass(x: 4, y: 0, xStep: 8, yStep: 8),
            Pass(x: 0, y: 4, xStep: 4, yStep: 8), Pass(x: 2, y: 0, xStep: 4, yStep: 4),
            Pass(x: 0, y: 2, xStep: 2, yStep: 4), Pass(x: 1, y: 0, xStep: 2, yStep: 2),
            Pass(x: 0, y: 1, xStep: 1, yStep: 2),
        ]

        func columns(of width: Int) -> Int { max(0, (width - x + xStep - 1) / xStep) }
        func rows(of height: Int) -> Int { max(0, (height - y + yStep - 1) / yStep) }
    }

    private func length(ofRow columns: Int) -> Int { (columns * color.samples * depth + 7) / 8 }

    private func pixels(fitting limit: (width: Int, height: Int)) throws(Inflate.Damaged) -> Pixels {
        let passes = isInterlaced ? Pass.adam7 : Pass.whole
        let length = passes.reduce(0) { sum, pass in
            let columns = pass.columns(of: width)
            return sum + (columns == 0 ? 0 : pass.rows(of: height) * (1 + self.length(ofRow: columns)))
        }
        guard length <= Self.maxInflated else { throw Inflate.Damaged() }
        var rows = try Inflate.zlib(data, limit: length)
        guard rows.count == length else { throw Inflate.Damaged() }
        var scaler = PixelScaler(from: (width, height), fitting: limit)
        var offset = 0
        for pass in passes {
            let columns = pass.columns(of: width)
            guard columns > 0 else { continue }
            let length = self.length(ofRow: columns)
            for row in 0..<pass.rows(of: height) {
                try unfilter(&rows, at: offset + 1, length: length, previous: row == 0 ? nil : offset - length)
                for column in 0..<columns {
                    let (red, green, blue, alpha) = pixel(rows, offset + 1, column)
                    scaler.add(
                        red, green, blue, alpha, x: pass.x + column * pass.xStep, y: pass.y + row * pass.yStep)
                }
                offset += 1 + length
            }
        }
        return scaler.pixels()
    }

    /// Undoes the filter of a row, whose number precedes the row (section 9).
    ///
    /// - Parameter previous: The offset of the row above, which is already unfiltered; nil for the first row.
    private func unfilter(
        _ rows: inout [UInt8], at start: Int, length: Int, previous: Int?
    ) throws(Inflate.Damaged) {
        let filter = rows[start - 1]
        guard filter <= 4 else { throw Inflate.Damaged() }
        guard filter > 0 else { return }
        let distance = max(color.samples * depth / 8, 1)
        for index in 0..<length {
            let left = index < distance ? 0 : Int(rows[start + index - distance])
            let above = previous.map { Int(rows[$0 + index]) } ?? 0
            let prediction: Int
            switch filter {
            case 1: prediction = left
            case 2: prediction = above
            case 3: prediction = (left + above) / 2
            default:
                let corner = index < distance ? 0 : previous.map { Int(rows[$0 + index - distance]) } ?? 0
                prediction = Self.paeth(left, above, corner)
            }
            rows[start + index] &+= UInt8(truncatingIfNeeded: prediction)
        }
    }

    private static func paeth(_ left: Int, _ above: Int, _ corner: Int) -> Int {
        let estimate = left + above - corner
        let (toLeft, toAbove, toCorner) = (abs(estimate - left), abs(estimate - above), abs(estimate - corner))
        if toLeft <= toAbove, toLeft <= toCorner { return left }
        return toAbove <= toCorner ? above : corner
    }

    private func pixel(_ rows: [UInt8], _ start: Int, _ column: Int) -> (UInt8, UInt8, UInt8, UInt8) {
        /// Returns a sample. Only its high byte counts for the color, but all its bits count for transparency.
        func sample(_ number: Int) -> Int {
            let index = column * color.samples + number
            switch depth {
            case 16: return Int(rows[start + 2 * index]) << 8 | Int(rows[start + 2 * index + 1])
            case 8: return Int(rows[start + index])
            default:
                let bit = index * depth
                return Int(rows[start + bit / 8]) >> (8 - depth - bit % 8) & (1 << depth - 1)
            }
        }
        func byte(_ sample: Int) -> UInt8 {
            depth == 16 ? UInt8(sample >> 8) : UInt8(depth == 8 ? sample : sample * 255 / (1 << depth - 1))
        }
        func isTransparent(_ samples: [Int]) -> Bool {
            transparency.count >= 2 * samples.count
                && samples.indices.allSatisfy { Self.number(transparency[2 * $0..<2 * $0 + 2]) == samples[$0] }
        }
        switch color {
        case .gray:
            let gray = sample(0)
            return (byte(gray), byte(gray), byte(gray), !transparency.isEmpty && isTransparent([gray]) ? 0 : 255)
        case .grayAlpha:
            let gray = byte(sample(0))
            return (gray, gray, gray, byte(sample(1)))
        case .rgb:
            let (red, green, blue) = (sample(0), sample(1), sample(2))
            let isHidden = !transparency.isEmpty && isTransparent([red, green, blue])
            return (byte(red), byte(green), byte(blue), isHidden ? 0 : 255)
        case .rgbAlpha: return (byte(sample(0)), byte(sample(1)), byte(sample(2)), byte(sample(3)))
        case .palette:
            let index = sample(0)
            guard 3 * index + 2 < palette.count else { return (0, 0, 0, 255) }
            return (
                palette[3 * index], palette[3 * index + 1], palette[3 * index + 2],
                index < transparency.count ? transparency[index] : 255
            )
        }
    }
}
