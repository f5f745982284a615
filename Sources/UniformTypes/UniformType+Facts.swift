/// What is known of a type: its tags and its place among the others.
extension UniformType {
    package var isDeclared: Bool { Declarations.shared.declaration(ofKey: key) != nil }

    /// Whether the identifier carries its own description (`dyn.a…`) and that can be read.
    package var isDynamic: Bool { DynamicType(identifier: key) != nil }

    /// Nil where there is none: `public.url` and `public.file-url` have no MIME type.
    package var preferredMIMEType: String? {
        Declarations.shared.declaration(ofKey: key)?.mimeTypes.first
            ?? DynamicType(identifier: key)?.value(of: .mimeType)
    }

    /// Without the dot.
    package var preferredFilenameExtension: String? {
        Declarations.shared.declaration(ofKey: key)?.extensions.first
            ?? DynamicType(identifier: key)?.value(of: .filenameExtension)
    }

    /// Every ancestor once, the nearest first.
    package var supertypes: [UniformType] {
        var found: [UniformType] = []
        var seen: Set<UniformType> = [self]
        var generation = [self]
        while !generation.isEmpty {
            generation = generation.flatMap(\.parents).filter { seen.insert($0).inserted }
            found += generation
        }
        return found
    }

    /// Whether it is `type` or descends from it.
    package func conforms(to type: UniformType) -> Bool {
        self == type || supertypes.contains(type)
    }

    private var parents: [UniformType] {
        let identifiers =
            Declarations.shared.declaration(ofKey: key)?.parents ?? DynamicType(identifier: key)?.conformsTo ?? []
        return identifiers.map(UniformType.init(unchecked:))
    }
}
