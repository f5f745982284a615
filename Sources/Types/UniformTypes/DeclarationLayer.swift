/// The declarations of one source, indexed by identifier, MIME type, filename extension and X11 target.
///
/// If several declarations have the same tag, the first one takes precedence. Several declarations of one type are
/// combined.
package struct DeclarationLayer: Sendable {
    private var declarations: [TypeDeclaration] = []
    private var byKey: [String: [TypeDeclaration]] = [:]
    private var byMIME: [String: [String]] = [:]
    private var byExtension: [ExactName: [String]] = [:]
    private var byTarget: [ExactName: [String]] = [:]

    /// Creates a layer from the declarations without errors.
    package init(_ declarations: [TypeDeclaration] = []) {
        for declaration in declarations where declaration.faults().isEmpty { insert(declaration) }
    }

    /// Returns the layer with a declaration added, which replaces those of the same type.
    ///
    /// - Returns: nil if the layer would have more than `limit` declarations.
    package func adding(_ declaration: TypeDeclaration, limit: Int) -> DeclarationLayer? {
        var result = self
        if declares(declaration.identifier.asciiLowercased) {
            let type = UniformType(unchecked: declaration.identifier)
            result = DeclarationLayer()
            for other in declarations where UniformType(unchecked: other.identifier) != type { result.insert(other) }
        }
        result.insert(declaration)
        return result.declarations.count > limit ? nil : result
    }

    private mutating func insert(_ declaration: TypeDeclaration) {
        let identifier = declaration.identifier
        declarations.append(declaration)
        byKey[identifier.asciiLowercased, default: []].append(declaration)
        for name in declaration.mimeTypes + declaration.targets {
            if let mime = MIMEType(name) { byMIME[mime.normalized, default: []].append(identifier) }
        }
        for name in declaration.filenameExtensions {
            byExtension[ExactName(name.asciiLowercased), default: []].append(identifier)
        }
        for name in declaration.targets { byTarget[ExactName(name), default: []].append(identifier) }
    }

    var isEmpty: Bool { declarations.isEmpty }
    var keys: some Sequence<String> { byKey.keys }

    func declares(_ key: String) -> Bool { byKey[key] != nil }
    package func declarations(ofKey key: String) -> [TypeDeclaration] { byKey[key] ?? [] }
    func identifiers(ofMIMEType normalized: String) -> [String] { byMIME[normalized] ?? [] }
    package func identifiers(ofExtension lowered: String) -> [String] { byExtension[ExactName(lowered)] ?? [] }
    func identifiers(ofTarget target: String) -> [String] { byTarget[ExactName(target)] ?? [] }
}

/// A name that is compared byte by byte.
///
/// Swift compares strings by canonical equivalence: the Kelvin sign equals `K`, and the Greek question mark a
/// semicolon. X11 atoms and filename extensions with different bytes are different.
package struct ExactName: Hashable, Sendable {
    package let string: String

    package init(_ string: String) { self.string = string }

    package static func == (left: Self, right: Self) -> Bool { left.string.isExactly(right.string) }

    package func hash(into hasher: inout Hasher) {
        for byte in string.utf8 { hasher.combine(byte) }
    }
}

extension String {
    /// Returns true if both strings have the same bytes in UTF-8.
    package func isExactly(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }

    /// The string with the letters `A` to `Z` in lower case. Other letters are unchanged, because the lower case of the
    /// Kelvin sign is `k`.
    package var asciiLowercased: String {
        guard utf8.contains(where: { $0 >= 0x41 && $0 <= 0x5A }) else { return self }
        return String(decoding: utf8.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}

extension UInt8 {
    /// The byte with `A` to `Z` in lower case; every other byte unchanged.
    var asciiLowercased: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }
}
