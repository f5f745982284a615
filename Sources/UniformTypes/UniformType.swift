/// What bytes are, named by a uniform type identifier such as `public.png`.
///
/// Identifiers compare without case. A type that no declaration knows is one of two things: a custom identifier, which
/// says nothing about itself, or a dynamic one (`dyn.a…`), which carries the MIME type, X11 target or filename
/// extension it was made from.
package struct UniformType: Sendable {
    /// As given, capitals included.
    package let identifier: String
    /// What is compared.
    let key: String

    /// Nil when the string cannot be an identifier: labels of letters, digits and hyphens, joined by dots, at least two,
    /// at most 255 bytes. A MIME type never is one.
    package init?(_ identifier: String) {
        guard Self.isIdentifier(identifier) else { return nil }
        self.init(unchecked: identifier)
    }

    /// The type with that MIME tag; parameters other than a text's charset are ignored where the bare type is declared.
    /// A MIME type that no declaration has becomes a dynamic type. Nil when the string is not of the form `type/subtype`.
    package init?(mimeType: String) {
        guard let mime = MIMEType(mimeType) else { return nil }
        if let declared = Declarations.shared.declaration(of: mime) {
            self.init(unchecked: declared.identifier)
        } else {
            self.init(dynamic: DynamicTag(.mimeType, mime.normalized))
        }
    }

    /// The type with that filename extension (without the dot), declared or dynamic. Nil when it is empty or has a dot,
    /// a slash or a control character.
    package init?(filenameExtension: String) {
        guard Self.isFilenameExtension(filenameExtension) else { return nil }
        let lowered = filenameExtension.lowercased()
        if let declared = Declarations.shared.declaration(ofExtension: lowered) {
            self.init(unchecked: declared.identifier)
        } else {
            self.init(dynamic: DynamicTag(.filenameExtension, lowered))
        }
    }

    /// The type of an X11 target: the one declared for it, else the identifier that the name itself is, else a dynamic
    /// type from which ``X11Targets/names(for:given:exact:)`` has the very same name again.
    package init(target: String) {
        if let declared = Declarations.shared.declaration(ofTarget: target) {
            self.init(unchecked: declared.identifier)
        } else if Self.isIdentifier(target) {
            self.init(unchecked: target)
        } else if let mime = MIMEType(target) {
            if let declared = Declarations.shared.declaration(of: mime) {
                self.init(unchecked: declared.identifier)
            } else {
                // The MIME form lower-cases its value, so it may only carry what has no capitals.
                self.init(dynamic: DynamicTag(target == target.lowercased() ? .mimeType : .pasteboardType, target))
            }
        } else {
            self.init(dynamic: DynamicTag(.pasteboardType, target))
        }
    }

    /// The dynamic type that carries `tag` and is data.
    init(dynamic tag: DynamicTag) {
        self.init(unchecked: DynamicType(conformsTo: [UniformType.data.identifier], tags: [tag]).identifier)
    }

    init(unchecked identifier: String) {
        self.identifier = identifier
        key =
            identifier.utf8.contains(where: { $0 >= 0x41 && $0 <= 0x5A || $0 >= 0x80 })
            ? identifier.lowercased() : identifier
    }

    /// Whether a file name can end with it, behind a dot: at most 64 bytes, and no dot, slash, space or control character.
    static func isFilenameExtension(_ string: String) -> Bool {
        !string.isEmpty && string.utf8.count <= 64
            && !string.utf8.contains { $0 < 0x21 || $0 == 0x7F || $0 == 0x2F || $0 == 0x2E }
    }

    static func isIdentifier(_ string: String) -> Bool {
        guard string.utf8.count <= 255 else { return false }
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
    package static func == (left: Self, right: Self) -> Bool { left.key == right.key }
    package func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

extension UniformType: CustomStringConvertible {
    package var description: String { identifier }
}

/// A type is encoded as its identifier, a string.
extension UniformType: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let identifier = try container.decode(String.self)
        guard let type = Self(identifier) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a type identifier")
        }
        self = type
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(identifier)
    }
}
