/// What is known of a type. The tags of all layers add up, the user's first; what it conforms to is what the first layer
/// says that says anything.
extension Layers {
    func isDeclared(_ type: UniformType) -> Bool {
        DeclaredType(key: type.key) != nil || user.declares(type.key) || app.declares(type.key)
            || WebCustomFormat(key: type.key) != nil
    }

    /// The preferred one first.
    func mimeTypes(of type: UniformType) -> [String] {
        let declared = joined(type, of: { $0.mimeTypes }, ours: { $0.mimeTypes })
        if !declared.isEmpty { return declared }
        if let format = WebCustomFormat(key: type.key) { return [format.mimeType] }
        guard let dynamic = DynamicType(identifier: type.key) else { return [] }
        if let mime = dynamic.value(of: .mimeType) { return [mime] }
        return dynamic.value(of: .pasteboardType).flatMap { MIMEType($0) == nil ? nil : [$0] } ?? []
    }

    /// The preferred one first.
    func filenameExtensions(of type: UniformType) -> [String] {
        let declared = joined(type, of: { $0.filenameExtensions }, ours: { $0.filenameExtensions })
        guard declared.isEmpty, let dynamic = DynamicType(identifier: type.key) else { return declared }
        if let name = dynamic.value(of: .filenameExtension) { return [name] }
        return dynamic.target.flatMap { MIMEType($0) }.flatMap { mime in
            fromDesktop { $0.extensions(ofMIMEType: mime.essence) }
        } ?? []
    }

    /// X11 targets it is offered under, best first; empty where only its identifier is left.
    func targets(of type: UniformType) -> [String] {
        let declared = joined(
            type, of: { $0.targets.isEmpty ? Array($0.mimeTypes.prefix(1)) : $0.targets }, ours: { $0.targets })
        if !declared.isEmpty { return declared }
        if let format = WebCustomFormat(key: type.key) { return [format.mimeType] }
        return DynamicType(identifier: type.key)?.target.map { [$0] } ?? []
    }

    func description(of type: UniformType) -> String? {
        user.declarations(ofKey: type.key).lazy.compactMap(\.description).first
            ?? DeclaredType(key: type.key)?.description
            ?? app.declarations(ofKey: type.key).lazy.compactMap(\.description).first
    }

    func conforms(_ type: UniformType, to other: UniformType) -> Bool {
        if type == other { return true }
        if let ours = ours(type) { return ours.descends(from: other.key) }
        return supertypes(of: type).contains(other)
    }

    /// Every ancestor once, the nearest first. A circle of declarations ends where it began.
    func supertypes(of type: UniformType) -> [UniformType] {
        if let ours = ours(type) { return ours.ancestors.map(UniformType.init(unchecked:)) }
        var found: [UniformType] = []
        var seen: Set<UniformType> = [type]
        var generation = [type]
        while !generation.isEmpty {
            generation = generation.flatMap(parents).filter { seen.insert($0).inserted }
            found += generation
        }
        return found
    }

    /// The type in our table, which knows its ancestors, unless the user says otherwise of any there.
    private func ours(_ type: UniformType) -> DeclaredType? {
        userRedefinesOurs ? nil : DeclaredType(key: type.key)
    }

    private func parents(of type: UniformType) -> [UniformType] {
        let layers = [
            user.declarations(ofKey: type.key).flatMap(\.conformsTo), DeclaredType(key: type.key)?.parents ?? [],
            app.declarations(ofKey: type.key).flatMap(\.conformsTo),
        ]
        if let first = layers.first(where: { !$0.isEmpty }) { return first.map(UniformType.init(unchecked:)) }
        if WebCustomFormat(key: type.key) != nil { return [.data] }
        guard let dynamic = DynamicType(identifier: type.key) else { return [] }
        let mime = dynamic.target.flatMap { MIMEType($0) }
        let names = mime.flatMap { mime in fromDesktop { $0.parents(ofMIMEType: mime.essence) } } ?? []
        return names.compactMap { declaredOrDynamic($0) }
            + dynamic.conformsTo.map(UniformType.init(unchecked:))
    }

    /// The type of a MIME type, declared or dynamic.
    private func declaredOrDynamic(_ name: String) -> UniformType? {
        MIMEType(name).map { type(ofMIMEType: $0) ?? UniformType(dynamic: DynamicTag(.mimeType, $0.normalized)) }
    }

    private func joined(
        _ type: UniformType, of names: (TypeDeclaration) -> [String], ours: (DeclaredType) -> [String]
    ) -> [String] {
        let own = DeclaredType(key: type.key).map(ours) ?? []
        guard !user.isEmpty || !app.isEmpty else { return own }
        let all =
            user.declarations(ofKey: type.key).flatMap(names) + own
            + app.declarations(ofKey: type.key).flatMap(names)
        var seen: Set<ExactName> = []
        return all.filter { seen.insert(ExactName($0)).inserted }
    }
}
