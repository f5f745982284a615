/// A picture: its pixels from left to right and from top to bottom, each with red, green, blue and opacity.
package struct Pixels: Equatable, Sendable {
    package let width: Int
    package let height: Int
    /// Four bytes for each pixel.
    package let bytes: [UInt8]

    package init(width: Int, height: Int, bytes: [UInt8]) {
        precondition(bytes.count == 4 * width * height)
        self.width = width
        self.height = height
        self.bytes = bytes
    }
}

/// A scaler that makes each pixel of a smaller picture the mean of the pixels that it replaces.
///
/// The scaler accepts pixels in any order, so that the whole large picture is never in memory.
struct PixelScaler {
    private let source: (width: Int, height: Int)
    let width: Int
    let height: Int
    /// The column of the small picture for each of the large one.
    private let columns: [Int]
    /// The sums of red, green and blue, each weighted by its opacity, the sum of the opacity, and the number of pixels.
    private var sums: [UInt32]

    /// - Parameter limit: The largest size. A picture is scaled down to fit, never up. At most 2^24 pixels can be added
    ///   to a sum.
    init(from source: (width: Int, height: Int), fitting limit: (width: Int, height: Int)) {
        self.source = source
        (width, height) = Self.size(source, fitting: limit)
        columns = (0..<source.width).map { [width] in $0 * width / source.width }
        sums = [UInt32](repeating: 0, count: 5 * width * height)
    }

    private static func size(
        _ source: (width: Int, height: Int), fitting limit: (width: Int, height: Int)
    ) -> (Int, Int) {
        if source.width <= limit.width, source.height <= limit.height { return source }
        let isWide = source.width * limit.height > source.height * limit.width
        return isWide
            ? (limit.width, max(source.height * limit.width / source.width, 1))
            : (max(source.width * limit.height / source.height, 1), limit.height)
    }

    mutating func add(_ red: UInt8, _ green: UInt8, _ blue: UInt8, _ alpha: UInt8, x: Int, y: Int) {
        let index = 5 * (y * height / source.height * width + columns[x])
        if alpha == 255 {
            sums[index] += UInt32(red)
            sums[index + 1] += UInt32(green)
            sums[index + 2] += UInt32(blue)
        } else {
            sums[index] += UInt32(red) * UInt32(alpha) / 255
            sums[index + 1] += UInt32(green) * UInt32(alpha) / 255
            sums[index + 2] += UInt32(blue) * UInt32(alpha) / 255
        }
        sums[index + 3] += UInt32(alpha)
        sums[index + 4] += 1
    }

    func pixels() -> Pixels {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(4 * width * height)
        for index in stride(from: 0, to: sums.count, by: 5) {
            let alpha = sums[index + 3]
            for color in 0..<3 {
                let sum = UInt64(sums[index + color]) * 255
                bytes.append(alpha == 0 ? 0 : UInt8(min((sum + UInt64(alpha) / 2) / UInt64(alpha), 255)))
            }
            let count = max(sums[index + 4], 1)
            bytes.append(UInt8((alpha + count / 2) / count))
        }
        return Pixels(width: width, height: height, bytes: bytes)
    }
}
