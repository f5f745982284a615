internal import RichText

/// A colour of text, in sRGB. RTF knows no transparency, so there is none here.
public struct RichTextColor: Hashable, Codable, Sendable {
    /// 0 to 255.
    public var red: UInt8
    /// 0 to 255.
    public var green: UInt8
    /// 0 to 255.
    public var blue: UInt8

    /// A colour of three parts, each 0 to 255.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    init(_ color: TextColor) {
        self.init(red: color.red, green: color.green, blue: color.blue)
    }

    var textColor: TextColor { TextColor(red: red, green: green, blue: blue) }
}
