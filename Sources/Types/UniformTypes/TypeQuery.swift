/// A parsed TYPE argument for reading: an identifier, a MIME type, an X11 target, a bare filename extension, a class or
/// a pattern.
package enum TypeQuery: Equatable, Sendable {
    case identifier(UniformType)
    /// A MIME type, spelled as it was given.
    case mimeType(String)
    /// An X11 target.
    case target(String)
    case `class`(TypeClass)
    /// A name in which `*` stands for any characters: `image/*`.
    case pattern(String)

    /// The maximum length of a TYPE, in bytes. There is a limit because X11 atoms are never freed.
    package static let maxLength = 1024

    /// Parses a TYPE.
    ///
    /// - Returns: nil if no type can have the name, because it is empty or too long, contains a control character,
    ///   begins or ends with a space, or is a dot without a valid filename extension after it.
    package static func parse(_ string: String) -> TypeQuery? {
        guard isPossibleName(string) else { return nil }
        if let known = TypeClass(rawValue: string) { return .class(known) }
        if string.utf8.first == UInt8(ascii: ".") {
            return UniformType(filenameExtension: String(string.unicodeScalars.dropFirst())).map { .identifier($0) }
        }
        if string.utf8.contains(UInt8(ascii: "*")) { return .pattern(string) }
        if MIMEType(string) != nil { return .mimeType(string) }
        if let type = UniformType(string) { return .identifier(type) }
        return .target(string)
    }

    /// The query for the type whose filename extension is the name, such as `png`, if the name has at least two
    /// characters and no target is declared with it. An owner that offers a target of that name has precedence.
    package var byExtension: TypeQuery? {
        guard case .target(let name) = self, name.utf8.count > 1, UniformType(target: name).isDynamic,
            name.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }),
            let type = UniformType(filenameExtension: name), type.isDeclared
        else { return nil }
        return .identifier(type)
    }

    static func isPossibleName(_ string: String) -> Bool {
        !string.isEmpty && string.utf8.count <= maxLength && string.utf8.first != 0x20 && string.utf8.last != 0x20
            && string.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    /// True if text must be converted from its owner's encoding to UTF-8. If a MIME type or a target is requested, the
    /// owner's bytes are returned unchanged.
    package var wantsDecodedText: Bool {
        switch self {
        case .identifier(let type):
            type.conforms(to: .text) && ![.utf16PlainText, .utf16ExternalPlainText].contains(type)
        case .class(.text), .class(.html): true
        case .class, .mimeType, .target, .pattern: false
        }
    }
}

/// A general kind of contents, named by a common word.
package enum TypeClass: String, CaseIterable, Sendable {
    case text, image, html, files, url, color, audio, video

    /// The type that all types of the class conform to.
    package var type: UniformType {
        switch self {
        case .text: .text
        case .image: .image
        case .html: .html
        case .files: .fileURL
        case .url: .url
        case .color: .color
        case .audio: .audio
        case .video: .movie
        }
    }

    /// The type of a source that is written under the class; nil if the class does not determine a concrete type.
    package var concreteType: UniformType? {
        switch self {
        case .text: .utf8PlainText
        case .image, .audio, .video: nil
        case .html, .files, .url, .color: type
        }
    }
}
