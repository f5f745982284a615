import Formats

/// The declarations of a `style` attribute, in order: `color: red; white-space: pre !important`.
struct CSSDeclarations {
    struct Declaration {
        let property: MarkupName
        /// The value without white space at both ends, and without `!important`.
        let value: ArraySlice<UInt8>
    }

    private var rest: ArraySlice<UInt8>

    /// - Parameter style: The value of the attribute, with character references decoded.
    init(_ style: ArraySlice<UInt8>) {
        rest = style
    }

    /// Returns the next declaration. Declarations without a colon are skipped.
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

    /// Returns the index of the next semicolon outside of quotes and parentheses, as in `url(data:a;b)`.
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

extension TextColor {
    /// Reads a color as ``X11Color/init(css:)`` does, and ignores an alpha above 0.
    ///
    /// - Returns: nil for an invisible color, and for a color that depends on the reader, such as `windowtext`.
    init?(css value: ArraySlice<UInt8>) {
        guard let color = X11Color(css: String(decoding: value, as: UTF8.self)), color.alpha > 0 else { return nil }
        let parts = color.components8
        self.init(red: parts[0], green: parts[1], blue: parts[2])
    }

    /// Reads the color of an attribute such as `bgcolor`, which may lack the `#` before hexadecimal digits.
    init?(attribute value: ArraySlice<UInt8>) {
        guard let color = Self(css: value) ?? Self(css: [UInt8(ascii: "#")] + value.trimmed) else { return nil }
        self = color
    }
}

/// Font sizes in CSS notation, converted to points.
enum CSSFontSize {
    /// The size of text without its own size: 16 pixels.
    static let normal = 12.0

    /// The sizes that are read and written. A size out of range is ignored when read.
    static let range = 0.5...1638.0

    /// Reads a value of `font-size`.
    ///
    /// - Parameter outer: The size of the surrounding text.
    /// - Returns: nil if the value is not a size; `.some(nil)` for `medium`, which leaves the choice to the reader.
    static func size(_ value: ArraySlice<UInt8>, outer: Double?) -> Double?? {
        let text = value.asciiLowercasedString
        if text == "medium" || text == "initial" { return .some(nil) }
        if let keyword = keywords[text] { return keyword }
        let base = outer ?? normal
        if text == "larger" { return larger(base) }
        if text == "smaller" { return smaller(base) }
        guard let length = CSSLength(value), let size = points(length, base) else { return nil }
        return range.contains(size) ? .some(size) : nil
    }

    /// Reads the attribute `size` of `font`: 1 to 7, or a signed number of steps relative to 3.
    static func size(attribute value: ArraySlice<UInt8>) -> Double?? {
        let text = String(decoding: value.trimmed, as: UTF8.self)
        guard let number = Int16(text) else { return nil }
        let isRelative = text.hasPrefix("+") || text.hasPrefix("-")
        let step = min(max(1, Int(number) + (isRelative ? 3 : 0)), 7)
        return step == 3 ? .some(nil) : .some([7.5, 9.75, 12, 13.5, 18, 24, 36][step - 1])
    }

    static func larger(_ size: Double) -> Double { min(size * 1.2, range.upperBound) }
    static func smaller(_ size: Double) -> Double { max(size / 1.2, range.lowerBound) }

    private static func points(_ length: CSSLength, _ base: Double) -> Double? {
        switch length.unit {
        case .points: length.amount
        case .em: length.amount * base
        case .percent: length.amount * base / 100
        case .none: nil
        }
    }

    private static let keywords: [String: Double] = [
        "xx-small": 6.75, "x-small": 7.5, "small": 9.75, "large": 13.5, "x-large": 18, "xx-large": 24,
        "xxx-large": 36,
    ]
}
