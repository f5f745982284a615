import Formats
import FoundationEssentials

/// A picture in styled text. It takes the place of one character, U+FFFC.
package struct TextPicture: Hashable, Sendable {
    /// The formats that both RTF and HTML can contain, and most programs read.
    package enum Format: String, Sendable {
        case png
        case jpeg

        /// Recognizes the format of a file by its first bytes; nil for any other format.
        package init?(_ bytes: some Collection<UInt8>) {
            if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
                self = .png
            } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
                self = .jpeg
            } else {
                return nil
            }
        }
    }

    /// The character that a picture takes the place of.
    package static let character: Unicode.Scalar = "\u{FFFC}"

    /// The bytes of the file.
    package let bytes: [UInt8]
    package let format: Format
    /// The width on the page, in points; nil for that of the file.
    package var width: Double?
    /// The height on the page, in points; nil for that of the file.
    package var height: Double?

    /// Creates a picture from the bytes of a file; nil if it is neither PNG nor JPEG.
    package init?(_ bytes: [UInt8], width: Double? = nil, height: Double? = nil) {
        guard let format = Format(bytes) else { return nil }
        self.bytes = bytes
        self.format = format
        self.width = Self.length(width)
        self.height = Self.length(height)
    }

    /// Returns a length that a page can have, in tenths of a point; nil for any other length.
    private static func length(_ length: Double?) -> Double? {
        guard let length, length > 0, length <= ParagraphLayout.maxLength else { return nil }
        return (length * 10).rounded() / 10
    }

    /// The size in points: what is given, and otherwise that of the file with 96 pixels in an inch. One given length
    /// keeps the proportions. Nil if the file has no size.
    package var size: (width: Double, height: Double)? {
        guard let pixels = ImageSize(length: bytes.count, reading: { [bytes] in Array(bytes[$0]) }) else { return nil }
        let natural = (width: Double(pixels.width) * 0.75, height: Double(pixels.height) * 0.75)
        switch (width, height) {
        case (let width?, let height?): return (width, height)
        case (let width?, nil): return (width, width * natural.height / natural.width)
        case (nil, let height?): return (height * natural.width / natural.height, height)
        case (nil, nil): return natural
        }
    }

    // MARK: HTML

    /// Reads a picture from the address of an image: `data:image/png;base64,…` (RFC 2397). Nil for any other address,
    /// which may be of a picture elsewhere.
    init?(dataURL address: ArraySlice<UInt8>, width: Double?, height: Double?) {
        let head = address.prefix { $0 != UInt8(ascii: ",") }
        guard head.count <= 100, head.asciiLowercasedString.hasPrefix("data:image/") else { return nil }
        guard head.asciiLowercasedString.hasSuffix(";base64") else { return nil }
        let encoded = Data(address.dropFirst(head.count + 1))
        guard let data = Data(base64Encoded: encoded, options: .ignoreUnknownCharacters) else { return nil }
        self.init([UInt8](data), width: width, height: height)
    }

    /// The element of HTML for the picture. Its lengths are in pixels of CSS.
    var html: String {
        let encoded = Data(bytes).base64EncodedString()
        var tag = "<img src=\"data:image/\(format.rawValue);base64,\(encoded)\""
        if let width { tag += " width=\"\(Self.pixels(width))\"" }
        if let height { tag += " height=\"\(Self.pixels(height))\"" }
        return tag + ">"
    }

    private static func pixels(_ points: Double) -> Int { max(1, Int((points / 0.75).rounded())) }

    // MARK: RTF

    /// The group of RTF for the picture. Readers need its size.
    var rtf: String {
        let word = format == .png ? "\\pngblip" : "\\jpegblip"
        var group = "{\\pict\(word)"
        if let size {
            let (width, height) = (Self.twips(size.width), Self.twips(size.height))
            group += "\\picwgoal\(width)\\pichgoal\(height)"
        }
        group += "\n"
        group += Hexadecimal.string(bytes)
        return group + "}"
    }

    private static func twips(_ points: Double) -> Int { min(max(1, Int((points * 20).rounded())), 1 << 20) }
}

/// Bytes as hexadecimal digits.
private enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    static func string(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(2 * bytes.count)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
