/// A length in CSS notation: `1.5em`, `12pt`, `0`, `115%`.
struct CSSLength: Equatable, Sendable {
    enum Unit: Sendable {
        case points
        /// The size of the font.
        case em
        case percent
        /// A number without a unit, which is a length only if it is 0.
        case none
    }

    let amount: Double
    let unit: Unit

    @inline(never) init?(_ value: ArraySlice<UInt8>) {
        // A meaningful number is short.
        guard value.count <= 32 else { return nil }
        let text = value.asciiLowercasedString
        let number = text.prefix { $0.isNumber || $0 == "." || $0 == "+" || $0 == "-" }
        guard let amount = Double(number) else { return nil }
        switch text.dropFirst(number.count) {
        case "": self = Self(amount, .none)
        case "pt": self = Self(amount, .points)
        case "px": self = Self(amount * 0.75, .points)
        case "em": self = Self(amount, .em)
        case "%": self = Self(amount, .percent)
        case "rem": self = Self(amount * CSSFontSize.normal, .points)
        case "pc": self = Self(amount * 12, .points)
        case "in": self = Self(amount * 72, .points)
        case "cm": self = Self(amount * 72 / 2.54, .points)
        case "mm": self = Self(amount * 72 / 25.4, .points)
        default: return nil
        }
    }

    init(_ amount: Double, _ unit: Unit) {
        self.amount = amount
        self.unit = unit
    }

    /// Returns the length in points, in hundredths as it would be written; nil if it depends on the layout of the page.
    ///
    /// - Parameter fontSize: The size of the text of the element; nil for the reader's size.
    @inline(never) func points(fontSize: Double?) -> Double? {
        switch unit {
        case .points: ParagraphLayout.offset(amount).rounded(toPlaces: 2)
        case .em: ParagraphLayout.offset(amount * (fontSize ?? CSSFontSize.normal)).rounded(toPlaces: 2)
        case .none where amount == 0: 0
        case .none, .percent: nil
        }
    }
}

extension Double {
    /// Returns the nearest number with two or three decimal places.
    @inline(never) func rounded(toPlaces places: Int) -> Double {
        let scale = places == 2 ? 100.0 : 1000
        return (self * scale).rounded() / scale
    }

    /// Returns the number in CSS notation, rounded to at most two or three decimal places, without trailing zeros.
    ///
    /// - Precondition: The number is less than 10^15 in magnitude.
    @inline(never) func css(places: Int = 2) -> String {
        let scale = places == 2 ? 100 : 1000
        let scaled = Int((self * Double(scale)).rounded())
        let (whole, rest) = scaled.magnitude.quotientAndRemainder(dividingBy: UInt(scale))
        var text = "\(scaled < 0 ? "-" : "")\(whole)"
        guard rest > 0 else { return text }
        var digits = String(rest + UInt(scale)).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        text += "." + digits
        return text
    }
}
