/// A color as `application/x-color` carries it: four numbers of 16 bits, of which 65535 is all.
package struct X11Color: Hashable, Sendable {
    package var red: UInt16
    package var green: UInt16
    package var blue: UInt16
    /// 65535 is opaque.
    package var alpha: UInt16

    package init(red: UInt16, green: UInt16, blue: UInt16, alpha: UInt16 = .max) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// A color of 8-bit parts. Each is taken 257 times, so that 255 becomes 65535.
    package init(red8 red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = .max) {
        self.init(
            red: Self.wide(red), green: Self.wide(green), blue: Self.wide(blue), alpha: Self.wide(alpha))
    }

    /// Reads CARD16 numbers in the machine's byte order, as format 16 has them: red, green, blue, alpha. Where alpha is
    /// missing the color is opaque. Nil for any other length than 8 or 6 bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 8 || bytes.count == 6 else { return nil }
        let parts = stride(from: 0, to: bytes.count, by: 2).map { index in
            UInt16(littleEndian: UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8)
        }
        self.init(red: parts[0], green: parts[1], blue: parts[2], alpha: parts.count > 3 ? parts[3] : .max)
    }

    /// Eight bytes in the machine's byte order.
    package var bytes: [UInt8] {
        [red, green, blue, alpha].map(\.littleEndian).flatMap { part -> [UInt8] in
            [UInt8(part & 0xFF), UInt8(part >> 8)]
        }
    }

    /// Red, green, blue and alpha in 8 bits, rounded: what came from 8 bits comes back.
    package var components8: [UInt8] { [red, green, blue, alpha].map(Self.narrow) }

    private static func wide(_ part: UInt8) -> UInt16 { UInt16(part) * 257 }
    private static func narrow(_ part: UInt16) -> UInt8 { UInt8((UInt32(part) + 128) / 257) }
}
