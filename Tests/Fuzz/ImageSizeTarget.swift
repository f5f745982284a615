import Formats

func checkImageSize(_ bytes: [UInt8]) throws(BrokenInvariant) {
    var read: [Range<Int>] = []
    let partly = withoutActuallyEscaping({ (range: Range<Int>) -> [UInt8]? in
        read.append(range)
        return range.lowerBound >= 0 && range.upperBound <= bytes.count ? Array(bytes[range]) : nil
    }) { ImageSize(length: bytes.count, reading: $0) }
    try expect(ImageSize(bytes) == partly, "a size is that of the file")
    for range in read { try expect(range.lowerBound >= 0 && range.upperBound <= bytes.count, "a place is in the file") }
    guard let size = partly else { return }
    try expect(1...1 << 32 ~= size.width && 1...1 << 32 ~= size.height, "a side has pixels, and no more than fit")
}
