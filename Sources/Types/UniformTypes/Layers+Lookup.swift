/// Lookup of types by tag, in order of precedence: the user's declarations, the built-in table, the program's
/// declarations, and the desktop's database.
extension Layers {
    /// Returns the first accepted type with a MIME type.
    ///
    /// A declaration of the complete name precedes the charset of `text/plain`, which precedes a declaration of the
    /// bare `type/subtype`, whichever layer contains it.
    package func type(ofMIMEType mime: MIMEType, where accepts: (UniformType) -> Bool = { _ in true }) -> UniformType? {
        if let found = declared(mime.normalized, where: accepts) { return found }
        if let format = WebCustomFormat(mimeType: mime.normalized) {
            let type = UniformType(unchecked: format.identifier)
            if accepts(type) { return type }
        }
        if mime.essence == "text/plain", let type = mime.charset.flatMap(Self.plainText(in:)), accepts(type) {
            return type
        }
        if mime.normalized != mime.essence, let found = declared(mime.essence, where: accepts) { return found }
        return fromDesktop { $0.canonicalName(ofMIMEType: mime.essence) }
            .flatMap { MIMEType($0) }.flatMap { declared($0.normalized, where: accepts) }
    }

    /// Returns the first accepted type with a filename extension, in lower case. For an extension that only the
    /// desktop's database contains, returns the type of the MIME type in that database, which may be dynamic.
    package func type(ofExtension name: String, where accepts: (UniformType) -> Bool = { _ in true }) -> UniformType? {
        let found = first(
            user.identifiers(ofExtension: name), SortedLines.filenameExtensions.line(of: name),
            app.identifiers(ofExtension: name), where: accepts)
        if let found { return found }
        guard let mime = fromDesktop({ $0.mimeType(ofExtension: name) }).flatMap(MIMEType.init) else { return nil }
        if let known = type(ofMIMEType: mime, where: accepts) { return known }
        let dynamic = UniformType(dynamic: DynamicTag(.mimeType, mime.normalized))
        return accepts(dynamic) ? dynamic : nil
    }

    /// Returns the first accepted type that is declared for an X11 target, or has the target as its MIME type.
    package func type(ofTarget target: String, where accepts: (UniformType) -> Bool = { _ in true }) -> UniformType? {
        let found = first(
            user.identifiers(ofTarget: target), SortedLines.selectionTargets.line(of: target),
            app.identifiers(ofTarget: target), where: accepts)
        if let found { return found }
        return MIMEType(Self.mimeType(ofQtTarget: target) ?? target).flatMap { type(ofMIMEType: $0, where: accepts) }
    }

    private func declared(_ mimeType: String, where accepts: (UniformType) -> Bool) -> UniformType? {
        first(
            user.identifiers(ofMIMEType: mimeType), SortedLines.mimeTypes.line(of: mimeType),
            app.identifiers(ofMIMEType: mimeType), where: accepts)
    }

    private func first(
        _ user: [String], _ builtIn: SortedLines.Line?, _ app: [String], where accepts: (UniformType) -> Bool
    ) -> UniformType? {
        for identifier in user {
            let type = UniformType(unchecked: identifier)
            if accepts(type) { return type }
        }
        if let identifier = builtIn?.firstName(1, where: { accepts(UniformType(unchecked: $0)) }) {
            return UniformType(unchecked: identifier)
        }
        return app.lazy.map(UniformType.init(unchecked:)).first(where: accepts)
    }

    /// Returns the type of plain text in a charset; nil for charsets without a type of their own.
    private static func plainText(in charset: String) -> UniformType? {
        switch charset {
        case "utf-8", "utf8": .utf8PlainText
        case "utf-16", "utf-16le": .utf16PlainText
        case "utf-16be": .utf16ExternalPlainText
        default: nil
        }
    }

    /// Returns the MIME type in a target of Qt. On macOS, Qt names MIME types without an identifier with this prefix,
    /// and with `--` instead of the slash.
    private static func mimeType(ofQtTarget target: String) -> String? {
        let prefix = "com.trolltech.anymime."
        guard target.utf8.starts(with: prefix.utf8) else { return nil }
        let bytes = Array(target.utf8.dropFirst(prefix.utf8.count))
        let hyphen = UInt8(ascii: "-")
        guard let slash = bytes.indices.dropLast().first(where: { bytes[$0] == hyphen && bytes[$0 + 1] == hyphen })
        else { return nil }
        return String(decoding: bytes[..<slash] + [UInt8(ascii: "/")] + bytes[(slash + 2)...], as: UTF8.self)
    }
}

/// Properties of types. The tags of all layers are combined, the user's first. The types that a type conforms to come
/// from the first layer that names any.
extension Layers {
    package func isDeclared(_ type: UniformType) -> Bool {
        DeclaredType(key: type.key) != nil || user.declares(type.key) || app.declares(type.key)
            || WebCustomFormat(key: type.key) != nil
    }

    /// Returns the MIME types of a type, in order of preference.
    package func mimeTypes(of type: UniformType) -> [String] {
        let declared = joined(type, of: { $0.mimeTypes }, builtIn: { $0.mimeTypes })
        if !declared.isEmpty { return declared }
        if let format = WebCustomFormat(key: type.key) { return [format.mimeType] }
        guard let dynamic = DynamicType(identifier: type.key) else { return [] }
        if let mime = dynamic.value(of: .mimeType) { return [mime] }
        return dynamic.value(of: .pasteboardType).flatMap { MIMEType($0) == nil ? nil : [$0] } ?? []
    }

    /// Returns the filename extensions of a type, in order of preference.
    package func filenameExtensions(of type: UniformType) -> [String] {
        let declared = joined(type, of: { $0.filenameExtensions }, builtIn: { $0.filenameExtensions })
        guard declared.isEmpty, let dynamic = DynamicType(identifier: type.key) else { return declared }
        if let name = dynamic.value(of: .filenameExtension) { return [name] }
        return dynamic.target.flatMap { MIMEType($0) }.flatMap { mime in
            fromDesktop { $0.extensions(ofMIMEType: mime.essence) }
        } ?? []
    }

    /// Returns the X11 targets under which a type is offered, in order of preference; empty if it is offered under its
    /// identifier.
    package func targets(of type: UniformType) -> [String] {
        let declared = joined(
            type, of: { $0.targets.isEmpty ? Array($0.mimeTypes.prefix(1)) : $0.targets }, builtIn: { $0.targets })
        if !declared.isEmpty { return declared }
        if let format = WebCustomFormat(key: type.key) { return [format.mimeType] }
        return DynamicType(identifier: type.key)?.target.map { [$0] } ?? []
    }

    package func description(of type: UniformType) -> String? {
        user.declarations(ofKey: type.key).lazy.compactMap(\.description).first
            ?? DeclaredType(key: type.key)?.description
            ?? app.declarations(ofKey: type.key).lazy.compactMap(\.description).first
    }

    package func conforms(_ type: UniformType, to other: UniformType) -> Bool {
        if type == other { return true }
        if let entry = builtInEntry(type) { return entry.descends(from: other.key) }
        return supertypes(of: type).contains(other)
    }

    /// Returns all ancestors of a type once, nearest first. If declarations form a cycle, the search ends where it
    /// began.
    package func supertypes(of type: UniformType) -> [UniformType] {
        if let entry = builtInEntry(type) { return entry.ancestors.map(UniformType.init(unchecked:)) }
        var found: [UniformType] = []
        var seen: Set<UniformType> = [type]
        var generation = [type]
        while !generation.isEmpty {
            generation = generation.flatMap(parents).filter { seen.insert($0).inserted }
            found += generation
        }
        return found
    }

    /// Returns the entry of the built-in table, which lists all ancestors; nil if the user redefines any built-in type,
    /// because the list may be wrong then.
    private func builtInEntry(_ type: UniformType) -> DeclaredType? {
        userRedefinesBuiltIn ? nil : DeclaredType(key: type.key)
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

    /// Returns the type with a MIME type, declared or dynamic.
    private func declaredOrDynamic(_ name: String) -> UniformType? {
        MIMEType(name).map { type(ofMIMEType: $0) ?? UniformType(dynamic: DynamicTag(.mimeType, $0.normalized)) }
    }

    /// Returns the tags of a type in all layers, without duplicates.
    private func joined(
        _ type: UniformType, of names: (TypeDeclaration) -> [String], builtIn: (DeclaredType) -> [String]
    ) -> [String] {
        let own = DeclaredType(key: type.key).map(builtIn) ?? []
        guard !user.isEmpty || !app.isEmpty else { return own }
        let all =
            user.declarations(ofKey: type.key).flatMap(names) + own
            + app.declarations(ofKey: type.key).flatMap(names)
        var seen: Set<ExactName> = []
        return all.filter { seen.insert(ExactName($0)).inserted }
    }
}
