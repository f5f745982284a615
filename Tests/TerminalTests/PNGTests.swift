import FoundationEssentials
import Terminal
import TestRandom
import Testing

@Suite struct PNGReaderTests {
    private static func bytes(_ base64: String) -> [UInt8] { Array(Data(base64Encoded: base64) ?? Data()) }

    private static let whole = (width: 1_000, height: 1_000)

    /// Returns the expected pixel of a sample picture.
    private static func pixel(_ format: SamplePicture.Format, _ x: Int, _ y: Int) -> [UInt8] {
        func value(_ channel: Int) -> Int { SamplePicture.sample(x, y, channel, format.depth) }
        func byte(_ channel: Int) -> UInt8 {
            format.depth == 16 ? UInt8(value(channel) >> 8) : UInt8(value(channel) * 255 / (1 << format.depth - 1))
        }
        switch format.color {
        case 0: return [byte(0), byte(0), byte(0), 255]
        case 2: return [byte(0), byte(1), byte(2), 255]
        case 3:
            let index = value(0)
            return [7, 11, 13].map { UInt8(truncatingIfNeeded: index * $0) } + [index == 0 ? 0x40 : 255]
        case 4: return [byte(0), byte(0), byte(0), byte(1)]
        default: return [byte(0), byte(1), byte(2), byte(3)]
        }
    }

    @Test("Every color type and depth is read, interlaced or not", arguments: SamplePicture.files)
    func formats(format: SamplePicture.Format, base64: String) throws {
        let pixels = try #require(PNGReader.pixels(of: Self.bytes(base64), fitting: Self.whole))
        #expect(pixels.width == SamplePicture.width && pixels.height == SamplePicture.height)
        for y in 0..<pixels.height {
            for x in 0..<pixels.width {
                let start = 4 * (y * pixels.width + x)
                let found = Array(pixels.bytes[start..<start + 4])
                let expected = Self.pixel(format, x, y)
                // A translucent color is weighted by its opacity during scaling, and a color with opacity 0 is lost.
                guard expected[3] > 0 else {
                    #expect(found[3] == 0)
                    continue
                }
                let tolerance = expected[3] == 255 ? 0 : 255 / Int(expected[3]) + 1
                #expect(
                    zip(found, expected).allSatisfy { abs(Int($0) - Int($1)) <= tolerance },
                    "\(found), not \(expected), at \(x),\(y)")
            }
        }
    }

    @Test("Blocks with their own codes are read")
    func dynamic() throws {
        let pixels = try #require(PNGReader.pixels(of: Self.bytes(SamplePicture.large), fitting: Self.whole))
        var expected: [UInt8] = []
        for y in 0..<64 {
            for x in 0..<96 { expected.append(UInt8((x * x + 3 * y * y) / 29 & 255)) }
        }
        let found = stride(from: 0, to: pixels.bytes.count, by: 4).map { pixels.bytes[$0] }
        #expect(found == expected)
    }

    @Test("A picture is scaled down to fit, in proportion, and never up")
    func scaling() throws {
        let file = Self.bytes(SamplePicture.large)
        let limits: [(Int, Int)] = [(96, 64), (48, 64), (96, 16), (7, 7), (1, 1), (500, 500)]
        let sizes: [[Int]] = try limits.map { width, height in
            let pixels = try #require(PNGReader.pixels(of: file, fitting: (width, height)))
            return [pixels.width, pixels.height]
        }
        #expect(sizes == [[96, 64], [48, 32], [24, 16], [7, 4], [1, 1], [96, 64]])
        #expect(PNGReader.pixels(of: file, fitting: (0, 10)) == nil)
    }

    @Test("A scaled picture has the mean of the colors, without the transparent ones")
    func mean() throws {
        let red: [UInt8] = [200, 0, 0, 255]
        let picture = Pixels(width: 2, height: 2, bytes: red + [100, 0, 0, 255] + red + [9, 9, 9, 0])
        let pixels = try #require(PNGReader.pixels(of: PNGWriter.file(picture), fitting: (1, 1)))
        #expect(pixels.bytes == [167, 0, 0, 191])
    }

    @Test("A file that is cut off, in another format, or beyond the limits has no pixels")
    func refused() {
        let file = Self.bytes(SamplePicture.large)
        for length in [0, 7, 8, 20, 33, 50, file.count / 2] {
            #expect(PNGReader.pixels(of: Array(file[..<length]), fitting: Self.whole) == nil, "\(length) bytes")
        }
        #expect(PNGReader.pixels(of: Array("GIF89a and more".utf8), fitting: Self.whole) == nil)
        for side in [[0, 0, 0, 0], [0x7F, 0xFF, 0xFF, 0xFF], [0, 1, 0, 0]] as [[UInt8]] {
            var large = file
            large.replaceSubrange(16..<24, with: side + side)
            #expect(PNGReader.pixels(of: large, fitting: Self.whole) == nil, "\(side)")
        }
    }

    @Test("Damaged bytes never crash the program")
    func damaged() {
        var random = SeededGenerator(seed: 4)
        for (_, base64) in SamplePicture.files {
            let file = Self.bytes(base64)
            for _ in 0..<40 {
                var damaged = file
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    damaged[Int.random(in: 8..<file.count, using: &random)] = .random(in: 0...255, using: &random)
                }
                let pixels = PNGReader.pixels(of: damaged, fitting: (20, 20))
                #expect(pixels.map { $0.width <= 20 && $0.height <= 20 } ?? true)
            }
        }
    }
}

@Suite struct PNGWriterTests {
    @Test("A written file can be read again, with flat areas or noise")
    func roundTrip() throws {
        var random = SeededGenerator(seed: 5)
        for (width, height) in [(1, 1), (300, 2), (17, 40)] {
            for isFlat in [true, false] {
                var bytes: [UInt8] = []
                for _ in 0..<width * height {
                    let noise = (0..<3).map { _ in UInt8.random(in: 0...255, using: &random) }
                    bytes += (isFlat ? [10, 200, 30] : noise) + [255]
                }
                let pixels = Pixels(width: width, height: height, bytes: bytes)
                let file = PNGWriter.file(pixels)
                #expect(PNGReader.pixels(of: file, fitting: (width, height)) == pixels)
                if isFlat { #expect(file.count < 400) }
            }
        }
    }

    @Test("The checksums are those of the standards")
    func checksums() {
        // These are zlib's values for a picture of one black pixel.
        let file = PNGWriter.file(Pixels(width: 1, height: 1, bytes: [0, 0, 0, 255]))
        #expect(Array(file.suffix(12)) == [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82])
        // The header's, and that of the row 2 0 0 0 255.
        #expect(Array(file[29..<33]) == [0x1F, 0x15, 0xC4, 0x89])
    }
}
