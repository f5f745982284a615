/// A color as `application/x-color` represents it: four 16-bit components, each from 0 to 65535.
package struct X11Color: Hashable, Sendable {
    package var red: UInt16
    package var green: UInt16
    package var blue: UInt16
    /// The opacity; 65535 is opaque.
    package var alpha: UInt16

    package init(red: UInt16, green: UInt16, blue: UInt16, alpha: UInt16 = .max) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// Creates a color from 8-bit components. Each is multiplied by 257, so that 255 becomes 65535.
    package init(red8 red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = .max) {
        self.init(
            red: Self.widened(red), green: Self.widened(green), blue: Self.widened(blue), alpha: Self.widened(alpha))
    }

    /// Reads CARD16 numbers in the byte order of this machine, as properties of format 16 contain them: red, green,
    /// blue and alpha. Without alpha the color is opaque.
    ///
    /// - Returns: nil unless the length is 8 or 6 bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 8 || bytes.count == 6 else { return nil }
        let parts = stride(from: 0, to: bytes.count, by: 2).map { index in
            UInt16(littleEndian: UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8)
        }
        self.init(red: parts[0], green: parts[1], blue: parts[2], alpha: parts.count > 3 ? parts[3] : .max)
    }

    /// The four components in the byte order of this machine, eight bytes.
    package var bytes: [UInt8] {
        [red, green, blue, alpha].map(\.littleEndian).flatMap { part -> [UInt8] in
            [UInt8(part & 0xFF), UInt8(part >> 8)]
        }
    }

    /// Red, green, blue and alpha rounded to 8 bits, which restores components that were once 8-bit numbers.
    package var components8: [UInt8] { [red, green, blue, alpha].map(Self.narrowed) }

    private static func widened(_ part: UInt8) -> UInt16 { UInt16(part) * 257 }
    private static func narrowed(_ part: UInt16) -> UInt8 { UInt8((UInt32(part) + 128) / 257) }
}

// MARK: CSS

/// Colors in CSS notation (CSS Color Module Level 4, sections 5 and 6.1).
extension X11Color {
    /// The color as `#rrggbb`, or `#rrggbbaa` if alpha is below 255 when rounded to 8 bits.
    package var css: String {
        let parts = components8
        let isOpaque = parts[3] == .max
        let digits = parts.prefix(isOpaque ? 3 : 4).map { part in
            String(part >> 4, radix: 16) + String(part & 15, radix: 16)
        }
        return "#" + digits.joined()
    }

    /// Reads `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa`, `rgb()` and `rgba()` with commas or spaces and with numbers or
    /// percentages, and the named colors, in any case and with white space at both ends. Numbers out of range are
    /// clamped.
    ///
    /// - Returns: nil for any other text, and for text of more than 256 bytes.
    package init?(css: some StringProtocol) {
        guard css.utf8.count <= Self.maxCSSLength else { return nil }
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

    /// The maximum length of a color, in bytes; no color is that long.
    private static let maxCSSLength = 256

    private init?(hexadecimal digits: ArraySlice<UInt8>) {
        let values = digits.compactMap(\.hexDigitValue)
        guard values.count == digits.count else { return nil }
        let parts: [UInt8]
        switch values.count {
        case 3, 4: parts = values.map { $0 << 4 | $0 }
        case 6, 8: parts = stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
        default: return nil
        }
        self.init(red8: parts[0], green: parts[1], blue: parts[2], alpha: parts.count > 3 ? parts[3] : .max)
    }

    /// Reads `rgb(1, 2, 3)`, `rgba(1, 2, 3, 0.5)`, `rgb(1 2 3 / 50%)`.
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

    /// Reads a component: a number from 0 to `whole`, a percentage, or `none`, which is 0.
    private static func part(_ field: ArraySlice<UInt8>, whole: Double) -> UInt16? {
        if field.elementsEqual("none".utf8) { return 0 }
        let isPercentage = field.last == UInt8(ascii: "%")
        guard let number = number(isPercentage ? field.dropLast() : field) else { return nil }
        let share = number / (isPercentage ? 100 : whole)
        return UInt16((min(max(share, 0), 1) * 65535).rounded())
    }

    /// Reads a number of CSS, with an optional sign, point and exponent. `Double` alone would accept more, such as
    /// `nan` and `0x1p3`.
    private static func number(_ field: ArraySlice<UInt8>) -> Double? {
        guard field.allSatisfy({ $0.isASCIIDigit || "+-.e".utf8.contains($0) }),
            field.last != UInt8(ascii: "."), let number = Double(String(decoding: field, as: UTF8.self))
        else { return nil }
        return number
    }
}

// MARK: Names

extension X11Color {
    /// Looks up a named color (CSS Color Module Level 4, section 6.1) or `transparent`, in lower case.
    private init?(name: String) {
        if name == "transparent" {
            self.init(red: 0, green: 0, blue: 0, alpha: 0)
        } else if let rgb = Self.names[name] {
            self.init(red8: UInt8(rgb >> 16), green: UInt8(rgb >> 8 & 0xFF), blue: UInt8(rgb & 0xFF))
        } else {
            return nil
        }
    }

    private static let names: [String: UInt32] = {
        var names: [String: UInt32] = [:]
        for entry in table.split(separator: " ") {
            let halves = entry.split(separator: ":")
            names[String(halves[0])] = UInt32(halves[1], radix: 16)
        }
        return names
    }()

    private static let table = """
        aliceblue:f0f8ff antiquewhite:faebd7 aqua:00ffff aquamarine:7fffd4 azure:f0ffff beige:f5f5dc bisque:ffe4c4 \
        black:000000 blanchedalmond:ffebcd blue:0000ff blueviolet:8a2be2 brown:a52a2a burlywood:deb887 \
        cadetblue:5f9ea0 chartreuse:7fff00 chocolate:d2691e coral:ff7f50 cornflowerblue:6495ed cornsilk:fff8dc \
        crimson:dc143c cyan:00ffff darkblue:00008b darkcyan:008b8b darkgoldenrod:b8860b darkgray:a9a9a9 \
        darkgreen:006400 darkgrey:a9a9a9 darkkhaki:bdb76b darkmagenta:8b008b darkolivegreen:556b2f \
        darkorange:ff8c00 darkorchid:9932cc darkred:8b0000 darksalmon:e9967a darkseagreen:8fbc8f \
        darkslateblue:483d8b darkslategray:2f4f4f darkslategrey:2f4f4f darkturquoise:00ced1 darkviolet:9400d3 \
        deeppink:ff1493 deepskyblue:00bfff dimgray:696969 dimgrey:696969 dodgerblue:1e90ff firebrick:b22222 \
        floralwhite:fffaf0 forestgreen:228b22 fuchsia:ff00ff gainsboro:dcdcdc ghostwhite:f8f8ff gold:ffd700 \
        goldenrod:daa520 gray:808080 green:008000 greenyellow:adff2f grey:808080 honeydew:f0fff0 hotpink:ff69b4 \
        indianred:cd5c5c indigo:4b0082 ivory:fffff0 khaki:f0e68c lavender:e6e6fa lavenderblush:fff0f5 \
        lawngreen:7cfc00 lemonchiffon:fffacd lightblue:add8e6 lightcoral:f08080 lightcyan:e0ffff \
        lightgoldenrodyellow:fafad2 lightgray:d3d3d3 lightgreen:90ee90 lightgrey:d3d3d3 lightpink:ffb6c1 \
        lightsalmon:ffa07a lightseagreen:20b2aa lightskyblue:87cefa lightslategray:778899 lightslategrey:778899 \
        lightsteelblue:b0c4de lightyellow:ffffe0 lime:00ff00 limegreen:32cd32 linen:faf0e6 magenta:ff00ff \
        maroon:800000 mediumaquamarine:66cdaa mediumblue:0000cd mediumorchid:ba55d3 mediumpurple:9370db \
        mediumseagreen:3cb371 mediumslateblue:7b68ee mediumspringgreen:00fa9a mediumturquoise:48d1cc \
        mediumvioletred:c71585 midnightblue:191970 mintcream:f5fffa mistyrose:ffe4e1 moccasin:ffe4b5 \
        navajowhite:ffdead navy:000080 oldlace:fdf5e6 olive:808000 olivedrab:6b8e23 orange:ffa500 orangered:ff4500 \
        orchid:da70d6 palegoldenrod:eee8aa palegreen:98fb98 paleturquoise:afeeee palevioletred:db7093 \
        papayawhip:ffefd5 peachpuff:ffdab9 peru:cd853f pink:ffc0cb plum:dda0dd powderblue:b0e0e6 purple:800080 \
        rebeccapurple:663399 red:ff0000 rosybrown:bc8f8f royalblue:4169e1 saddlebrown:8b4513 salmon:fa8072 \
        sandybrown:f4a460 seagreen:2e8b57 seashell:fff5ee sienna:a0522d silver:c0c0c0 skyblue:87ceeb \
        slateblue:6a5acd slategray:708090 slategrey:708090 snow:fffafa springgreen:00ff7f steelblue:4682b4 \
        tan:d2b48c teal:008080 thistle:d8bfd8 tomato:ff6347 turquoise:40e0d0 violet:ee82ee wheat:f5deb3 \
        white:ffffff whitesmoke:f5f5f5 yellow:ffff00 yellowgreen:9acd32
        """
}

private func isWhiteSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte >= 0x09 && byte <= 0x0D }

extension Collection<UInt8> {
    /// The bytes without white space at both ends.
    fileprivate var trimmed: ArraySlice<UInt8> {
        var rest = Array(self)[...]
        while let first = rest.first, isWhiteSpace(first) { rest.removeFirst() }
        while let last = rest.last, isWhiteSpace(last) { rest.removeLast() }
        return rest
    }
}
