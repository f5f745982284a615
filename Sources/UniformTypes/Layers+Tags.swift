/// Which type a name leads to: the user's declarations first, then our own table, an app's declarations, the desktop.
extension Layers {
    /// The first type, in that order, that a MIME type leads to and that is accepted.
    ///
    /// The whole name goes before a text's charset, and that before the bare `type/subtype`, whichever layer knows it.
    func type(ofMIMEType mime: MIMEType, where accepts: (UniformType) -> Bool = { _ in true }) -> UniformType? {
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

    /// The first type that a filename extension in small letters leads to and that is accepted. One that only the desktop
    /// knows leads to its MIME type's type, which may be a dynamic one.
    func type(ofExtension name: String, where accepts: (UniformType) -> Bool = { _ in true }) -> UniformType? {
        let found = first(
            user.identifiers(ofExtension: name), SortedLines.filenameExtensions.line(of: name),
            app.identifiers(ofExtension: name), where: accepts)
        if let found { return found }
        guard let mime = fromDesktop({ $0.mimeType(ofExtension: name) }).flatMap(MIMEType.init) else { return nil }
        if let known = type(ofMIMEType: mime, where: accepts) { return known }
        let dynamic = UniformType(dynamic: DynamicTag(.mimeType, mime.normalized))
        return accepts(dynamic) ? dynamic : nil
    }

    /// The first type that an X11 target is declared for, or leads to as a MIME type, and that is accepted.
    func type(ofTarget target: String, where accepts: (UniformType) -> Bool = { _ in true }) -> UniformType? {
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
        _ user: [String], _ ours: SortedLines.Line?, _ app: [String], where accepts: (UniformType) -> Bool
    ) -> UniformType? {
        for identifier in user {
            let type = UniformType(unchecked: identifier)
            if accepts(type) { return type }
        }
        if let identifier = ours?.firstName(1, where: { accepts(UniformType(unchecked: $0)) }) {
            return UniformType(unchecked: identifier)
        }
        return app.lazy.map(UniformType.init(unchecked:)).first(where: accepts)
    }

    /// Charsets that have a type of their own. Text in any other is plain text.
    private static func plainText(in charset: String) -> UniformType? {
        switch charset {
        case "utf-8", "utf8": .utf8PlainText
        case "utf-16", "utf-16le": .utf16PlainText
        case "utf-16be": .utf16ExternalPlainText
        default: nil
        }
    }

    /// Qt on macOS names MIME types that have no identifier there by this prefix, with `--` for the slash.
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
