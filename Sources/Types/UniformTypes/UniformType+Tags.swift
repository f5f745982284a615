/// Lookup of types by their tags.
///
/// If several types have the same tag, declarations of the user precede those of the built-in table, those of this
/// program and the desktop's shared MIME-info database, in this order. In the built-in table, an ordinary document
/// precedes templates, slide shows and libraries, and a file precedes a folder.
extension UniformType {
    /// Creates the type with a MIME type. If no declaration has the MIME type, the type is dynamic.
    ///
    /// If only the MIME type without parameters is declared, parameters are ignored, except the charset of
    /// `text/plain`.
    ///
    /// - Parameters:
    ///   - mimeType: A MIME type in any case, such as `text/html`, with or without parameters; at most 1,024 bytes.
    ///   - supertype: A type to which the result must conform, or nil. If no declared type with the tag conforms to it,
    ///     the result is a dynamic type that conforms to it.
    /// - Returns: nil if the string does not have the form `type/subtype`, or is too long.
    public init?(mimeType: String, conformingTo supertype: UniformType? = nil) {
        guard let mime = MIMEType(mimeType) else { return nil }
        let layers = TypeLayers.current
        self =
            layers.type(ofMIMEType: mime, where: layers.acceptance(of: supertype))
            ?? Self(dynamic: DynamicTag(.mimeType, mime.normalized), conformingTo: supertype ?? .data)
    }

    /// Creates the type with a filename extension. If no declaration has the extension, the type is dynamic.
    ///
    /// - Parameters:
    ///   - filenameExtension: An extension in any case, without the dot, such as `html`; at most 64 bytes.
    ///   - supertype: A type to which the result must conform, or nil. If no declared type with the tag conforms to it,
    ///     the result is a dynamic type that conforms to it.
    /// - Returns: nil if the string is empty or too long, or contains a dot, a slash, a space or a control character.
    public init?(filenameExtension: String, conformingTo supertype: UniformType? = nil) {
        guard Self.isFilenameExtension(filenameExtension) else { return nil }
        let name = filenameExtension.asciiLowercased
        let layers = TypeLayers.current
        self =
            layers.type(ofExtension: name, where: layers.acceptance(of: supertype))
            ?? Self(dynamic: DynamicTag(.filenameExtension, name), conformingTo: supertype ?? .data)
    }

    /// Creates the type with a tag. If no declaration has the tag, the type is dynamic.
    ///
    /// - Parameters:
    ///   - tag: A tag of the class `tagClass`.
    ///   - tagClass: The class of the tag.
    ///   - supertype: A type to which the result must conform, or nil. If no declared type with the tag conforms to it,
    ///     the result is a dynamic type that conforms to it.
    /// - Returns: nil if the class cannot have that tag, or is unknown.
    public init?(tag: String, tagClass: UniformTypeTagClass, conformingTo supertype: UniformType? = nil) {
        switch tagClass {
        case .mimeType: self.init(mimeType: tag, conformingTo: supertype)
        case .filenameExtension: self.init(filenameExtension: tag, conformingTo: supertype)
        case .selectionTarget where TypeQuery.isPossibleName(tag) && !X11Targets.isProtocolTarget(tag):
            let type = Self(target: tag)
            guard let supertype, !type.conforms(to: supertype) else {
                self = type
                return
            }
            self =
                Self.types(tag: tag, tagClass: tagClass, conformingTo: supertype).first
                ?? Self(dynamic: DynamicTag(.pasteboardType, tag), conformingTo: supertype)
        default: return nil
        }
    }

    /// Returns all types that are declared with a tag, in order of preference.
    ///
    /// - Parameters:
    ///   - tag: A tag of the class `tagClass`.
    ///   - tagClass: The class of the tag.
    ///   - supertype: A type to which the results must conform, or nil.
    /// - Returns: The types; empty if no declaration has the tag.
    public static func types(
        tag: String, tagClass: UniformTypeTagClass, conformingTo supertype: UniformType? = nil
    ) -> [UniformType] {
        let layers = TypeLayers.current
        let accepts = layers.acceptance(of: supertype)
        var types: [UniformType] = []
        func collect(_ type: UniformType) -> Bool {
            if !types.contains(type), accepts(type) { types.append(type) }
            // No type is accepted, so that the search continues.
            return false
        }
        switch tagClass {
        case .mimeType: _ = MIMEType(tag).flatMap { layers.type(ofMIMEType: $0, where: collect) }
        case .filenameExtension: _ = layers.type(ofExtension: tag.asciiLowercased, where: collect)
        case .selectionTarget: _ = layers.type(ofTarget: tag, where: collect)
        default: break
        }
        return types
    }

    /// Creates the type of an X11 target: the type that is declared for it; or the type with this identifier;
    /// or a dynamic type, for which ``X11Targets/names(for:given:exact:)`` returns the same name again.
    package init(target: String) {
        if let declared = TypeLayers.current.type(ofTarget: target) {
            self = declared
        } else if Self.isOwnTarget(target) {
            self.init(unchecked: target)
        } else {
            // A tag of the class MIME type is in lower case, so a target with capitals cannot be one.
            let isMIMEType = MIMEType(target) != nil && MIMEType.isLowercased(target)
            self.init(dynamic: DynamicTag(isMIMEType ? .mimeType : .pasteboardType, target))
        }
    }

    /// Returns true if a target is an identifier that is offered under its own name. Returns false for a dynamic
    /// identifier that contains a target, since it is offered under that target, and for a dynamic identifier with
    /// capitals, since it equals the identifier in lower case.
    private static func isOwnTarget(_ target: String) -> Bool {
        guard isIdentifier(target) else { return false }
        let lowered = target.asciiLowercased
        guard let dynamic = DynamicType(identifier: lowered) else { return true }
        return dynamic.target == nil && lowered.isExactly(target)
    }

    /// Returns true if a string can be a filename extension: at most 64 bytes, without a dot, slash, space or control
    /// character.
    static func isFilenameExtension(_ string: String) -> Bool {
        !string.isEmpty && string.utf8.count <= maxExtensionLength
            && !string.utf8.contains {
                $0 <= 0x20 || $0 == 0x7F || [UInt8(ascii: "/"), UInt8(ascii: ".")].contains($0)
            }
    }

    private static let maxExtensionLength = 64

    /// Returns the charset that a MIME type names, in lower case: `koi8-r` for `text/plain; charset=KOI8-R`.
    package static func charset(ofMIMEType name: String) -> String? { MIMEType(name)?.charset }
}

extension Layers {
    /// Returns a test for types that conform to `supertype`, or for all types if it is nil.
    fileprivate func acceptance(of supertype: UniformType?) -> (UniformType) -> Bool {
        { type in supertype.map { self.conforms(type, to: $0) } ?? true }
    }
}

/// A class of tags, which are names that types have in addition to their identifiers.
public struct UniformTypeTagClass: RawRepresentable, Hashable, Sendable {
    /// The identifier of the class.
    public let rawValue: String

    /// Creates the class with an identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Filename extensions, without the dot. They are compared without regard to case.
    public static let filenameExtension = Self(rawValue: "public.filename-extension")
    /// MIME types. They are compared without regard to case.
    public static let mimeType = Self(rawValue: "public.mime-type")
    /// X11 selection targets. They are compared byte by byte.
    public static let selectionTarget = Self(rawValue: "org.xpb.selection-target")
}
