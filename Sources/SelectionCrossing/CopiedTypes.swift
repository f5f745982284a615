/// The types by which a compositor's copy of an X11 selection is recognized.
///
/// All compositors give two texts a MIME type in place of their X11 name. Of the other targets, wlroots and KWin 6.3
/// copy those with a slash, and KWin 5.27 and 6.7 all. None adds a type, but for targets of the protocol.
package enum CopiedTypes {
    private static let texts = ["UTF8_STRING": "text/plain;charset=utf-8", "TEXT": "text/plain"]
    /// Targets that say nothing about the contents.
    private static let protocolTargets: Set = ["TARGETS", "TIMESTAMP", "MULTIPLE", "SAVE_TARGETS", "DELETE"]

    /// Returns the type under which a compositor copies a target.
    package static func type(of target: String) -> String { texts[target] ?? target }

    /// Returns true if a selection of the seat with these types may be a copy of an X11 selection with these targets.
    package static func mayBeCopied(_ types: [String], from targets: [String]) -> Bool {
        let types = Set(types).subtracting(protocolTargets)
        let copied = Set(targets.map(type(of:))).subtracting(protocolTargets)
        return types == copied || types == copied.filter { $0.contains("/") }
    }
}
