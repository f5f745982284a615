/// The type of what is written.
package enum SourceType {
    /// What TYPE means for a source: its type, and the target name where one was given. Nil when it does not name one
    /// concrete type: a class such as `image`, a pattern, a part of the selection protocol, or no type at all.
    package static func concrete(named name: String) -> (type: UniformType, target: String?)? {
        guard let query = TypeQuery.parse(name), !X11Targets.isProtocolTarget(name) else { return nil }
        switch query {
        case .identifier(let type): return (type, nil)
        case .class(let known): return known.concreteType.map { ($0, nil) }
        case .mimeType(let name), .target(let name): return (UniformType(target: name), name)
        case .pattern: return nil
        }
    }

    /// How many bytes ``sniff(prefix:isUTF8Text:fileName:)`` looks at, at most.
    package static let prefixLength = 1024

    /// The TYPE of a source that was given none: text when it is text, else what its first bytes say, else what its file
    /// name says, else `public.data`.
    ///
    /// - Parameter isUTF8Text: The whole source is valid UTF-8 and has no NUL. Such a source is text whatever it looks
    ///   like: a desktop entry, a script, the letters `BM`.
    package static func sniff(prefix: [UInt8], isUTF8Text: Bool, fileName: String?) -> String {
        if isUTF8Text { return UniformType.utf8PlainText.identifier }
        if let known = signatures.first(where: { $0.matches(prefix) }) { return known.type.identifier }
        if let name = fileName?.split(separator: "/").last, let dot = name.lastIndex(of: "."), dot > name.startIndex,
            let type = UniformType(filenameExtension: String(name[name.index(after: dot)...])),
            // The desktop may know an extension's MIME type where no type is declared.
            !type.isDynamic || type.preferredMIMEType != nil
        {
            return type.identifier
        }
        return UniformType.data.identifier
    }

    /// Bytes a file format begins with.
    private struct Signature: Sendable {
        let type: UniformType
        let bytes: [UInt8]
        /// More bytes, at an offset.
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
        // A bitmap's two reserved words, at 6, are zero.
        Signature(type: .bmp, bytes: Array("BM".utf8), more: (6, [0, 0, 0, 0])),
        Signature(type: .pdf, bytes: Array("%PDF-".utf8)),
    ]
}
