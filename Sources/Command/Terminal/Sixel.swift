/// An encoder of sixel graphics (DEC STD 070, chapter 9).
package enum Sixel {
    /// The limit on the colors of a picture.
    package static let maxColors = 256

    /// Returns the picture as a device control string, without the movement of the cursor after it.
    ///
    /// Pixels that are at least half transparent keep the terminal's background.
    ///
    /// - Parameter colors: The number of colors that the terminal has for a picture.
    package static func encode(_ pixels: Pixels, colors: Int = maxColors) -> [UInt8] {
        let palette = Palette(pixels, limit: min(max(colors, 2), maxColors))
        // Pixels without a color keep the background (second parameter 1); pixels are square (1;1).
        var text = "\u{1B}P0;1;0q\"1;1;\(pixels.width);\(pixels.height)"
        for (number, color) in palette.colors.enumerated() {
            let percents = [color.red, color.green, color.blue].map { String((Int($0) * 100 + 127) / 255) }
            text += "#\(number);2;" + percents.joined(separator: ";")
        }
        var output = Array(text.utf8)
        for top in stride(from: 0, to: pixels.height, by: 6) { writeBand(pixels, top, palette, to: &output) }
        return output + [0x1B, UInt8(ascii: "\\")]
    }

    /// Writes six rows, one color after the other.
    private static func writeBand(_ pixels: Pixels, _ top: Int, _ palette: Palette, to output: inout [UInt8]) {
        var sixels = [UInt8](repeating: 0, count: palette.colors.count * pixels.width)
        var isUsed = [Bool](repeating: false, count: palette.colors.count)
        for row in 0..<min(6, pixels.height - top) {
            for column in 0..<pixels.width {
                guard let color = palette.index(in: pixels, at: (top + row) * pixels.width + column) else { continue }
                sixels[color * pixels.width + column] |= 1 << row
                isUsed[color] = true
            }
        }
        for color in isUsed.indices where isUsed[color] {
            output += Array("#\(color)".utf8)
            write(sixels[color * pixels.width..<(color + 1) * pixels.width], to: &output)
            output.append(UInt8(ascii: "$"))
        }
        output.append(UInt8(ascii: "-"))
    }

    /// Writes sixels; a run of more than three is preceded by its count.
    private static func write(_ band: ArraySlice<UInt8>, to output: inout [UInt8]) {
        // Empty sixels at the end need not be written.
        let end = band.lastIndex { $0 != 0 }.map { $0 + 1 } ?? band.startIndex
        var index = band.startIndex
        while index < end {
            var run = 1
            while index + run < end, band[index + run] == band[index] { run += 1 }
            let sixel = 0x3F + band[index]
            if run > 3 {
                output += Array("!\(run)".utf8)
                output.append(sixel)
            } else {
                output += repeatElement(sixel, count: run)
            }
            index += run
        }
    }
}

/// The colors that represent those of a picture, chosen by median cut.
private struct Palette {
    struct Color {
        let red: UInt8
        let green: UInt8
        let blue: UInt8
    }

    private(set) var colors: [Color] = []
    /// The number of the palette's color for each of the 32,768 colors with five bits per channel.
    private var numbers = [Int16](repeating: -1, count: 1 << 15)

    /// The pixels of one color with five bits per channel.
    private struct Bin {
        let key: Int
        var count = 0
        var red = 0
        var green = 0
        var blue = 0

        func channel(_ number: Int) -> Int { key >> (10 - 5 * number) & 31 }
    }

    /// The colors that one palette color will represent.
    private struct Box {
        let bins: [Bin]
        /// The channel with the longest side.
        private(set) var channel = 0
        /// The priority of a division; 0 for a box with one color.
        private(set) var score = 0

        init(_ bins: [Bin]) {
            self.bins = bins
            let pixels = bins.reduce(0) { $0 + $1.count }
            for channel in 0..<3 {
                let values = bins.lazy.map { $0.channel(channel) }
                let range = (values.max() ?? 0) - (values.min() ?? 0)
                // A long side counts more than many pixels, so that a small area keeps its color.
                let score = range * range * (1 + pixels.bitWidth - pixels.leadingZeroBitCount)
                if score > self.score { (self.channel, self.score) = (channel, score) }
            }
        }

        /// Returns two boxes with half of the pixels each, and at least one color.
        func divided() -> (Box, Box) {
            let sorted = bins.sorted { ($0.channel(channel), $0.key) < ($1.channel(channel), $1.key) }
            let half = sorted.reduce(0) { $0 + $1.count } / 2
            var sum = 0
            let middle = sorted.firstIndex { bin in
                sum += bin.count
                return sum > half
            }
            let end = min(max(middle ?? 1, 1), sorted.count - 1)
            return (Box(Array(sorted[..<end])), Box(Array(sorted[end...])))
        }

        var color: Color {
            let count = max(bins.reduce(0) { $0 + $1.count }, 1)
            func mean(_ sum: (Bin) -> Int) -> UInt8 { UInt8(bins.reduce(0) { $0 + sum($1) } / count) }
            return Color(red: mean(\.red), green: mean(\.green), blue: mean(\.blue))
        }
    }

    init(_ pixels: Pixels, limit: Int) {
        let bins = Self.bins(of: pixels)
        guard !bins.isEmpty else { return }
        var boxes = [Box(bins)]
        while boxes.count < limit, let next = boxes.indices.max(by: { boxes[$0].score < boxes[$1].score }),
            boxes[next].score > 0
        {
            let (first, second) = boxes[next].divided()
            boxes[next] = first
            boxes.append(second)
        }
        for (number, box) in boxes.enumerated() {
            colors.append(box.color)
            for bin in box.bins { numbers[bin.key] = Int16(number) }
        }
    }

    /// Returns the number of a pixel's color; nil for a transparent one.
    func index(in pixels: Pixels, at pixel: Int) -> Int? {
        guard let key = Self.key(pixels, pixel) else { return nil }
        return Int(numbers[key])
    }

    private static func key(_ pixels: Pixels, _ pixel: Int) -> Int? {
        let start = 4 * pixel
        guard pixels.bytes[start + 3] >= 128 else { return nil }
        let (red, green, blue) = (pixels.bytes[start], pixels.bytes[start + 1], pixels.bytes[start + 2])
        return Int(red >> 3) << 10 | Int(green >> 3) << 5 | Int(blue >> 3)
    }

    private static func bins(of pixels: Pixels) -> [Bin] {
        var bins = (0..<1 << 15).map { Bin(key: $0) }
        for pixel in 0..<pixels.width * pixels.height {
            guard let key = key(pixels, pixel) else { continue }
            bins[key].count += 1
            bins[key].red += Int(pixels.bytes[4 * pixel])
            bins[key].green += Int(pixels.bytes[4 * pixel + 1])
            bins[key].blue += Int(pixels.bytes[4 * pixel + 2])
        }
        return bins.filter { $0.count > 0 }
    }
}
