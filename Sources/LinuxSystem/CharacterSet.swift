import Glibc
package import SystemPackage

/// Texts in older character sets, which the C library decodes: `koi8-r`, `shift_jis`, `gb18030`. See iconv(3).
package enum CharacterSet {
    /// The text in UTF-8.
    ///
    /// - Parameter charset: A name as a MIME type has it, in any case, at most 64 bytes of ASCII letters, digits and
    ///   `._:+-`. It comes from strangers: any but those that are listed here is not known.
    package static func utf8(from bytes: [UInt8], charset: String) throws(CharacterSetError) -> [UInt8] {
        guard isName(charset) else { throw .malformedName }
        guard let name = libraryName(of: charset) else { throw .unknown(charset) }
        let converter = try Converter(from: name)
        return try converter.convert(bytes)
    }

    private static func isName(_ charset: String) -> Bool {
        1...64 ~= charset.utf8.count
            && charset.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "._:+-".utf8.contains(byte)
                }
            }
    }
}

/// A conversion to UTF-8. The corresponding C type is `iconv_t`.
@safe
private struct Converter: ~Copyable {
    private let handle: iconv_t

    init(from charset: String) throws(CharacterSetError) {
        guard let handle = unsafe iconv_open("UTF-8", charset),
            unsafe handle != UnsafeMutableRawPointer(bitPattern: -1)
        else {
            let error = Errno(rawValue: errno)
            throw error == .invalidArgument ? .unknown(charset) : .system(error)
        }
        unsafe self.handle = unsafe handle
    }

    deinit {
        unsafe iconv_close(handle)
    }

    borrowing func convert(_ bytes: [UInt8]) throws(CharacterSetError) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var piece = [CChar](repeating: 0, count: 1 << 16)
        var offset = 0
        var isFlushed = false
        while !isFlushed {
            // With the input at its end, a character that waits for another to combine with comes out.
            isFlushed = offset == bytes.count
            let (taken, given, error) = step(bytes[offset...], into: &piece)
            offset += taken
            text += piece[..<given].lazy.map(UInt8.init(bitPattern:))
            switch error {
            case nil: continue
            case .argListTooLong? where taken > 0 || given > 0: isFlushed = false
            // EILSEQ is a bad character, EINVAL half of one at the end.
            case .illegalByteSequence?, .invalidArgument?, .argListTooLong?: throw .invalid(offset: offset)
            case let error?: throw .system(error)
            }
        }
        return text
    }

    /// Converts what fits into `piece`; flushes where the input is empty. The corresponding C function is `iconv`.
    private borrowing func step(
        _ bytes: ArraySlice<UInt8>, into piece: inout [CChar]
    ) -> (taken: Int, given: Int, error: Errno?) {
        unsafe bytes.withUnsafeBytes { input in
            unsafe piece.withUnsafeMutableBufferPointer { output in
                // iconv(3) moves the pointer and changes none of the bytes.
                var next = unsafe UnsafeMutablePointer(mutating: input.assumingMemoryBound(to: CChar.self).baseAddress)
                var left = input.count
                var free = output.baseAddress
                var room = output.count
                let result =
                    unsafe left == 0
                    ? iconv(handle, nil, nil, &free, &room) : iconv(handle, &next, &left, &free, &room)
                let error = result == -1 ? Errno(rawValue: errno) : nil
                return (input.count - left, output.count - room, error)
            }
        }
    }
}

/// Why a text is not decoded.
package enum CharacterSetError: Error, Equatable, CustomStringConvertible {
    /// It cannot be the name of a character set.
    case malformedName
    /// It is not listed, or the part of the C library that knows it is not installed.
    case unknown(String)
    /// The bytes from there on are no character of the set; it is counted in bytes.
    case invalid(offset: Int)
    /// The system has no memory or no descriptors left.
    case system(Errno)

    package var description: String {
        switch self {
        case .malformedName: "the name of the character set is malformed"
        case .unknown(let name): "the character set \(name) is not known"
        case .invalid(let offset): "the text is damaged at byte \(offset)"
        case .system(let error): "the text cannot be decoded: \(error)"
        }
    }
}
