package import SystemPackage

/// Bytes as a string from which the very same bytes come back. Names of files, arguments and X11 atoms are bytes that
/// are nearly always UTF-8.
///
/// Each byte that is none stands as one private character, U+10FE80 to U+10FEFF; those characters themselves stand as
/// their bytes do.
package enum LosslessText {
    package static func string(of bytes: [UInt8]) -> String {
        if let string = String(validating: bytes, as: UTF8.self), !string.unicodeScalars.contains(where: isEscape) {
            return string
        }
        var result = String.UnicodeScalarView()
        var parser = Unicode.UTF8.ForwardParser()
        var source = bytes.makeIterator()
        var position = 0
        while true {
            switch parser.parseScalar(from: &source) {
            case .emptyInput: return String(result)
            case .valid(let encoded):
                let scalar = Unicode.UTF8.decode(encoded)
                if isEscape(scalar) {
                    result.append(contentsOf: encoded.map(escape))
                } else {
                    result.append(scalar)
                }
                position += encoded.count
            case .error(let length):
                result.append(contentsOf: bytes[position..<position + length].map(escape))
                position += length
            }
        }
    }

    package static func bytes(of string: String) -> [UInt8] {
        guard string.unicodeScalars.contains(where: isEscape) else { return Array(string.utf8) }
        return string.unicodeScalars.flatMap { scalar -> [UInt8] in
            isEscape(scalar) ? [UInt8(scalar.value & 0xFF)] : Array(String(scalar).utf8)
        }
    }

    private static func isEscape(_ scalar: Unicode.Scalar) -> Bool { 0x10FE80...0x10FEFF ~= scalar.value }

    private static func escape(_ byte: UInt8) -> Unicode.Scalar {
        Unicode.Scalar(0x10FE00 + UInt32(byte)) ?? "\u{FFFD}"
    }
}

extension FilePath {
    /// The path of those bytes; see ``LosslessText``. Bytes behind a NUL are left out.
    package init(lossless string: String) {
        let characters = LosslessText.bytes(of: string).map { CInterop.PlatformChar(bitPattern: $0) } + [0]
        self = unsafe characters.withUnsafeBufferPointer { buffer in
            unsafe buffer.baseAddress.map { unsafe FilePath(platformString: $0) } ?? FilePath()
        }
    }
}
