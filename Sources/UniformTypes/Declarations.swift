/// The declared types, found by identifier, MIME type, filename extension and X11 target.
struct Declarations: Sendable {
    static let shared = Declarations(Declaration.common)

    private var byKey: [String: Declaration] = [:]
    private var byMIME: [String: Declaration] = [:]
    private var byExtension: [String: Declaration] = [:]
    private var byTarget: [String: Declaration] = [:]

    /// A tag that several declarations have belongs to the first of them.
    init(_ declarations: [Declaration]) {
        func add(_ names: [String], _ declaration: Declaration, to table: inout [String: Declaration]) {
            for name in names where table[name] == nil { table[name] = declaration }
        }
        // A text's own names lead to the types below, not to whichever declaration offers them first.
        let texts: Set = ["public.plain-text", "public.utf8-plain-text"]
        for declaration in declarations {
            add([declaration.identifier.lowercased()], declaration, to: &byKey)
            add(declaration.mimeTypes, declaration, to: &byMIME)
            add(declaration.extensions, declaration, to: &byExtension)
            add(declaration.understood, declaration, to: &byTarget)
            if !texts.contains(declaration.identifier) { add(declaration.offered, declaration, to: &byTarget) }
        }
        for (name, key) in Self.textNames { byTarget[name] = byKey[key] }
    }

    func declaration(ofKey key: String) -> Declaration? { byKey[key] }
    func declaration(ofExtension lowered: String) -> Declaration? { byExtension[lowered] }
    func declaration(ofTarget target: String) -> Declaration? { byTarget[target] }

    /// By the whole type where a declaration names it with its parameters, then by its charset where it is plain text,
    /// then by the bare type.
    func declaration(of mime: MIMEType) -> Declaration? {
        if let found = byMIME[mime.normalized] { return found }
        if mime.essence == "text/plain", let charset = mime.charset, let key = Self.charsets[charset] {
            return byKey[key]
        }
        return byMIME[mime.essence] ?? byTarget[mime.essence]
    }

    /// X11 text targets. The owner chooses how TEXT is encoded, STRING is Latin-1 by rule and often something else.
    private static let textNames = [
        "UTF8_STRING": "public.utf8-plain-text", "TEXT": "public.plain-text", "STRING": "public.plain-text",
        "COMPOUND_TEXT": "public.plain-text",
    ]

    /// Charsets that have a type of their own. Text in any other is plain text.
    private static let charsets = [
        "utf-8": "public.utf8-plain-text", "utf8": "public.utf8-plain-text",
        "utf-16": "public.utf16-plain-text", "utf-16le": "public.utf16-plain-text",
        "utf-16be": "public.utf16-external-plain-text",
    ]
}
