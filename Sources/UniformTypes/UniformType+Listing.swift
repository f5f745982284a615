/// What is declared, all of it: for people who look.
extension UniformType {
    /// Whether the built-in table declares the type, whoever else does.
    package var isBuiltIn: Bool { DeclaredType(key: key) != nil || WebCustomFormat(key: key) != nil }

    /// Every type of the built-in table, sorted by identifier.
    package static var builtIn: [UniformType] {
        SortedLines.declaredTypes.text.split(separator: "\n").compactMap { line in
            UniformType(String(line.prefix { $0 != "|" }))
        }
    }
}

extension X11Targets {
    /// Targets that lead to a type and that it is never offered under, as they are spelled and sorted. One that is another
    /// but for its case is left out.
    package static func understood(for type: UniformType) -> [String] {
        var seen = Set(names(for: type, given: nil, exact: false).map { ExactName($0.asciiLowercased) })
        var understood: [String] = []
        for name in type.tags[.mimeType, default: []] + leading[type.key, default: []]
        where UniformType(target: name) == type && seen.insert(ExactName(name.asciiLowercased)).inserted {
            understood.append(name)
        }
        return understood.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// The built-in names that lead to a type, by its key. Only those who look for all of them have it made.
    private static let leading: [String: [String]] = {
        var leading: [String: [String]] = [:]
        for table in [SortedLines.mimeTypes, SortedLines.selectionTargets] {
            for line in table.text.split(separator: "\n") {
                let fields = line.split(separator: "|")
                let spelled = String(fields.count > 2 ? fields[2] : fields[0])
                for identifier in fields.dropFirst().prefix(1).flatMap({ $0.split(separator: " ") }) {
                    leading[String(identifier).asciiLowercased, default: []].append(spelled)
                }
            }
        }
        return leading
    }()
}
