/// What is known of a type: its tags and its place among the others.
extension UniformType {
    /// Whether a declaration describes it: a built-in one, the user's or the app's.
    public var isDeclared: Bool { TypeLayers.current.isDeclared(self) }

    /// Whether the identifier carries its own description (`dyn.a…`) and that can be read.
    public var isDynamic: Bool { DynamicType(identifier: key) != nil }

    /// Whether it is of the public domain, `public.…`, and nobody's own.
    public var isPublic: Bool { key.utf8.starts(with: "public.".utf8) }

    /// Nil where there is none: `public.url` and `public.file-url` have no MIME type.
    public var preferredMIMEType: String? { TypeLayers.current.mimeTypes(of: self).first }

    /// Without the dot; nil where there is none.
    public var preferredFilenameExtension: String? { TypeLayers.current.filenameExtensions(of: self).first }

    /// Every name it has, the preferred one of each class first. Classes of which it has none are missing.
    public var tags: [UniformTypeTagClass: [String]] {
        let layers = TypeLayers.current
        let tags: [UniformTypeTagClass: [String]] = [
            .mimeType: layers.mimeTypes(of: self), .filenameExtension: layers.filenameExtensions(of: self),
            .selectionTarget: layers.targets(of: self),
        ]
        return tags.filter { !$0.value.isEmpty }
    }

    /// A few English words for people, such as `PNG image`; nil where there are none.
    public var typeDescription: String? { TypeLayers.current.description(of: self) }

    /// Every ancestor once, the nearest first.
    public var supertypes: [UniformType] { TypeLayers.current.supertypes(of: self) }

    /// Whether it is `type` or descends from it.
    public func conforms(to type: UniformType) -> Bool {
        self == type || TypeLayers.current.conforms(self, to: type)
    }

    /// Whether it descends from `type`. No type descends from itself.
    public func isSubtype(of type: UniformType) -> Bool { self != type && conforms(to: type) }

    /// Whether `type` descends from it. No type descends from itself.
    public func isSupertype(of type: UniformType) -> Bool { type.isSubtype(of: self) }
}
