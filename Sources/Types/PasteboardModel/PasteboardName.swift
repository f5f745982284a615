/// The checked name of a pasteboard.
///
/// The bridge owns an X11 selection of that name, so the name is checked first: owning a manager selection would evict
/// the window manager or clipboard manager that has it.
package enum PasteboardName: Hashable, Sendable {
    /// The pasteboard of copy and paste, which is UIPasteboard's `general`; the selection CLIPBOARD.
    case general
    /// The pasteboard of the search string, which is NSPasteboard's `find`; the selection PRIMARY.
    case find
    /// The selection SECONDARY, which has no counterpart on Apple's systems.
    case secondary
    /// An app's own pasteboard, with a reverse-DNS name.
    case app(String)

    /// The limit on the length of a name, in bytes.
    package static let maxLength = 255

    /// Checks a name. `clipboard` and `primary` are aliases of `general` and `find`, and capitals do not matter in the
    /// names of system pasteboards.
    package init(validating string: String) throws(InvalidPasteboardName) {
        // The length is checked first, because the time of the other checks grows with it.
        if string.utf8.count > Self.maxLength, let problem = Self.problem(with: string) { throw problem }
        switch string.lowercased() {
        case "general", "clipboard": self = .general
        case "find", "primary": self = .find
        case "secondary": self = .secondary
        default:
            if let problem = Self.problem(with: string) { throw problem }
            self = .app(string)
        }
    }

    /// Creates the name of an X11 selection's pasteboard.
    package init(selection: String) {
        switch selection {
        case "CLIPBOARD": self = .general
        case "PRIMARY": self = .find
        case "SECONDARY": self = .secondary
        default: self = .app(selection)
        }
    }

    package var string: String {
        switch self {
        case .general: "general"
        case .find: "find"
        case .secondary: "secondary"
        case .app(let name): name
        }
    }

    /// The name in quotes, for a message. The name of `find` is followed by its selection, which more users know.
    package var quoted: String { self == .find ? "'find' (PRIMARY)" : "'\(string)'" }

    /// Returns a name that another program gave, in the form of `quoted`.
    package static func quoted(_ name: String) -> String {
        (try? PasteboardName(validating: name))?.quoted ?? "'\(name)'"
    }

    /// The name of the pasteboard's X11 selection.
    package var selection: String {
        switch self {
        case .general: "CLIPBOARD"
        case .find: "PRIMARY"
        case .secondary: "SECONDARY"
        case .app(let name): name
        }
    }

    /// True for a system pasteboard, which always exists, persists and cannot be removed.
    package var isSystem: Bool {
        if case .app = self { false } else { true }
    }

    private static func problem(with string: String) -> InvalidPasteboardName? {
        func malformed(_ reason: String) -> InvalidPasteboardName {
            InvalidPasteboardName(name: string, kind: .malformed, reason: reason)
        }
        if string.isEmpty { return malformed("is empty") }
        if string.utf8.count > maxLength { return malformed("is longer than \(maxLength) bytes") }
        if isManagerSelection(string) {
            return InvalidPasteboardName(
                name: string, kind: .refused,
                reason: "is the selection of a manager, and owning it would evict that manager")
        }
        if !string.utf8.allSatisfy(isAllowed) {
            return malformed("has a character other than a letter, a digit, '.', '-' and '_'")
        }
        let labels = string.split(separator: ".", omittingEmptySubsequences: false)
        if labels.count < 2 { return malformed("has no dot") }
        if labels.contains(where: \.isEmpty) { return malformed("has an empty part beside a dot") }
        return nil
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
        default: false
        }
    }

    /// Returns true for the selection of a manager: the manager of a screen owns a selection whose name ends in `_Sn`
    /// (ICCCM, section 2.8), and the names of desktop protocols start with an underscore.
    private static func isManagerSelection(_ string: String) -> Bool {
        if string.hasPrefix("_") || managers.contains(string) { return true }
        guard let mark = string.utf8.lastIndex(of: UInt8(ascii: "_")) else { return false }
        let tail = string.utf8[string.utf8.index(after: mark)...]
        let digits = tail.dropFirst()
        return tail.first == UInt8(ascii: "S") && !digits.isEmpty && digits.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
    }

    private static let managers: Set = [
        "CLIPBOARD_MANAGER", "MANAGER", "XdndSelection", "DESKTOP_MANAGER", "WM_COLORMAP_MANAGER",
    ]
}

extension PasteboardName: CustomStringConvertible {
    package var description: String { string }
}

/// The reason why a name is not valid for a pasteboard.
package struct InvalidPasteboardName: Error, Equatable, Sendable {
    package enum Kind: Sendable {
        /// The name is malformed, which is a mistake in the command or the call.
        case malformed
        /// The name has another use that programs depend on.
        case refused
    }

    package let name: String
    package let kind: Kind
    /// The predicate of a sentence whose subject is the name.
    package let reason: String

    /// A sentence without a final period, with the next step.
    package var message: String {
        "the pasteboard name '\(shownName)' \(reason); "
            + "use general, find, secondary, or a name such as com.example.scratch"
    }

    /// The name without control characters, cut to 64 characters.
    private var shownName: String {
        let scalars = name.unicodeScalars
        let visible = scalars.prefix(64).map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }
        let shown = String(String.UnicodeScalarView(visible))
        return scalars.index(scalars.startIndex, offsetBy: 65, limitedBy: scalars.endIndex) != nil ? shown + "…" : shown
    }
}
