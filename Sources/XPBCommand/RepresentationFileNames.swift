import BridgeClient
import UniformTypes

/// Names of files for representations: `0-html.html`, `0-utf8-plain-text.txt`, `1-x-kaya-note`.
struct RepresentationFileNames {
    private let width: Int
    /// In small letters, as some file systems see no difference.
    private var taken: Set<String>

    /// - Parameter taken: A name that no representation may have.
    init(itemCount: Int, taken: String) {
        // Listed by name, the items are in their order.
        width = String(max(itemCount - 1, 0)).count
        self.taken = [taken]
    }

    mutating func name(for form: FetchedForm) -> String {
        let number = String(form.item)
        let padding = String(repeating: "0", count: max(0, width - number.count))
        let type = UniformType(form.type)
        let stem = "\(padding)\(number)-\(Self.word(form.type, isDynamic: type?.isDynamic ?? true, form.target))"
        let suffix = type.flatMap(Self.filenameExtension).map { ".\($0)" } ?? ""
        var name = stem + suffix
        var copy = 2
        while !taken.insert(name.lowercased()).inserted {
            name = "\(stem)-\(copy)\(suffix)"
            copy += 1
        }
        return name
    }

    /// That of the type, else of the nearest type that it conforms to: a text in UTF-8 is a `txt`.
    private static func filenameExtension(of type: UniformType) -> String? {
        let types = type.isDynamic ? [type] : [type] + type.supertypes
        return types.lazy.compactMap(\.preferredFilenameExtension).first.map(safe).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The last part of the identifier; of a dynamic one, which says nothing to people, that of the target.
    private static func word(_ identifier: String, isDynamic: Bool, _ target: String?) -> String {
        let name = isDynamic ? target ?? identifier : identifier
        let essence = name.prefix { $0 != ";" }
        let part = essence.split { $0 == "/" || (!isDynamic && $0 == ".") }.last ?? essence
        let word = safe(String(part))
        return word.isEmpty ? "data" : word
    }

    /// Letters, digits, hyphens, underscores and points within, at most 40.
    private static func safe(_ text: String) -> String {
        let characters = text.unicodeScalars.map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789-_.".unicodeScalars.contains(scalar))
                ? Character(scalar) : "-"
        }
        let trimmed = characters.drop { "-.".contains($0) }.prefix(40)
        return String(trimmed.reversed().drop { "-.".contains($0) }.reversed())
    }
}
