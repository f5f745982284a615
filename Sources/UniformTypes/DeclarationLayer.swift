/// Declarations from one source, found by identifier, MIME type, filename extension and X11 target.
///
/// Of several declarations with the same tag, the first one has it. Several of one type add up.
struct DeclarationLayer: Sendable {
    private var byKey: [String: [TypeDeclaration]] = [:]
    private var byMIME: [String: [String]] = [:]
    private var byExtension: [ExactName: [String]] = [:]
    private var byTarget: [ExactName: [String]] = [:]

    static let none = DeclarationLayer([])

    /// Leaves out what has faults.
    init(_ declarations: [TypeDeclaration]) {
        for declaration in declarations where declaration.faults().isEmpty {
            let identifier = declaration.identifier
            byKey[identifier.asciiLowercased, default: []].append(declaration)
            for name in declaration.mimeTypes + declaration.targets {
                if let mime = MIMEType(name) { byMIME[mime.normalized, default: []].append(identifier) }
            }
            for name in declaration.filenameExtensions {
                byExtension[ExactName(name.asciiLowercased), default: []].append(identifier)
            }
            for name in declaration.targets { byTarget[ExactName(name), default: []].append(identifier) }
        }
    }

    var isEmpty: Bool { byKey.isEmpty }
    var keys: some Sequence<String> { byKey.keys }

    func declares(_ key: String) -> Bool { byKey[key] != nil }
    func declarations(ofKey key: String) -> [TypeDeclaration] { byKey[key] ?? [] }
    func identifiers(ofMIMEType normalized: String) -> [String] { byMIME[normalized] ?? [] }
    func identifiers(ofExtension lowered: String) -> [String] { byExtension[ExactName(lowered)] ?? [] }
    func identifiers(ofTarget target: String) -> [String] { byTarget[ExactName(target)] ?? [] }
}
