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

    @Test("The kind of alpha in a TIFF file is recognized in both byte orders, and damaged files have none")
    func alpha() {
        func file(_ kind: UInt8, little: Bool) -> [UInt8] {
            func order(_ bytes: [UInt8]) -> [UInt8] { little ? bytes.reversed() : bytes }
            let header = (little ? [0x49, 0x49] : [0x4D, 0x4D]) + order([0, 42]) + order([0, 0, 0, 8])
            let width = order([1, 0]) + order([0, 3]) + order([0, 0, 0, 1]) + order([0, 1]) + [0, 0]
            let samples = order([1, 82]) + order([0, 3]) + order([0, 0, 0, 1]) + order([0, kind]) + [0, 0]
            return header + order([0, 2]) + width + samples
        }
        for little in [true, false] {
            #expect(PictureFormat.hasAssociatedAlpha(ofTIFF: file(1, little: little)))
            #expect(!PictureFormat.hasAssociatedAlpha(ofTIFF: file(2, little: little)))
            for length in 0..<file(1, little: little).count - 3 {
                #expect(!PictureFormat.hasAssociatedAlpha(ofTIFF: Array(file(1, little: little).prefix(length))))
            }
        }
    }

    @Test("Each conversion leads from or to PNG, and the types are those of the formats")
    func conversions() {
        #expect(PictureFormat.conversions.allSatisfy { ($0.from == .png) != ($0.to == .png) })
        #expect(PictureFormat.allCases.map(\.type) == [.png, .bmp, .tiff])
    }
}
