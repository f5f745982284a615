/// A TYPE as a reader names it: what is asked for.
package enum TypeQuery: Equatable, Sendable {
    case identifier(UniformType)
    /// As given.
    case mimeType(String)
    /// An X11 target.
    case target(String)
    case `class`(TypeClass)
    /// A name with `*` for any characters, `image/*`.
    case pattern(String)

    /// A longest TYPE, in bytes. An X11 atom is never freed, so the length of what becomes one is bounded.
    package static let maximumLength = 1024

    /// Nil when no type can have that name: it is empty, too long, has a control character, begins or ends with a space,
    /// or is a dot without an extension behind it.
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

    static func isPossibleName(_ string: String) -> Bool {
        !string.isEmpty && string.utf8.count <= maximumLength && string.utf8.first != 0x20 && string.utf8.last != 0x20
            && string.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    /// Whether text is wanted in UTF-8, whatever its owner has it in. Asked for by a MIME type or a target name, the
    /// owner's bytes come unchanged.
    package var wantsDecodedText: Bool {
        switch self {
        case .identifier(let type):
            type.conforms(to: .text) && ![.utf16PlainText, .utf16ExternalPlainText].contains(type)
        case .class(.text), .class(.html): true
        case .class, .mimeType, .target, .pattern: false
        }
    }
}
