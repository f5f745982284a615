/// The types by which a compositor's copy of an X11 selection is recognized.
///
/// Compositors differ in what they copy: wlroots and KWin 6.3 copy the targets with a slash, and texts under MIME
/// types; KWin 5.27 and 6.7 copy all targets. None of them adds a type that is not a text's, or leaves out one with a
/// slash.
package enum CopiedTypes {
    private static let texts: Set = [
        "UTF8_STRING", "STRING", "TEXT", "COMPOUND_TEXT", "text/plain", "text/plain;charset=utf-8",
    ]
    /// Targets of the protocol, which say nothing about the contents.
    private static let protocolTargets: Set = ["TARGETS", "TIMESTAMP", "MULTIPLE", "SAVE_TARGETS", "DELETE"]

    /// Returns true if a selection of the seat with these types may be a copy of an X11 selection with these targets.
    package static func mayBeCopied(_ types: [String], from targets: [String]) -> Bool {
        let targets = Set(targets)
        let types = Set(types).subtracting(protocolTargets)
        let hasText = !targets.isDisjoint(with: texts)
        return types.allSatisfy { targets.contains($0) || hasText && texts.contains($0) }
            && targets.allSatisfy { !$0.contains("/") || types.contains($0) }
    }
}
