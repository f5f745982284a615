extension X11Targets {
    /// Whether a target is one of the names that every plain text goes out under, whatever its type.
    package static func isTextName(_ target: String) -> Bool {
        names(for: .utf8PlainText, given: nil, exact: false).contains { $0.utf8.elementsEqual(target.utf8) }
    }
}

extension UniformType {
    /// The charset that a MIME type names, in small letters: `koi8-r` of `text/plain; charset=KOI8-R`.
    package static func charset(ofMIMEType name: String) -> String? { MIMEType(name)?.charset }
}
