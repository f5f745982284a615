import PictureConversion
import Testing
import UniformTypes

@Suite struct PictureFormatTests {
    @Test(
        "A format is recognized by its first bytes",
        arguments: [
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0], PictureFormat.png), ([0x42, 0x4D, 1, 2, 3], .bmp),
            ([0x49, 0x49, 0x2A, 0x00, 8, 0], .tiff), ([0x4D, 0x4D, 0x00, 0x2A], .tiff), ([0x89, 0x50, 0x4E], nil),
            ([0xFF, 0xD8, 0xFF], nil), (Array("<svg".utf8), nil), (Array("/* XPM */".utf8), nil), ([], nil),
        ] as [([UInt8], PictureFormat?)])
    func recognition(bytes: [UInt8], format: PictureFormat?) {
        #expect(PictureFormat(bytes) == format)
    }

    @Test("Each conversion leads from or to PNG, and the types are those of the formats")
    func conversions() {
        #expect(PictureFormat.conversions.allSatisfy { ($0.from == .png) != ($0.to == .png) })
        #expect(PictureFormat.allCases.map(\.type) == [.png, .bmp, .tiff])
    }
}
