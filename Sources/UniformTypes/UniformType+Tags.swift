/// Types by the names they have elsewhere.
///
/// A name that several types share leads to one of them in a fixed order: the user's declarations first, then the built-in
/// ones with the plain document before templates, slide shows and libraries and a flat file before a folder, then the
/// app's, then what the desktop knows.
extension UniformType {
    /// The type with that MIME type: declared, or dynamic where no declaration has it. Parameters are ignored where only
    /// the bare type is declared, but for a plain text's charset.
    ///
    /// Nil when the string is not of the form `type/subtype`, or is longer than 1,024 bytes.
    ///
    /// - Parameters:
    ///   - mimeType: Such as `text/html`, with or without parameters.
    ///   - supertype: What the type must conform to; nil for no matter what. Where no declared type does, the result is a
    ///     dynamic type that conforms to it.
    public init?(mimeType: String, conformingTo supertype: UniformType? = nil) {
        guard let mime = MIMEType(mimeType) else { return nil }
        let layers = TypeLayers.current
        self =
            layers.type(ofMIMEType: mime, where: layers.acceptance(of: supertype))
            ?? Self(dynamic: DynamicTag(.mimeType, mime.normalized), conformingTo: supertype ?? .data)
    }

    /// The type with that filename extension (without the dot): declared, or dynamic where no declaration has it.
    ///
    /// Nil when it is empty, has a dot, a slash, a space or a control character, or is longer than 64 bytes.
    ///
    /// - Parameters:
    ///   - filenameExtension: Such as `html`.
    ///   - supertype: What the type must conform to; nil for no matter what. Where no declared type does, the result is a
    ///     dynamic type that conforms to it.
    public init?(filenameExtension: String, conformingTo supertype: UniformType? = nil) {
        guard Self.isFilenameExtension(filenameExtension) else { return nil }
        let name = filenameExtension.asciiLowercased
        let layers = TypeLayers.current
        self =
            layers.type(ofExtension: name, where: layers.acceptance(of: supertype))
            ?? Self(dynamic: DynamicTag(.filenameExtension, name), conformingTo: supertype ?? .data)
    }

    /// The type with that tag: declared, or dynamic where no declaration has it.
    ///
    /// Nil when nothing of that class can have the tag, or the class is not known.
    ///
    /// - Parameters:
    ///   - tag: A name of that class.
    ///   - tagClass: What kind of name it is.
    ///   - supertype: What the type must conform to; nil for no matter what. Where no declared type does, the result is a
    ///     dynamic type that conforms to it.
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

    /// Every type that is known to have that tag, in the order in which they are chosen; empty where there is none.
    ///
    /// - Parameters:
    ///   - tag: A name of that class.
    ///   - tagClass: What kind of name it is.
    ///   - supertype: What the types must conform to; nil for no matter what.
    public static func types(
        tag: String, tagClass: UniformTypeTagClass, conformingTo supertype: UniformType? = nil
    ) -> [UniformType] {
        let layers = TypeLayers.current
        let accepts = layers.acceptance(of: supertype)
        var types: [UniformType] = []
        func collect(_ type: UniformType) -> Bool {
            if !types.contains(type), accepts(type) { types.append(type) }
            // Nothing is chosen, so that the search goes on.
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

    /// The type of an X11 target: the one declared for it, else the identifier that the name itself is, else a dynamic
    /// type from which ``X11Targets/names(for:given:exact:)`` has the very same name again.
    package init(target: String) {
        if let declared = TypeLayers.current.type(ofTarget: target) {
            self = declared
        } else if Self.standsForItself(target) {
            self.init(unchecked: target)
        } else {
            // The MIME form is of small letters, so it may only carry what has no capitals.
            let isMIMEType = MIMEType(target) != nil && MIMEType.isLowercased(target)
            self.init(dynamic: DynamicTag(isMIMEType ? .mimeType : .pasteboardType, target))
        }
    }

    /// Whether a target is an identifier that is offered under itself. A dynamic identifier with the name of another
    /// target in it is not: that one would be offered. Nor is one with capitals, which has the same digits as another.
    private static func standsForItself(_ target: String) -> Bool {
        guard isIdentifier(target) else { return false }
        let lowered = target.asciiLowercased
        guard let dynamic = DynamicType(identifier: lowered) else { return true }
        return dynamic.target == nil && lowered.isExactly(target)
    }

    /// Whether a file name can end with it, behind a dot: at most 64 bytes, and no dot, slash, space or control character.
    static func isFilenameExtension(_ string: String) -> Bool {
        !string.isEmpty && string.utf8.count <= 64
            && !string.utf8.contains { $0 < 0x21 || $0 == 0x7F || $0 == 0x2F || $0 == 0x2E }
    }
}

extension Layers {
    /// Whether a type conforms to `supertype`, or any type where that is nil.
    fileprivate func acceptance(of supertype: UniformType?) -> (UniformType) -> Bool {
        { type in supertype.map { self.conforms(type, to: $0) } ?? true }
    }
}
