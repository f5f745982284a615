public import FoundationEssentials

/// A picture as the bytes of an image file, and their type. Nothing is decoded.
public struct EncodedImage: Hashable, Sendable {
    /// The bytes, as a file of that type has them.
    public var data: Data
    /// A TYPE, see ``Pasteboard``; of an image that was read its type identifier, `public.png`.
    public var type: String

    /// Makes one.
    ///
    /// - Parameters:
    ///   - data: The bytes of the file.
    ///   - type: A TYPE that names one image format, as `public.png`, `image/png` or `.png`.
    public init(_ data: Data, type: String) {
        self.data = data
        self.type = type
    }
}
