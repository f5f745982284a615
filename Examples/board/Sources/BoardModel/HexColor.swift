public import FoundationEssentials

/// A color in the notation of the web, such as `#2040c0`.
public struct HexColor: Hashable, Sendable {
    /// The components, each of 8 bits.
    public let red: UInt8, green: UInt8, blue: UInt8

    /// Makes a color from its components.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Makes a color from `#rrggbb` or `#rgb`, ignoring white space around it; nil for any other text.
    public init?(_ text: String) {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 1, let word = words.first, word.first == "#" else { return nil }
        let digits = word.dropFirst().map { $0.isASCII ? $0.hexDigitValue : nil }
        guard !digits.contains(nil) else { return nil }
        let values = digits.compactMap { $0 }
        switch values.count {
        case 3: self.init(red: UInt8(values[0] * 17), green: UInt8(values[1] * 17), blue: UInt8(values[2] * 17))
        case 6:
            self.init(
                red: UInt8(values[0] * 16 + values[1]), green: UInt8(values[2] * 16 + values[3]),
                blue: UInt8(values[4] * 16 + values[5]))
        default: return nil
        }
    }

    /// Makes a color from the bytes of `application/x-color`: three or four 16-bit numbers, low byte first, as on all
    /// machines that Swift for Linux runs on.
    public init?(x11 data: Data) {
        let bytes = [UInt8](data)
        guard bytes.count == 8 || bytes.count == 6 else { return nil }
        func component(_ index: Int) -> UInt8 {
            let value = UInt16(bytes[index * 2]) | UInt16(bytes[index * 2 + 1]) << 8
            return UInt8(value >> 8)
        }
        self.init(red: component(0), green: component(1), blue: component(2))
    }

    /// The color as `#rrggbb`.
    public var text: String {
        "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The color as the bytes of `application/x-color`, opaque.
    public var x11: Data {
        var data = Data()
        for component in [red, green, blue, 255] {
            let value = UInt16(component) << 8 | UInt16(component)
            data.append(UInt8(value & 0xff))
            data.append(UInt8(value >> 8))
        }
        return data
    }

    /// True if black letters are easier to read on the color than white letters.
    public var isLight: Bool { Int(red) * 299 + Int(green) * 587 + Int(blue) * 114 > 140_000 }
}
