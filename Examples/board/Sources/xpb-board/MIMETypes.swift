import UniformTypes

/// The names of types in drag and drop.
enum MIMETypes {
    /// Returns the MIME types of a type.
    static func names(of type: String) -> [String] {
        if type == "public.utf8-plain-text" { return ["text/plain;charset=utf-8", "text/plain"] }
        if type.contains("/") { return [type] }
        if let name = UniformType(type)?.preferredMIMEType { return [name] }
        return []
    }
}
