/// A type of data, such as a PNG image, named by a uniform type identifier, such as `public.png`.
///
/// A type conforms to more general types: `public.png` conforms to `public.image`, which conforms to `public.data`. A
/// type has tags, which are its names elsewhere: MIME types, filename extensions and X11 targets. Types are declared by
/// a built-in table, by the user in the file `types.json`, and by a program with ``declare(_:)``.
///
/// A type without a declaration is either a custom identifier, about which nothing is known, or a dynamic identifier
/// (`dyn.a…`), which contains the MIME type, X11 target or filename extension from which it was created.
///
/// Two types are equal if their identifiers are equal without regard to case.
///
/// ```swift
/// if let type = UniformType(mimeType: "image/svg+xml") {
///     print(type.identifier, type.conforms(to: .xml))  // public.svg-image true
/// }
/// ```
public struct UniformType: Sendable {
    /// The identifier, spelled as it was given.
    public let identifier: String
    /// The identifier in lower case, used for comparison.
    package let key: String

    /// Creates a type from its identifier. The type need not be declared.
    ///
    /// An identifier consists of at least two labels, which are joined by dots and contain ASCII letters, digits and
    /// hyphens.
    ///
    /// - Parameter identifier: At most 255 bytes; at most 4,096 bytes if it is a valid dynamic identifier.
    /// - Returns: nil if the string is not an identifier. A MIME type is never an identifier.
    public init?(_ identifier: String) {
        guard Self.isIdentifier(identifier) else { return nil }
        self.init(unchecked: identifier)
    }

    /// Creates a type from a string that is known to be an identifier.
    package init(unchecked identifier: String) {
        self.identifier = identifier
        key = identifier.asciiLowercased
    }

    /// Creates a type from an identifier in lower case that is known at compile time.
    init(constant identifier: String) {
        self.identifier = identifier
        key = identifier
    }

    /// Creates the dynamic type that contains `tag` and conforms to `supertype`.
    package init(dynamic tag: DynamicTag, conformingTo supertype: UniformType = .data) {
        self.init(unchecked: DynamicType(conformsTo: [supertype.identifier], tags: [tag]).identifier)
    }

    /// The maximum length of an identifier, in bytes.
    static let maxLength = 255
    /// The maximum length of a dynamic identifier, in bytes. A target of 1,024 bytes needs about 3,300 if every byte is
    /// escaped.
    static let maxDynamicLength = 4096

    static func isIdentifier(_ string: String) -> Bool {
        guard string.utf8.count <= maxLength else {
            return string.utf8.count <= maxDynamicLength && DynamicType(identifier: string.asciiLowercased) != nil
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
    /// Compares the identifiers without regard to case.
    public static func == (left: Self, right: Self) -> Bool { left.key == right.key }

    /// Hashes the identifier without regard to case.
    public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

extension UniformType: CustomStringConvertible {
    /// The identifier. For a description in words, see ``typeDescription``.
    public var description: String { identifier }
}

/// A type is encoded as a string, its identifier.
extension UniformType: Codable {
    /// Decodes a type from its identifier.
    ///
    /// - Throws: `DecodingError.dataCorrupted` if the string is not an identifier.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let identifier = try container.decode(String.self)
        guard let type = Self(identifier) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a type identifier")
        }
        self = type
    }

    /// Encodes the type as its identifier.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(identifier)
    }
}

// MARK: Declarations

/// The tags of a type, and its relations to other types.
extension UniformType {
    /// True if the type is declared by the built-in table, the user or this program.
    public var isDeclared: Bool { TypeLayers.current.isDeclared(self) }

    /// True if the type is dynamic: its identifier (`dyn.a…`) contains a valid description of the type.
    public var isDynamic: Bool { DynamicType(identifier: key) != nil }

    /// True if the identifier begins with `public.`, the domain of types that belong to no company.
    public var isPublic: Bool { key.utf8.starts(with: "public.".utf8) }

    /// The preferred MIME type; nil if the type has no MIME type, as `public.url` and `public.file-url` do not.
    public var preferredMIMEType: String? { TypeLayers.current.mimeTypes(of: self).first }

    /// The preferred filename extension, without the dot; nil if the type has no filename extension.
    public var preferredFilenameExtension: String? { TypeLayers.current.filenameExtensions(of: self).first }

    /// All tags of the type by class, in order of preference. Classes without a tag are left out.
    public var tags: [UniformTypeTagClass: [String]] {
        let layers = TypeLayers.current
        let tags: [UniformTypeTagClass: [String]] = [
            .mimeType: layers.mimeTypes(of: self), .filenameExtension: layers.filenameExtensions(of: self),
            .selectionTarget: layers.targets(of: self),
        ]
        return tags.filter { !$0.value.isEmpty }
    }

    /// A description for display, in English, such as `PNG image`; nil if no declaration has one.
    public var typeDescription: String? { TypeLayers.current.description(of: self) }

    /// All types that the type conforms to, except itself: first the types that its declaration names, then the types
    /// that these conform to, and so on. Each type appears once.
    public var supertypes: [UniformType] { TypeLayers.current.supertypes(of: self) }

    /// Returns true if the type is `type`, or conforms to it directly or indirectly.
    public func conforms(to type: UniformType) -> Bool {
        self == type || TypeLayers.current.conforms(self, to: type)
    }

    /// Returns true if the type conforms to `type` and is not the same type.
    public func isSubtype(of type: UniformType) -> Bool { self != type && conforms(to: type) }

    /// Returns true if `type` conforms to this type and is not the same type.
    public func isSupertype(of type: UniformType) -> Bool { type.isSubtype(of: self) }
}

// MARK: The built-in table

extension UniformType {
    /// True if the built-in table declares the type, whether or not it is also declared elsewhere.
    package var isBuiltIn: Bool { DeclaredType(key: key) != nil || WebCustomFormat(key: key) != nil }

    /// The type with its identifier spelled as in the built-in table, if it has the type: `public.png` for
    /// `PUBLIC.PNG`.
    package var asDeclared: UniformType { DeclaredType(key: key).map { UniformType(unchecked: $0.identifier) } ?? self }

    /// All types of the built-in table, sorted by identifier.
    package static var builtIn: [UniformType] {
        SortedLines.declaredTypes.text.split(separator: "\n").compactMap { line in
            UniformType(String(line.prefix { $0 != "|" }))
        }
    }
}
