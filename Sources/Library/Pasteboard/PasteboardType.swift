public import UniformTypes

/// A name for the type of a representation to read or write: a string, a `UniformType`, a `TypeDeclaration` of the
/// program's own or a ``PasteboardType``.
///
/// ```swift
/// let picture = try Pasteboard.general.data(forType: .png)
/// let note = try Pasteboard.general.data(forType: "com.example.note")
/// ```
///
/// ``Pasteboard`` describes the names that a string can be.
public protocol PasteboardTypeName: Sendable {
    /// The TYPE as a string.
    var typeName: String { get }
}

extension String: PasteboardTypeName {
    /// The string itself.
    public var typeName: String { self }
}

extension UniformType: PasteboardTypeName {
    /// The type identifier.
    public var typeName: String { identifier }
}

extension TypeDeclaration: PasteboardTypeName {
    /// The type identifier.
    public var typeName: String { identifier }
}

/// A well-known type, or a class of types such as ``PasteboardTypeName/image``.
///
/// Source: `NSPasteboard.PasteboardType`, which is a separate type for these names, too.
public struct PasteboardType: PasteboardTypeName, Hashable, ExpressibleByStringLiteral {
    /// The TYPE as a string.
    public let typeName: String

    /// Creates a type from a TYPE; see ``Pasteboard``. The name is checked when it is used.
    public init(_ typeName: String) { self.typeName = typeName }

    /// Creates a type from a TYPE; see ``Pasteboard``.
    public init(stringLiteral value: String) { self.init(value) }
}

extension PasteboardTypeName where Self == PasteboardType {
    /// The class of plain text in any encoding. It is read as UTF-8 and written as ``plainText``.
    public static var text: PasteboardType { PasteboardType("text") }
    /// The class of images in any format. It cannot be written: name a format instead.
    public static var image: PasteboardType { PasteboardType("image") }
    /// The class of files, each by its URL.
    public static var files: PasteboardType { PasteboardType("files") }
    /// The class of addresses, including those of files.
    public static var url: PasteboardType { PasteboardType("url") }
    /// The class of colors. The bytes are read as text such as `#2040c0`; under the name `application/x-color`, as four
    /// numbers of 16 bits.
    public static var color: PasteboardType { PasteboardType("color") }
    /// The class of sounds in any format. It cannot be written: name a format instead.
    public static var audio: PasteboardType { PasteboardType("audio") }
    /// The class of videos in any format. It cannot be written: name a format instead.
    public static var video: PasteboardType { PasteboardType("video") }

    /// Plain text in UTF-8, `public.utf8-plain-text`.
    public static var plainText: PasteboardType { PasteboardType(UniformType.utf8PlainText.identifier) }
    /// HTML, `public.html`.
    public static var html: PasteboardType { PasteboardType(UniformType.html.identifier) }
    /// Rich text, `public.rtf`.
    public static var rtf: PasteboardType { PasteboardType(UniformType.rtf.identifier) }
    /// A PNG image, `public.png`.
    public static var png: PasteboardType { PasteboardType("public.png") }
    /// A JPEG image, `public.jpeg`.
    public static var jpeg: PasteboardType { PasteboardType("public.jpeg") }
    /// A TIFF image, `public.tiff`.
    public static var tiff: PasteboardType { PasteboardType("public.tiff") }
    /// An SVG drawing, `public.svg-image`.
    public static var svg: PasteboardType { PasteboardType(UniformType.svg.identifier) }
    /// A PDF document, `com.adobe.pdf`.
    public static var pdf: PasteboardType { PasteboardType("com.adobe.pdf") }
    /// The URL of a file, `public.file-url`.
    public static var fileURL: PasteboardType { PasteboardType(UniformType.fileURL.identifier) }
    /// JSON, `public.json`.
    public static var json: PasteboardType { PasteboardType("public.json") }
}
