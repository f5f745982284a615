/// Why no pasteboard may have a name.
package struct InvalidPasteboardName: Error, Equatable, Sendable {
    package enum Kind: Sendable {
        /// It is no pasteboard's name: a slip in the command or the call.
        case malformed
        /// It is a name somebody else depends on.
        case refused
    }

    package let name: String
    package let kind: Kind
    /// Completes the sentence "the name …".
    package let reason: String

    /// A sentence without a full stop, with the next step.
    package var message: String {
        "the pasteboard name '\(shownName)' \(reason); use general, find, secondary, or a name such as com.example.scratch"
    }

    /// Without control characters, and short enough for a line.
    private var shownName: String {
        let scalars = name.unicodeScalars
        let visible = scalars.prefix(64).map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }
        let shown = String(String.UnicodeScalarView(visible))
        return scalars.index(scalars.startIndex, offsetBy: 65, limitedBy: scalars.endIndex) != nil ? shown + "…" : shown
    }
}
