/// Sizes of type as CSS writes them, in points.
enum CSSFontSize {
    /// The size of text whose own is not said: 16 pixels.
    static let normal = 12.0

    /// What is taken for a size; what lies outside is as if it was not said.
    static let range = 0.5...1638.0

    /// Nil when the value is no size; `.some(nil)` for `medium`, the reader's own. `outer` is the size around it.
    static func size(_ value: ArraySlice<UInt8>, outer: Double?) -> Double?? {
        let text = value.asciiLowercasedString
        if text == "medium" || text == "initial" { return .some(nil) }
        if let keyword = keywords[text] { return keyword }
        let base = outer ?? normal
        if text == "larger" { return larger(base) }
        if text == "smaller" { return smaller(base) }
        let number = text.prefix { $0.isNumber || $0 == "." || $0 == "+" || $0 == "-" }
        guard let amount = Double(number), let unit = points(of: text.dropFirst(number.count), base) else { return nil }
        let size = amount * unit
        return range.contains(size) ? .some(size) : nil
    }

    /// The attribute `size` of `font`: 1 to 7, or so many steps from 3.
    static func size(attribute value: ArraySlice<UInt8>) -> Double?? {
        let text = String(decoding: value.trimmed, as: UTF8.self)
        guard let number = Int16(text) else { return nil }
        let isRelative = text.hasPrefix("+") || text.hasPrefix("-")
        let step = min(max(1, Int(number) + (isRelative ? 3 : 0)), 7)
        return step == 3 ? .some(nil) : .some([7.5, 9.75, 12, 13.5, 18, 24, 36][step - 1])
    }

    static func larger(_ size: Double) -> Double { min(size * 1.2, range.upperBound) }
    static func smaller(_ size: Double) -> Double { max(size / 1.2, range.lowerBound) }

    private static func points(of unit: Substring, _ base: Double) -> Double? {
        switch unit {
        case "pt": 1
        case "px": 0.75
        case "em": base
        case "rem": normal
        case "%": base / 100
        case "pc": 12
        case "in": 72
        case "cm": 72 / 2.54
        case "mm": 72 / 25.4
        default: nil
        }
    }

    private static let keywords: [String: Double] = [
        "xx-small": 6.75, "x-small": 7.5, "small": 9.75, "large": 13.5, "x-large": 18, "xx-large": 24,
        "xxx-large": 36,
    ]
}
