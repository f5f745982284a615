/// The types by which a compositor's copy of an X11 selection is recognized.
///
/// Every compositor copies UTF8_STRING and TEXT under a MIME type. wlroots and KWin 6.3 leave out the other targets
/// without a slash. KWin 5.27 and 6.7 copy all targets. No compositor adds a type, apart from targets of the protocol.
package enum CopiedTypes {
    private static let texts = ["UTF8_STRING": "text/plain;charset=utf-8", "TEXT": "text/plain"]
    /// Targets that say nothing about the contents.
    private static let protocolTargets: Set = ["TARGETS", "TIMESTAMP", "MULTIPLE", "SAVE_TARGETS", "DELETE"]

    /// Returns the type under which a compositor copies a target.
    package static func type(of target: String) -> String { texts[target] ?? target }

    /// Returns true if a selection of the seat with these types may be a copy of an X11 selection.
    package static func mayBeCopied(_ types: [String]) -> Bool { !types.contains { texts[$0] != nil } }

    /// Returns true if a selection of the seat with these types may be a copy of an X11 selection with these targets.
    package static func mayBeCopied(_ types: [String], from targets: [String]) -> Bool {
        let types = Set(types).subtracting(protocolTargets)
        let copied = Set(targets.map(type(of:))).subtracting(protocolTargets)
        return types == copied || types == copied.filter { $0.contains("/") }
    }
}
