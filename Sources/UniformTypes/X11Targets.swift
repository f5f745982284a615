/// X11 selection targets: which stand for contents, and under which a type is offered.
package enum X11Targets {
    /// The names a representation is offered under, best first and never empty.
    ///
    /// - Parameters:
    ///   - given: The name it was written or seen under. It is among the names whatever else is.
    ///   - exact: Offer `given` and nothing derived from it.
    ///
    /// Whether a text can go out as STRING, TEXT or COMPOUND_TEXT depends on its characters: the names are only
    /// candidates there.
    package static func names(for type: UniformType, given: String?, exact: Bool) -> [String] {
        if exact, let given { return [given] }
        var names = TypeLayers.current.targets(of: type)
        if let given, !names.contains(where: given.isExactly) { names.insert(given, at: 0) }
        if names.isEmpty { names = [type.identifier] }
        return exact ? [names[0]] : names
    }

    /// Whether a target is a part of the protocol, tells something about its owner or has a side effect (ICCCM, sections
    /// 2.6.2 and 2.6.3, with what Motif, GTK and XDND add). Such a target is never a type, and is never asked of a foreign
    /// owner but by the protocol itself.
    package static func isProtocolTarget(_ target: String) -> Bool { SortedLines.protocolTargets.contains(target) }

    /// Whether a target stands for contents that mean nothing outside its owner's program, or is a marker of a toolkit or
    /// of ours, or has a name longer than any that is passed on: not listed, not kept.
    package static func isNoise(_ target: String) -> Bool {
        target.utf8.count > TypeQuery.maximumLength || SortedLines.noiseTargets.contains(target)
            || target.utf8.starts(with: "TK_".utf8) || target.utf8.starts(with: "chromium/x-internal-".utf8)
    }
}
