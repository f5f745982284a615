package import UniformTypes

/// The types that a type conforms to, as far as formats are derived from them.
///
/// The kind of each type is determined once: contents may have ten thousand items, and copying them must not delay
/// other clients.
package struct FormatKind: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let plainText = FormatKind(rawValue: 1)
    package static let text = FormatKind(rawValue: 1 << 1)
    package static let html = FormatKind(rawValue: 1 << 2)
    package static let rtf = FormatKind(rawValue: 1 << 3)
    package static let color = FormatKind(rawValue: 1 << 4)
    package static let image = FormatKind(rawValue: 1 << 5)
    package static let url = FormatKind(rawValue: 1 << 6)
    package static let fileURL = FormatKind(rawValue: 1 << 7)

    private static let types: [(kind: FormatKind, type: UniformType)] = [
        (.plainText, .plainText), (.text, .text), (.html, .html), (.rtf, .rtf), (.color, .color), (.image, .image),
        (.url, .url), (.fileURL, .fileURL),
    ]

    package static func of(_ types: some Sequence<UniformType>) -> [FormatKind] {
        var known: [UniformType: FormatKind] = [:]
        return types.map { type in
            if let kind = known[type] { return kind }
            let kind = FormatKind(Self.types.filter { type.conforms(to: $0.type) }.map(\.kind))
            known[type] = kind
            return kind
        }
    }
}
