import UniformTypes

/// The filter of a search for a type, which a user names as on the command line: `image`, `png`, `image/*`,
/// `public.image`.
struct TypeFilter {
    private enum Wanted {
        case type(UniformType)
        /// The beginning of MIME types.
        case mimeTypes(String)
    }

    private let wanted: Wanted?

    init(_ name: String) {
        let query = TypeClass(rawValue: name.lowercased()).map { .class($0) } ?? TypeQuery.parse(name)
        wanted =
            switch query?.byExtension ?? query {
            case .class(let known): .type(known.type)
            case .identifier(let type): .type(type)
            case .mimeType(let name), .target(let name): .type(UniformType(target: name))
            case .pattern(let pattern) where pattern.last == "*": .mimeTypes(String(pattern.dropLast()))
            case .pattern, nil: nil
            }
    }

    /// Returns true for the identifier of a type that conforms to the wanted type.
    func accepts(_ identifier: some StringProtocol) -> Bool {
        let type = UniformType(unchecked: String(identifier))
        return switch wanted {
        case .type(let wanted): type.conforms(to: wanted)
        case .mimeTypes(let prefix): type.preferredMIMEType?.hasPrefix(prefix) ?? false
        case nil: false
        }
    }
}
