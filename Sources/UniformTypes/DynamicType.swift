/// What a dynamic identifier carries: tags of a type that nobody declared.
struct DynamicTag: Equatable, Sendable {
    /// Raw values are the tag classes of the payload.
    enum Class: Character, Sendable {
        case filenameExtension = "1"
        case osType = "2"
        case mimeType = "3"
        /// A pasteboard's own name for a type; here an X11 target.
        case pasteboardType = "4"
    }

    let `class`: Class
    let value: String

    init(_ class: Class, _ value: String) {
        self.class = `class`
        self.value = value
    }
}

/// A dynamic identifier, read or to be written: `dyn.a` and, in base 32, `?0=TYPE[,TYPE]:CLASS=VALUE[:CLASS=VALUE]`, or
/// the tags alone.
struct DynamicType: Equatable, Sendable {
    /// Identifiers.
    let conformsTo: [String]
    let tags: [DynamicTag]

    init(conformsTo: [String], tags: [DynamicTag]) {
        self.conformsTo = conformsTo
        self.tags = tags
    }

    func value(of class: DynamicTag.Class) -> String? {
        tags.first { $0.class == `class` }?.value
    }

    private static let prefix = "dyn.a"

    /// Types that a payload names by one character.
    private static let shortTypes: [(code: String, identifier: String)] = [
        ("6", "public.data"), ("7", "public.text"), ("8", "public.plain-text"), ("B", "public.image"),
        ("C", "public.video"), ("D", "public.audio"),
    ]

    var identifier: String { Self.prefix + Base32.encode(Array(payload.utf8)) }

    var payload: String {
        let types = conformsTo.map { identifier in
            Self.shortTypes.first { $0.identifier == identifier }?.code ?? Self.escaped(identifier)
        }
        let tagged = tags.map { "\($0.class.rawValue)=\(Self.escaped($0.value))" }
        guard !types.isEmpty else { return tagged.joined(separator: ":") }
        return (["?0=" + types.joined(separator: ",")] + tagged).joined(separator: ":")
    }

    /// Nil when the identifier is not dynamic, or its payload is damaged or has no tag.
    init?(identifier: String) {
        guard identifier.hasPrefix(Self.prefix),
            let bytes = Base32.decode(identifier.dropFirst(Self.prefix.count)),
            let payload = String(validating: bytes, as: UTF8.self)
        else { return nil }
        var conformsTo: [String] = []
        var tags: [DynamicTag] = []
        let fields = Self.split(payload.hasPrefix("?") ? payload.dropFirst() : payload[...], at: ":")
        for field in fields {
            guard let name = field.first, field.dropFirst().first == "=" else { return nil }
            let value = field.dropFirst(2)
            if name == "0" {
                conformsTo = Self.split(value, at: ",").map { type in
                    Self.shortTypes.first { $0.code == type }?.identifier ?? Self.unescaped(type)
                }
            } else if let known = DynamicTag.Class(rawValue: name) {
                tags.append(DynamicTag(known, Self.unescaped(value)))
            }
        }
        guard !tags.isEmpty else { return nil }
        self.init(conformsTo: conformsTo, tags: tags)
    }

    private static func escaped(_ value: String) -> String {
        var result = ""
        for scalar in value.unicodeScalars {
            if "?=:,\\\0".unicodeScalars.contains(scalar) { result.unicodeScalars.append("\\") }
            result.unicodeScalars.append(scalar)
        }
        return result
    }

    private static func unescaped(_ value: Substring) -> String {
        var result = ""
        var isEscaped = false
        for scalar in value.unicodeScalars {
            if scalar == "\\", !isEscaped {
                isEscaped = true
            } else {
                result.unicodeScalars.append(scalar)
                isEscaped = false
            }
        }
        return result
    }

    /// The parts between separators that no backslash precedes.
    private static func split(_ string: Substring, at separator: Unicode.Scalar) -> [Substring] {
        var parts: [Substring] = []
        var start = string.startIndex
        var isEscaped = false
        for index in string.unicodeScalars.indices {
            let scalar = string.unicodeScalars[index]
            if scalar == separator, !isEscaped {
                parts.append(string[start..<index])
                start = string.unicodeScalars.index(after: index)
            }
            isEscaped = scalar == "\\" && !isEscaped
        }
        return parts + [string[start...]]
    }
}
