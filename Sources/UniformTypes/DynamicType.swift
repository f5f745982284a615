/// What a dynamic identifier carries: tags of a type that nobody declared.
package struct DynamicTag: Equatable, Sendable {
    /// Raw values are the tag classes of the payload.
    package enum Class: UInt8, CaseIterable, Sendable {
        case filenameExtension = 0x31
        case osType = 0x32
        case mimeType = 0x33
        /// A pasteboard's own name for a type; here an X11 target.
        case pasteboardType = 0x34
    }

    package let `class`: Class
    package let value: String

    package init(_ class: Class, _ value: String) {
        self.class = `class`
        self.value = value
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.class == right.class && left.value.isExactly(right.value)
    }
}

/// A dynamic identifier, read or to be written: `dyn.a` and, in base 32, `?0=TYPE[,TYPE]:CLASS=VALUE[:CLASS=VALUE]`, or
/// the tags alone. In a value `\` stands before `?`, `=`, `:`, `,`, `\` and NUL.
package struct DynamicType: Equatable, Sendable {
    /// Identifiers.
    package let conformsTo: [String]
    package let tags: [DynamicTag]

    package init(conformsTo: [String], tags: [DynamicTag]) {
        self.conformsTo = conformsTo
        self.tags = tags
    }

    func value(of class: DynamicTag.Class) -> String? {
        tags.first { $0.class == `class` }?.value
    }

    /// The X11 target it carries: the MIME type, else the pasteboard's own name. A part of the selection protocol is none:
    /// nobody is to be offered TARGETS as contents.
    var target: String? {
        (value(of: .mimeType) ?? value(of: .pasteboardType)).flatMap { X11Targets.isProtocolTarget($0) ? nil : $0 }
    }

    package var identifier: String { Self.prefix + Base32.encode(payload.utf8) }

    package var payload: String {
        let types = conformsTo.map { Self.shortName(of: $0) ?? Self.escaped($0) }
        let tagged = tags.map { "\(Unicode.Scalar($0.class.rawValue))=\(Self.escaped($0.value))" }
        guard !types.isEmpty else { return tagged.joined(separator: ":") }
        return (["?0=" + types.joined(separator: ",")] + tagged).joined(separator: ":")
    }

    /// Nil when the identifier is not dynamic, or its payload is damaged or has no tag. Digits are small letters. What a
    /// payload conforms to is left out where it is no identifier.
    package init?(identifier: String) {
        let prefix = Self.prefix.utf8
        guard identifier.utf8.starts(with: prefix), identifier.utf8.count <= UniformType.maximumDynamicLength,
            let payload = Base32.decode(identifier.utf8.dropFirst(prefix.count)),
            String(validating: payload, as: UTF8.self) != nil
        else { return nil }
        var conformsTo: [String] = []
        var tags: [DynamicTag] = []
        let hasTypes = payload.first == UInt8(ascii: "?")
        for field in Self.split(payload[(hasTypes ? 1 : 0)...], at: UInt8(ascii: ":")) {
            guard let name = field.first, field.dropFirst().first == UInt8(ascii: "=") else { return nil }
            let value = field.dropFirst(2)
            if name == UInt8(ascii: "0") {
                conformsTo = Self.split(value, at: UInt8(ascii: ",")).map { type in
                    Self.type(ofShortName: type) ?? Self.unescaped(type)
                }.filter(UniformType.isIdentifier)
            } else if let known = DynamicTag.Class(rawValue: name) {
                tags.append(DynamicTag(known, Self.unescaped(value)))
            }
        }
        guard !tags.isEmpty else { return nil }
        self.init(conformsTo: conformsTo, tags: tags)
    }

    private static var prefix: String { "dyn.a" }

    /// Types that a payload names by one character.
    private static func shortName(of identifier: String) -> String? {
        switch identifier {
        case "public.data": "6"
        case "public.text": "7"
        case "public.plain-text": "8"
        case "public.image": "B"
        case "public.video": "C"
        case "public.audio": "D"
        default: nil
        }
    }

    private static func type(ofShortName name: ArraySlice<UInt8>) -> String? {
        guard let character = name.first, name.count == 1 else { return nil }
        return switch Unicode.Scalar(character) {
        case "6": "public.data"
        case "7": "public.text"
        case "8": "public.plain-text"
        case "B": "public.image"
        case "C": "public.video"
        case "D": "public.audio"
        default: nil
        }
    }

    private static let escape = UInt8(ascii: "\\")

    private static func escaped(_ value: String) -> String {
        var result: [UInt8] = []
        for byte in value.utf8 {
            if "?=:,\\\0".utf8.contains(byte) { result.append(escape) }
            result.append(byte)
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func unescaped(_ value: ArraySlice<UInt8>) -> String {
        var result: [UInt8] = []
        var isEscaped = false
        for byte in value {
            if byte == escape, !isEscaped {
                isEscaped = true
            } else {
                result.append(byte)
                isEscaped = false
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The parts between separators that no backslash precedes.
    private static func split(_ bytes: ArraySlice<UInt8>, at separator: UInt8) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var start = bytes.startIndex
        var isEscaped = false
        for index in bytes.indices {
            if bytes[index] == separator, !isEscaped {
                parts.append(bytes[start..<index])
                start = index + 1
            }
            isEscaped = bytes[index] == escape && !isEscaped
        }
        return parts + [bytes[start...]]
    }
}
