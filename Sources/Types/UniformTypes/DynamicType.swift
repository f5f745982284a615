/// A tag of a dynamic type, which its identifier contains.
package struct DynamicTag: Equatable, Sendable {
    /// The class of the tag. Raw values are those of the payload.
    package enum Class: UInt8, CaseIterable, Sendable {
        case filenameExtension = 0x31
        case osType = 0x32
        case mimeType = 0x33
        /// A name that a pasteboard uses for a type; on X11, a target.
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

/// The contents of a dynamic identifier.
///
/// A dynamic identifier is `dyn.a`, followed by a payload in base 32: `?0=TYPE[,TYPE…]:CLASS=VALUE[:CLASS=VALUE…]`, or
/// the tags alone. In values, a backslash escapes `?`, `=`, `:`, `,`, the backslash and NUL.
package struct DynamicType: Equatable, Sendable {
    /// The identifiers of the types to which the type conforms.
    package let conformsTo: [String]
    package let tags: [DynamicTag]

    package init(conformsTo: [String], tags: [DynamicTag]) {
        self.conformsTo = conformsTo
        self.tags = tags
    }

    func value(of class: DynamicTag.Class) -> String? {
        tags.first { $0.class == `class` }?.value
    }

    /// The X11 target: the MIME type, or else the name that a pasteboard uses. Nil if it is a target of the selection
    /// protocol, such as TARGETS, which must not be offered as contents.
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

    /// Reads an identifier in lower case. Types in the payload that are not identifiers are left out, and so are tags
    /// of unknown classes.
    ///
    /// - Returns: nil if the identifier is not dynamic, or its payload is damaged or has no known tag.
    package init?(identifier: String) {
        let prefix = Self.prefix.utf8
        guard identifier.utf8.starts(with: prefix), identifier.utf8.count <= UniformType.maxDynamicLength,
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

    /// The characters by which a payload names common types.
    private static let shortNames: [(name: String, type: String)] = [
        ("6", "public.data"), ("7", "public.text"), ("8", "public.plain-text"), ("B", "public.image"),
        ("C", "public.video"), ("D", "public.audio"),
    ]

    private static func shortName(of identifier: String) -> String? {
        shortNames.first { $0.type == identifier }?.name
    }

    private static func type(ofShortName name: ArraySlice<UInt8>) -> String? {
        shortNames.first { name.elementsEqual($0.name.utf8) }?.type
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

    /// Splits bytes at separators that are not escaped.
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

/// The base 32 encoding of dynamic identifiers: the most significant bit first, without padding, in an alphabet of its
/// own.
package enum Base32 {
    private static var alphabet: String { "abcdefghkmnpqrstuvwxyz0123456789" }

    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        let alphabet = alphabet.utf8Span.span
        var digits: [UInt8] = []
        digits.reserveCapacity((bytes.count * 8 + 4) / 5)
        var buffer = 0
        var bits = 0
        for byte in bytes {
            buffer = (buffer << 8 | Int(byte)) & 0xFFF
            bits += 8
            while bits >= 5 {
                bits -= 5
                digits.append(alphabet[buffer >> bits & 31])
            }
        }
        if bits > 0 { digits.append(alphabet[buffer << (5 - bits) & 31]) }
        return String(decoding: digits, as: UTF8.self)
    }

    /// Decodes digits.
    ///
    /// - Returns: nil if a digit is not in the alphabet, or if the bits after the last byte are not zero or form a
    ///   whole digit.
    static func decode(_ digits: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count * 5 / 8)
        var buffer = 0
        var bits = 0
        for digit in digits {
            guard let value = value(of: digit) else { return nil }
            buffer = (buffer << 5 | value) & 0xFFF
            bits += 5
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(buffer >> bits & 0xFF))
            }
        }
        guard bits < 5, buffer & (1 << bits - 1) == 0 else { return nil }
        return bytes
    }

    /// Returns the value of a digit. The alphabet lacks `i`, `j`, `l` and `o`.
    private static func value(of digit: UInt8) -> Int? {
        switch digit {
        case UInt8(ascii: "a")...UInt8(ascii: "h"): Int(digit - UInt8(ascii: "a"))
        case UInt8(ascii: "k"): 8
        case UInt8(ascii: "m")...UInt8(ascii: "n"): Int(digit - UInt8(ascii: "m")) + 9
        case UInt8(ascii: "p")...UInt8(ascii: "z"): Int(digit - UInt8(ascii: "p")) + 11
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(digit - UInt8(ascii: "0")) + 22
        default: nil
        }
    }
}
