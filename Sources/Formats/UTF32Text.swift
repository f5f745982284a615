/// Texts in UTF-32.
enum UTF32Text {
    /// - Parameter order: The order that the text is said to have. Its mark is stronger; where both are missing it is the
    ///   one in which the first number is a character, else the machine's.
    static func utf8(from bytes: [UInt8], order: ByteOrder?) throws(InvalidTextError) -> [UInt8] {
        let mark = mark(of: bytes)
        let order = mark ?? order ?? guess(bytes)
        let end = bytes.count & ~3
        let text = try [UInt8](capacity: end) { output throws(InvalidTextError) in
            for index in stride(from: mark == nil ? 0 : 4, to: end, by: 4) {
                guard let scalar = Unicode.Scalar(number(in: bytes.span, at: index, order)) else {
                    throw InvalidTextError(offset: index)
                }
                output.append(scalar)
            }
        }
        guard end == bytes.count else { throw InvalidTextError(offset: end) }
        return text
    }

    static func mark(of bytes: [UInt8]) -> ByteOrder? {
        if bytes.starts(with: [0xFF, 0xFE, 0, 0]) { return .little }
        return bytes.starts(with: [0, 0, 0xFE, 0xFF]) ? .big : nil
    }

    private static func guess(_ bytes: [UInt8]) -> ByteOrder {
        guard bytes.count >= 4 else { return .native }
        let isLittle = Unicode.Scalar(number(in: bytes.span, at: 0, .little)) != nil
        let isBig = Unicode.Scalar(number(in: bytes.span, at: 0, .big)) != nil
        return isLittle == isBig ? .native : isLittle ? .little : .big
    }

    private static func number(in bytes: Span<UInt8>, at index: Int, _ order: ByteOrder) -> UInt32 {
        var number: UInt32 = 0
        for place in 0..<4 {
            number |= UInt32(bytes[index + place]) << UInt32(8 * (order == .little ? place : 3 - place))
        }
        return number
    }
}
