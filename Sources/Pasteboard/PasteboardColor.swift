import Formats

/// A color in sRGB.
///
/// On a pasteboard it is what X11 programs exchange as `application/x-color`: four numbers of 16 bits. Parts are
/// rounded to those, and what lies outside of 0…1 becomes the nearest of the two.
public struct PasteboardColor: Hashable, Sendable, Codable {
    /// From 0 to 1.
    public var red: Double
    /// From 0 to 1.
    public var green: Double
    /// From 0 to 1.
    public var blue: Double
    /// From 0, transparent, to 1, opaque.
    public var alpha: Double

    /// Makes a color.
    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    init(_ color: X11Color) {
        func part(_ part: UInt16) -> Double { Double(part) / Double(UInt16.max) }
        self.init(red: part(color.red), green: part(color.green), blue: part(color.blue), alpha: part(color.alpha))
    }

    var x11: X11Color {
        func part(_ part: Double) -> UInt16 {
            // NaN is no part of a color; max takes it for 0.
            UInt16((max(0, min(1, part.isNaN ? 0 : part)) * Double(UInt16.max)).rounded())
        }
        return X11Color(red: part(red), green: part(green), blue: part(blue), alpha: part(alpha))
    }
}
