/// The bullet or number of a list item.
package enum ListMarker: Hashable, Sendable {
    case bullet
    case number(Int, NumberingStyle)

    /// The marker in plain text, with the space after it: `• `, `3. `, `iv. `.
    var text: String {
        switch self {
        case .bullet: "• "
        case .number(let number, let style): "\(style.digits(of: number)). "
        }
    }
}

package enum NumberingStyle: CaseIterable, Hashable, Sendable {
    case decimal
    case lowerAlpha
    case upperAlpha
    case lowerRoman
    case upperRoman

    /// Returns the number in this style, or in decimal if the style has no notation for it.
    func digits(of number: Int) -> String {
        switch self {
        case .decimal: String(number)
        case .lowerAlpha: Self.letters(of: number) ?? String(number)
        case .upperAlpha: Self.letters(of: number)?.uppercased() ?? String(number)
        case .lowerRoman: Self.roman(number) ?? String(number)
        case .upperRoman: Self.roman(number)?.uppercased() ?? String(number)
        }
    }

    /// Returns the value of a number in this style. Decimal digits are accepted in every style.
    func number(ofDigits digits: String) -> Int? {
        if let number = Int(digits) { return number }
        let lowered = digits.lowercased()
        switch self {
        case .decimal: return nil
        case .lowerAlpha, .upperAlpha: return Self.number(ofLetters: lowered)
        case .lowerRoman, .upperRoman: return Self.number(ofRoman: lowered)
        }
    }

    private static func number(ofLetters letters: String) -> Int? {
        guard (1...12).contains(letters.utf8.count) else { return nil }
        var number = 0
        for byte in letters.utf8 {
            guard byte >= UInt8(ascii: "a"), byte <= UInt8(ascii: "z") else { return nil }
            number = number * 26 + Int(byte - UInt8(ascii: "a")) + 1
        }
        return number
    }

    private static func number(ofRoman digits: String) -> Int? {
        let values: [UInt8: Int] = [
            UInt8(ascii: "m"): 1000, UInt8(ascii: "d"): 500, UInt8(ascii: "c"): 100, UInt8(ascii: "l"): 50,
            UInt8(ascii: "x"): 10, UInt8(ascii: "v"): 5, UInt8(ascii: "i"): 1,
        ]
        guard (1...20).contains(digits.utf8.count) else { return nil }
        var number = 0
        var last = 0
        for byte in digits.utf8.reversed() {
            guard let value = values[byte] else { return nil }
            number += value < last ? -value : value
            last = max(last, value)
        }
        return number
    }

    /// Returns `a` to `z`, then `aa`, `ab` and so on.
    private static func letters(of number: Int) -> String? {
        guard number > 0 else { return nil }
        var bytes: [UInt8] = []
        var rest = number
        while rest > 0 {
            bytes.append(UInt8(ascii: "a") + UInt8((rest - 1) % 26))
            rest = (rest - 1) / 26
        }
        return String(decoding: bytes.reversed(), as: UTF8.self)
    }

    private static func roman(_ number: Int) -> String? {
        guard (1...3999).contains(number) else { return nil }
        let values = [
            (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
            (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
        ]
        var rest = number
        var result = ""
        for (value, letters) in values {
            while rest >= value {
                result += letters
                rest -= value
            }
        }
        return result
    }
}

/// The style of the markers of a list, without the number of a particular item.
enum ListMarkerStyle: Equatable, Sendable {
    case none
    case bullet
    case numbers(NumberingStyle)

    /// Reads the value of `list-style-type`, or of `list-style`, which may contain other words.
    init?(css value: ArraySlice<UInt8>) {
        let words = value.asciiLowercasedString.split(separator: " ")
        guard let style = words.lazy.compactMap({ Self.keywords[String($0)] }).first else { return nil }
        self = style
    }

    /// Reads the attribute `type` of a list or an item; nil for any other value, such as the `text/css` of a `style`.
    init?(attribute value: ArraySlice<UInt8>) {
        switch String(decoding: value, as: UTF8.self) {
        case "1": self = .numbers(.decimal)
        case "a": self = .numbers(.lowerAlpha)
        case "A": self = .numbers(.upperAlpha)
        case "i": self = .numbers(.lowerRoman)
        case "I": self = .numbers(.upperRoman)
        case "disc", "circle", "square": self = .bullet
        default: return nil
        }
    }

    func marker(_ number: Int) -> ListMarker? {
        switch self {
        case .none: nil
        case .bullet: .bullet
        case .numbers(let style): .number(number, style)
        }
    }

    private static let keywords: [String: Self] = [
        "none": .none, "disc": .bullet, "circle": .bullet, "square": .bullet, "decimal": .numbers(.decimal),
        "lower-alpha": .numbers(.lowerAlpha), "lower-latin": .numbers(.lowerAlpha),
        "upper-alpha": .numbers(.upperAlpha), "upper-latin": .numbers(.upperAlpha),
        "lower-roman": .numbers(.lowerRoman), "upper-roman": .numbers(.upperRoman),
    ]
}
