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
    /// Targets that lead to a type and that it is never offered under, sorted.
    package static func understood(for type: UniformType) -> [String] {
        let tables = [SortedLines.mimeTypes, SortedLines.selectionTargets]
        let offered = names(for: type, given: nil, exact: false)
        var understood: [String] = []
        for name in type.tags[.mimeType, default: []] + tables.flatMap({ keys(in: $0, of: type) })
        where !(offered + understood).contains(where: name.isExactly) && UniformType(target: name) == type {
            understood.append(name)
        }
        return understood.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private static func keys(in table: SortedLines, of type: UniformType) -> [String] {
        table.text.split(separator: "\n").compactMap { line in
            let key = String(line.prefix { $0 != "|" })
            return table.line(of: key)?.has(type.key, in: 1) == true ? key : nil
        }
    }
}
