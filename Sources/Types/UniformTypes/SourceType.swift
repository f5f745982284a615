/// The type of data to be written.
package enum SourceType {
    /// Parses the TYPE argument of a source.
    ///
    /// - Returns: The type, and the target if the argument is a MIME type or a target. Nil if the argument does not
    ///   name one concrete type: it is a class such as `image`, a pattern, a target of the selection protocol, or not a
    ///   type.
    package static func concrete(named name: String) -> (type: UniformType, target: String?)? {
        guard let query = TypeQuery.parse(name), !X11Targets.isProtocolTarget(name) else { return nil }
        switch query {
        case .identifier(let type): return (type.asDeclared, nil)
        case .class(let known): return known.concreteType.map { ($0, nil) }
        case .mimeType(let name), .target(let name): return (UniformType(target: name), name)
        case .pattern: return nil
        }
    }

    /// The maximum number of bytes that ``sniff(prefix:form:fileName:)`` examines.
    package static let prefixLength = 1024

    /// The form of all bytes of a source.
    package enum Form {
        /// Valid UTF-8 without a NUL. It is text, even if it begins like another format, such as with the letters `BM`.
        case utf8
        /// Bytes without the control characters that text never has. They are text in another encoding, or in several
        /// encodings like a diff of several files, unless the first bytes or the file name indicate something else.
        case otherText
        case binary
    }

    /// Returns true if text in an 8-bit encoding can have the byte: any byte except control characters other than ESC
    /// and those from BEL to CR.
    package static func isTextByte(_ byte: UInt8) -> Bool {
        byte >= 0x20 ? byte != 0x7F : (0x07...0x0D).contains(byte) || byte == 0x1B
    }

    /// Determines the type of a source without a TYPE argument: plain text if it is UTF-8; otherwise the type that its
    /// first bytes indicate, or the type of its filename extension, or else `public.plain-text` or `public.data`.
    /// Returns an identifier.
    ///
    /// - Parameter prefix: The first bytes of the source.
    package static func sniff(prefix: [UInt8], form: Form, fileName: String?) -> String {
        if form == .utf8 { return UniformType.utf8PlainText.identifier }
        if let known = signatures.first(where: { $0.matches(prefix) }) { return known.type.identifier }
        if let name = fileName?.split(separator: "/").last, let dot = name.lastIndex(of: "."), dot > name.startIndex,
            let type = UniformType(filenameExtension: String(name[name.index(after: dot)...])),
            // For an extension without a declared type, the desktop's database may have a MIME type.
            !type.isDynamic || type.preferredMIMEType != nil
        {
            return type.identifier
        }
        return (form == .otherText ? UniformType.plainText : UniformType.data).identifier
    }

    /// The bytes at the beginning of files in a format.
    private struct Signature: Sendable {
        let type: UniformType
        let bytes: [UInt8]
        /// Further bytes at an offset.
        var more: (offset: Int, bytes: [UInt8])?

        func matches(_ prefix: [UInt8]) -> Bool {
            guard prefix.starts(with: bytes) else { return false }
            guard let more else { return true }
            return prefix.dropFirst(more.offset).starts(with: more.bytes)
        }
    }

    private static let signatures = [
        Signature(type: .png, bytes: [0x89] + Array("PNG\r\n".utf8) + [0x1A, 0x0A]),
        Signature(type: .jpeg, bytes: [0xFF, 0xD8, 0xFF]),
        Signature(type: .gif, bytes: Array("GIF87a".utf8)),
        Signature(type: .gif, bytes: Array("GIF89a".utf8)),
        Signature(type: .tiff, bytes: Array("II*\0".utf8)),
        Signature(type: .tiff, bytes: Array("MM\0*".utf8)),
        Signature(type: .webP, bytes: Array("RIFF".utf8), more: (8, Array("WEBP".utf8))),
        // The two reserved words of a bitmap, at offset 6, are zero.
        Signature(type: .bmp, bytes: Array("BM".utf8), more: (6, [0, 0, 0, 0])),
        Signature(type: .pdf, bytes: Array("%PDF-".utf8)),
        // The byte order mark of UTF-16, and of UTF-32 in little-endian order.
        Signature(type: .plainText, bytes: [0xFF, 0xFE]),
        Signature(type: .plainText, bytes: [0xFE, 0xFF]),
    ]
}
