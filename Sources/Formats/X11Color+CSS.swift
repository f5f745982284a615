/// Colors as CSS writes them (CSS Color Module Level 4, sections 5 and 6.1).
extension X11Color {
    /// `#rrggbb`, or `#rrggbbaa` where the color is not opaque in 8 bits.
    package var css: String {
        let parts = components8
        let isOpaque = parts[3] == .max
        let digits = parts.prefix(isOpaque ? 3 : 4).map { part in
            String(part >> 4, radix: 16) + String(part & 15, radix: 16)
        }
        return "#" + digits.joined()
    }

    /// Reads `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa`, `rgb()` and `rgba()` with commas or spaces, numbers or percentages,
    /// and the named colors, in any case and with white space around. Nil for anything else; a number that is out of its
    /// range is brought into it.
    package init?(css: some StringProtocol) {
        // No color is longer, and what is not one may be.
        guard css.utf8.count <= 256 else { return nil }
        let text = css.lowercased().utf8.trimmed
        let color: Self? =
            if text.first == UInt8(ascii: "#") {
                Self(hexadecimal: text.dropFirst())
            } else if text.last == UInt8(ascii: ")") {
                Self(function: text)
            } else {
                Self(name: String(decoding: text, as: UTF8.self))
            }
        guard let color else { return nil }
        self = color
    }

    private init?(hexadecimal digits: ArraySlice<UInt8>) {
        let values = digits.compactMap(PercentEncoding.value)
        guard values.count == digits.count else { return nil }
        let parts: [UInt8]
        switch values.count {
        case 3, 4: parts = values.map { $0 << 4 | $0 }
        case 6, 8: parts = stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
        default: return nil
        }
        self.init(red8: parts[0], green: parts[1], blue: parts[2], alpha: parts.count > 3 ? parts[3] : .max)
    }

    /// `rgb(1, 2, 3)`, `rgba(1, 2, 3, 0.5)`, `rgb(1 2 3 / 50%)`.
    private init?(function text: ArraySlice<UInt8>) {
        guard let open = text.firstIndex(of: UInt8(ascii: "(")),
            ["rgb", "rgba"].contains(String(decoding: text[..<open], as: UTF8.self))
        else { return nil }
        let inside = text[(open + 1)...].dropLast()
        let fields: [ArraySlice<UInt8>]
        if inside.contains(UInt8(ascii: ",")) {
            fields = inside.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map(\.trimmed)
        } else {
            let halves = inside.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            let parts = halves[0].split(whereSeparator: isWhiteSpace)
            guard parts.count == 3, halves.count <= 2 else { return nil }
            fields = parts + halves.dropFirst().map(\.trimmed)
        }
        guard fields.count == 3 || fields.count == 4 else { return nil }
        let parts = fields.enumerated().compactMap { Self.part($1, whole: $0 < 3 ? 255 : 1) }
        guard parts.count == fields.count else { return nil }
        self.init(red: parts[0], green: parts[1], blue: parts[2], alpha: parts.count > 3 ? parts[3] : .max)
    }

    /// A number of which `whole` is all, a percentage, or `none`, which is nothing.
    private static func part(_ field: ArraySlice<UInt8>, whole: Double) -> UInt16? {
        if field.elementsEqual("none".utf8) { return 0 }
        let isPercentage = field.last == UInt8(ascii: "%")
        guard let number = number(isPercentage ? field.dropLast() : field) else { return nil }
        let share = number / (isPercentage ? 100 : whole)
        return UInt16((min(max(share, 0), 1) * 65535).rounded())
    }

    /// A number of CSS: digits with a sign, a point and an exponent or without. `Double` reads more: `nan`, `0x1p3`.
    private static func number(_ field: ArraySlice<UInt8>) -> Double? {
        guard field.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 || "+-.e".utf8.contains($0) }),
            field.last != UInt8(ascii: "."), let number = Double(String(decoding: field, as: UTF8.self))
        else { return nil }
        return number
    }
}

private func isWhiteSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte >= 0x09 && byte <= 0x0D }

extension Collection<UInt8> {
    /// Without white space at both ends.
    fileprivate var trimmed: ArraySlice<UInt8> {
        var rest = Array(self)[...]
        while let first = rest.first, isWhiteSpace(first) { rest.removeFirst() }
        while let last = rest.last, isWhiteSpace(last) { rest.removeLast() }
        return rest
    }
}
