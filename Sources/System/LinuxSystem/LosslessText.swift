package import SystemPackage

/// A reversible encoding of arbitrary bytes as a string. File names, arguments and the names of X11 atoms are bytes
/// that are nearly always, but not necessarily, UTF-8.
///
/// Each byte that is not part of valid UTF-8 becomes one private-use character, U+10FE80 to U+10FEFF. If one of those
/// characters occurs in the input, each of its bytes is encoded in the same way.
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
    /// Creates the path from a string encoded by ``LosslessText``. Bytes after a NUL are ignored.
    package init(lossless string: String) {
        let characters = LosslessText.bytes(of: string).map { CInterop.PlatformChar(bitPattern: $0) } + [0]
        self = unsafe characters.withUnsafeBufferPointer { buffer in
            unsafe buffer.baseAddress.map { unsafe FilePath(platformString: $0) } ?? FilePath()
        }
    }
}
