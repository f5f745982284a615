/// X11 selection targets, and their relation to types.
package enum X11Targets {
    /// Returns the targets under which a representation is offered, in order of preference. The result is never empty.
    ///
    /// The names STRING, TEXT and COMPOUND_TEXT are candidates: whether text can be offered under them depends on its
    /// characters.
    ///
    /// - Parameters:
    ///   - given: The target under which the representation was written or received. It is always one of the results.
    ///   - exact: True to return only `given`, or only the preferred target if `given` is nil.
    package static func names(for type: UniformType, given: String?, exact: Bool) -> [String] {
        if exact, let given { return [given] }
        var names = TypeLayers.current.targets(of: type)
        if let given, !names.contains(where: given.isExactly) { names.insert(given, at: 0) }
        if names.isEmpty { names = [type.identifier] }
        return exact ? [names[0]] : names
    }

    /// Returns true if a target belongs to the selection protocol, describes the owner, or has a side effect (ICCCM,
    /// sections 2.6.2 and 2.6.3, with the additions of Motif, GTK and XDND). Such a target is never a type, and is
    /// requested from an owner only as part of the protocol.
    package static func isProtocolTarget(_ target: String) -> Bool { SortedLines.protocolTargets.contains(target) }

    /// Returns true if a target is neither listed nor stored: its contents have no meaning outside of the owner's
    /// program, or it is a marker of a toolkit or of this project, or its name is too long.
    package static func isIgnored(_ target: String) -> Bool {
        target.utf8.count > TypeQuery.maxLength || SortedLines.noiseTargets.contains(target)
            || target.utf8.starts(with: "TK_".utf8) || target.utf8.starts(with: "chromium/x-internal-".utf8)
    }

    /// Returns true for a target under which all plain text is offered, whatever its type.
    package static func isTextName(_ target: String) -> Bool {
        names(for: .utf8PlainText, given: nil, exact: false).contains { $0.utf8.elementsEqual(target.utf8) }
    }

    /// Returns the names that stand for a type but under which the type is not offered, sorted, in their usual
    /// spelling. Targets that differ only in case count as one.
    package static func aliases(for type: UniformType) -> [String] {
        var seen = Set(names(for: type, given: nil, exact: false).map { ExactName($0.asciiLowercased) })
        var understood: [String] = []
        for name in type.tags[.mimeType, default: []] + namesByKey[type.key, default: []]
        where UniformType(target: name) == type && seen.insert(ExactName(name.asciiLowercased)).inserted {
            understood.append(name)
        }
        return understood.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// The built-in MIME types and targets of each type, by its key. The table is built when it is first used.
    private static let namesByKey: [String: [String]] = {
        var names: [String: [String]] = [:]
        for table in [SortedLines.mimeTypes, SortedLines.selectionTargets] {
            for line in table.text.split(separator: "\n") { addName(in: line.split(separator: "|"), to: &names) }
        }
        return names
    }()

    /// Adds the name of a line to each of its types. Its usual spelling is in the third field if it has capitals.
    private static func addName(in fields: [Substring], to names: inout [String: [String]]) {
        let spelled = String(fields.count > 2 ? fields[2] : fields[0])
        for identifier in fields.dropFirst().prefix(1).flatMap({ $0.split(separator: " ") }) {
            names[String(identifier).asciiLowercased, default: []].append(spelled)
        }
    }
}
