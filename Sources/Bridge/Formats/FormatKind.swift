import UniformTypes

/// What a type conforms to, of the types that something is derived from.
///
/// Found once for each type, since contents may have ten thousands of items, and whoever copies them holds nobody up.
struct FormatKind: OptionSet, Sendable {
    let rawValue: UInt8

    static let plainText = FormatKind(rawValue: 1)
    static let text = FormatKind(rawValue: 1 << 1)
    static let html = FormatKind(rawValue: 1 << 2)
    static let rtf = FormatKind(rawValue: 1 << 3)
    static let color = FormatKind(rawValue: 1 << 4)
    static let image = FormatKind(rawValue: 1 << 5)
    static let url = FormatKind(rawValue: 1 << 6)
    static let fileURL = FormatKind(rawValue: 1 << 7)

    private static let types: [(kind: FormatKind, type: UniformType)] = [
        (.plainText, .plainText), (.text, .text), (.html, .html), (.rtf, .rtf), (.color, .color), (.image, .image),
        (.url, .url), (.fileURL, .fileURL),
    ]

    /// Of each of the types.
    static func of(_ types: some Sequence<UniformType>) -> [FormatKind] {
        var known: [UniformType: FormatKind] = [:]
        return types.map { type in
            if let kind = known[type] { return kind }
            let kind = FormatKind(Self.types.filter { type.conforms(to: $0.type) }.map(\.kind))
            known[type] = kind
            return kind
        }
    }
}
