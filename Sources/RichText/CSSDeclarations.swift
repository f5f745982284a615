/// The declarations of a `style` attribute, one after the other: `color: red; white-space: pre !important`.
struct CSSDeclarations {
    struct Declaration {
        let property: MarkupName
        /// Without blanks around it and without `!important`.
        let value: ArraySlice<UInt8>
    }

    private var rest: ArraySlice<UInt8>

    /// Entities are decoded already.
    init(_ style: ArraySlice<UInt8>) {
        rest = style
    }

    /// A declaration without a colon is passed over.
    mutating func next() -> Declaration? {
        while !rest.isEmpty {
            let end = declarationEnd()
            let declaration = rest[rest.startIndex..<end]
            rest = rest[min(end + 1, rest.endIndex)...]
            guard let colon = declaration.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let property = MarkupName(declaration[..<colon].trimmed)
            return Declaration(property: property, value: Self.withoutImportance(declaration[(colon + 1)...].trimmed))
        }
        return nil
    }

    /// The next semicolon that stands neither in quotes nor in parentheses, as in `url(data:a;b)`.
    private func declarationEnd() -> Int {
        var quote: UInt8?
        var depth = 0
        for index in rest.indices {
            let byte = rest[index]
            if let open = quote {
                if byte == open { quote = nil }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"): depth = max(0, depth - 1)
            case UInt8(ascii: ";") where depth == 0: return index
            default: break
            }
        }
        return rest.endIndex
    }

    private static func withoutImportance(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let mark = value.lastIndex(of: UInt8(ascii: "!")),
            MarkupName(value[(mark + 1)...].trimmed) == importance
        else { return value }
        return value[..<mark].trimmed
    }

    private static let importance = MarkupName("important")
}

extension ArraySlice<UInt8> {
    /// Without blanks at both ends.
    var trimmed: Self {
        var slice = self
        while let first = slice.first, first.isHTMLSpace { slice = slice.dropFirst() }
        while let last = slice.last, last.isHTMLSpace { slice = slice.dropLast() }
        return slice
    }

    var asciiLowercasedString: String { String(decoding: map(\.asciiLowercased), as: UTF8.self) }
}
