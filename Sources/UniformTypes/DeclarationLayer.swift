/// Declarations from one source, found by identifier, MIME type, filename extension and X11 target.
///
/// Of several declarations with the same tag, the first one has it. Several of one type add up.
struct DeclarationLayer: Sendable {
    private var declarations: [TypeDeclaration] = []
    private var byKey: [String: [TypeDeclaration]] = [:]
    private var byMIME: [String: [String]] = [:]
    private var byExtension: [ExactName: [String]] = [:]
    private var byTarget: [ExactName: [String]] = [:]

    /// Leaves out what has faults.
    init(_ declarations: [TypeDeclaration] = []) {
        for declaration in declarations where declaration.faults().isEmpty { insert(declaration) }
    }

    /// The layer with a declaration more, which replaces those of the same type. Nil when it would have more than `limit`.
    func adding(_ declaration: TypeDeclaration, limit: Int) -> DeclarationLayer? {
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
    func declarations(ofKey key: String) -> [TypeDeclaration] { byKey[key] ?? [] }
    func identifiers(ofMIMEType normalized: String) -> [String] { byMIME[normalized] ?? [] }
    func identifiers(ofExtension lowered: String) -> [String] { byExtension[ExactName(lowered)] ?? [] }
    func identifiers(ofTarget target: String) -> [String] { byTarget[ExactName(target)] ?? [] }
}
