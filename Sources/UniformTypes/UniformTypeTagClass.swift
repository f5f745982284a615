/// A kind of name that types have beside their identifiers.
public struct UniformTypeTagClass: RawRepresentable, Hashable, Sendable {
    /// The identifier of the class.
    public let rawValue: String

    /// The class with that identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Filename extensions, without the dot. They compare without case.
    public static let filenameExtension = Self(rawValue: "public.filename-extension")
    /// MIME types. They compare without case.
    public static let mimeType = Self(rawValue: "public.mime-type")
    /// X11 selection targets. They compare byte by byte.
    public static let selectionTarget = Self(rawValue: "org.xpb.selection-target")
}
