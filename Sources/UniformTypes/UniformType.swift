/// What bytes are, named by a uniform type identifier such as `public.png`.
///
/// Identifiers compare without case. A type that no declaration knows is one of two things: a custom identifier, which
/// says nothing about itself, or a dynamic one (`dyn.a…`), which carries the MIME type, X11 target or filename
/// extension it was made from.
///
/// ```swift
/// if let type = UniformType(mimeType: "image/svg+xml") {
///     print(type.identifier, type.conforms(to: .xml))  // public.svg-image true
/// }
/// ```
public struct UniformType: Sendable {
    /// As given, capitals included.
    public let identifier: String
    /// What is compared: the identifier in small letters.
    let key: String

    /// The type with that identifier, whether anything is declared of it or not.
    ///
    /// Nil when the string cannot be an identifier: labels of letters, digits and hyphens, joined by dots, at least two,
    /// at most 255 bytes. A MIME type never is one. A dynamic identifier that can be read may have 4,096 bytes.
    public init?(_ identifier: String) {
        guard Self.isIdentifier(identifier) else { return nil }
        self.init(unchecked: identifier)
    }

    init(unchecked identifier: String) {
        self.identifier = identifier
        key = identifier.asciiLowercased
    }

    /// For an identifier in small letters, known when the program is compiled.
    init(constant identifier: String) {
        self.identifier = identifier
        key = identifier
    }

    /// The dynamic type that carries `tag` and conforms to `supertype`.
    init(dynamic tag: DynamicTag, conformingTo supertype: UniformType = .data) {
        self.init(unchecked: DynamicType(conformsTo: [supertype.identifier], tags: [tag]).identifier)
    }

    /// A longest identifier, in bytes.
    static let maximumLength = 255
    /// A longest dynamic identifier, in bytes: a target of 1,024 bytes, each escaped, has some 3,300.
    static let maximumDynamicLength = 4096

    static func isIdentifier(_ string: String) -> Bool {
        guard string.utf8.count <= maximumLength else {
            return string.utf8.count <= maximumDynamicLength && DynamicType(identifier: string.asciiLowercased) != nil
        }
        var labels = 1
        var length = 0
        for byte in string.utf8 {
            switch byte {
            case 0x2E where length > 0:
                labels += 1
                length = 0
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D: length += 1
            default: return false
            }
        }
        return labels > 1 && length > 0
    }
}

extension UniformType: Hashable {
    /// Whether both identifiers are the same but for their case.
    public static func == (left: Self, right: Self) -> Bool { left.key == right.key }

    /// Hashes the identifier without its case.
    public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

extension UniformType: CustomStringConvertible {
    /// The identifier. ``typeDescription`` is for people.
    public var description: String { identifier }
}

/// A type is encoded as its identifier, a string.
extension UniformType: Codable {
    /// Throws `DecodingError.dataCorrupted` when the string is no identifier.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let identifier = try container.decode(String.self)
        guard let type = Self(identifier) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a type identifier")
        }
        self = type
    }

    /// Encodes the identifier.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(identifier)
    }
}
