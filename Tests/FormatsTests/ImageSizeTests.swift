import Formats
import TestRandom
import Testing

extension ImageSize {
    fileprivate init?(_ bytes: [UInt8]) { self.init(length: bytes.count) { Array(bytes[$0]) } }
}

@Suite struct ImageSizeTests {
    /// The first bytes of a picture of 300 by 200 pixels, in every format.
    private static let heads: [(name: String, bytes: [UInt8])] = [
        ("PNG", png),
        ("JPEG", jpeg),
        ("progressive JPEG", [0xFF, 0xD8, 0xFF, 0xFF, 0xC2, 0, 11, 8, 0, 200, 1, 0x2C, 1]),
        ("GIF", Array("GIF89a".utf8) + [0x2C, 1, 200, 0]),
        ("old GIF", Array("GIF87a".utf8) + [0x2C, 1, 200, 0]),
        ("BMP", bmp(header: 40, [0x2C, 1, 0, 0, 200, 0, 0, 0])),
        ("BMP with its first line on top", bmp(header: 124, [0x2C, 1, 0, 0, 0x38, 0xFF, 0xFF, 0xFF])),
        ("BMP of OS/2", bmp(header: 12, [0x2C, 1, 200, 0])),
        ("WebP", webP("VP8 ", [0, 0, 0, 0x9D, 1, 0x2A, 0x2C, 0x41, 200, 0x80])),
        // 299 and 199, in 14 bits each.
        ("lossless WebP", webP("VP8L", [0x2F, 0x2B, 0xC1, 0x31, 0x10])),
        ("extended WebP", webP("VP8X", [0x10, 0, 0, 0, 0x2B, 1, 0, 199, 0, 0])),
        (
            "TIFF",
            tiff(
                [0x49, 0x49, 42, 0], [12, 0, 0, 0], [2, 0], [0, 1, 3, 0, 1, 0, 0, 0, 0x2C, 1, 0, 0],
                [1, 1, 4, 0, 1, 0, 0, 0, 200, 0, 0, 0])
        ),
        (
            "big-endian TIFF",
            tiff(
                [0x4D, 0x4D, 0, 42], [0, 0, 0, 12], [0, 3], [0, 0xFE, 0, 4, 0, 0, 0, 1, 0, 0, 0, 0],
                [1, 0, 0, 4, 0, 0, 0, 1, 0, 0, 1, 0x2C], [1, 1, 0, 3, 0, 0, 0, 1, 0, 200, 0, 0])
        ),
        ("XPM", Array("/* XPM */\nstatic char * a[] = {\n\"300 200 2 1\",\n".utf8)),
    ]

    private static let png: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        + [0, 0, 1, 0x2C, 0, 0, 0, 200, 8, 6, 0, 0, 0]

    /// A JPEG with a JFIF header, a quantization table and a Huffman table before the frame header.
    private static let jpeg: [UInt8] =
        [0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0]
        + [0xFF, 0xDB, 0, 4, 9, 9, 0xFF, 0xC4, 0, 3, 1] + [0xFF, 0xC0, 0, 11, 8, 0, 200, 1, 0x2C, 1]

    private static func bmp(header: UInt8, _ size: [UInt8]) -> [UInt8] {
        [0x42, 0x4D] + [UInt8](repeating: 0, count: 12) + [header, 0, 0, 0] + size
    }

    private static func webP(_ chunk: String, _ bytes: [UInt8]) -> [UInt8] {
        Array("RIFF".utf8) + [99, 0, 0, 0] + Array("WEBP\(chunk)".utf8) + [80, 0, 0, 0] + bytes
    }

    /// Returns a TIFF file with a directory after four bytes of a picture.
    private static func tiff(_ start: [UInt8], _ place: [UInt8], _ directory: [UInt8]...) -> [UInt8] {
        start + place + [1, 2, 3, 4] + Array(directory.joined())
    }

    @Test("The size is read from the header of every format")
    func formats() throws {
        for (name, bytes) in Self.heads {
            let size = try #require(ImageSize(bytes), "\(name)")
            #expect(size.width == 300 && size.height == 200, "\(name)")
        }
    }

    @Test("The size of an icon is that of its largest picture, at most 256")
    func icon() throws {
        func entry(_ width: UInt8, _ height: UInt8) -> [UInt8] {
            [width, height] + [UInt8](repeating: 0, count: 14)
        }
        let bytes = [0, 0, 1, 0, 3, 0] + entry(16, 16) + entry(48, 32) + entry(32, 32)
        #expect(ImageSize(bytes).map { [$0.width, $0.height] } == [48, 32])
        #expect(ImageSize([0, 0, 1, 0, 1, 0] + entry(0, 0)).map { [$0.width, $0.height] } == [256, 256])
        #expect(ImageSize([0, 0, 2, 0, 1, 0] + entry(32, 24)).map { [$0.width, $0.height] } == [32, 24])
        #expect(ImageSize([0, 0, 1, 0, 0, 0] + entry(32, 24)) == nil)
    }

    @Test("A picture without width or height has no size")
    func empty() {
        var png = Self.png
        png[19] = 0
        png[18] = 0
        #expect(ImageSize(png) == nil)
        #expect(ImageSize(Self.bmp(header: 40, [0xFF, 0xFF, 0xFF, 0xFF, 200, 0, 0, 0])) == nil)
        #expect(ImageSize(Array("/* XPM */ \"-3 4\"".utf8)) == nil)
    }

    @Test("A file that is cut off before its size, or that is not a picture, has no size")
    func others() {
        for (name, bytes) in Self.heads {
            for end in 0..<min(bytes.count, 10) { #expect(ImageSize(Array(bytes[..<end])) == nil, "\(name), \(end)") }
        }
        for text in [
            "", "<svg width=\"3\" height=\"4\"/>", "GIF90a12345678", "BMW", "/* no */ \"3 4\"", "II", "RIFFwave",
        ] {
            #expect(ImageSize(Array(text.utf8)) == nil, "\(text)")
        }
    }

    @Test("Only a few bytes of a long file are read, wherever they are")
    func reading() throws {
        var file = [UInt8](repeating: 0, count: 1 << 20)
        let tiff: [UInt8] = [0x49, 0x49, 42, 0, 0, 0, 8, 0]
        file.replaceSubrange(0..<8, with: tiff)
        let directory: [UInt8] =
            [2, 0] + [0, 1, 4, 0, 1, 0, 0, 0, 0x80, 7, 0, 0] + [1, 1, 3, 0, 1, 0, 0, 0, 0x38, 4, 0, 0]
        file.replaceSubrange(0x80000..<0x80000 + directory.count, with: directory)
        var count = 0
        let size = try withoutActuallyEscaping({ (range: Range<Int>) -> [UInt8]? in
            count += range.count
            return Array(file[range])
        }) { try #require(ImageSize(length: file.count, reading: $0)) }
        #expect([size.width, size.height] == [1920, 1080])
        #expect(count < 100)
        #expect(ImageSize(length: 100) { _ in nil } == nil)
    }

    @Test("A damaged header gives no size, or a positive one", arguments: 0..<8 as Range<UInt64>)
    func random(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            var bytes = Self.heads[Int.random(in: 0..<Self.heads.count, using: &generator)].bytes
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            if Bool.random(using: &generator) {
                bytes.removeLast(Int.random(in: 0...bytes.count, using: &generator))
            }
            guard let size = ImageSize(bytes) else { continue }
            #expect(size.width > 0 && size.height > 0, "seed \(seed)")
        }
    }
}
