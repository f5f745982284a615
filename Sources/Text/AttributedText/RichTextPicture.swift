public import FoundationEssentials
internal import RichText

/// A picture in the text, as the bytes of a PNG or JPEG file.
///
/// It takes the place of a character U+FFFC. RTF and HTML contain the file, HTML in an address `data:`; a picture whose
/// address leads elsewhere is not read. Pictures of other formats are not written.
///
/// Source: `NSTextAttachment`.
public struct RichTextPicture: Hashable, Codable, Sendable {
    /// The bytes of the file.
    public var data: Data
    /// The width on the page in points, at most 1,584; nil for that of the file.
    public var width: Double?
    /// The height on the page in points, at most 1,584; nil for that of the file.
    public var height: Double?

    /// Creates a picture. RTF and HTML round its lengths, to twentieths of a point and to pixels.
    public init(_ data: Data, width: Double? = nil, height: Double? = nil) {
        self.data = data
        self.width = width
        self.height = height
    }

    init(_ picture: TextPicture) {
        self.init(Data(picture.bytes), width: picture.width, height: picture.height)
    }

    var textPicture: TextPicture? { TextPicture([UInt8](data), width: width, height: height) }
}
