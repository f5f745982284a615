/// The name of a pasteboard, checked: the bridge owns a selection of that name, so a careless one would take the place of
/// a window manager or a clipboard manager.
package enum PasteboardName: Hashable, Sendable {
    /// What is copied and pasted; CLIPBOARD.
    case general
    /// The search string; PRIMARY.
    case find
    /// SECONDARY.
    case secondary
    /// An app's own, by a reverse-DNS name.
    case app(String)

    /// The longest name, in bytes.
    package static let maximumLength = 255

    package init(validating string: String) throws(InvalidPasteboardName) {
        // Before anything is done that takes longer with a longer name.
        if string.utf8.count > Self.maximumLength, let problem = Self.problem(with: string) { throw problem }
        switch string.lowercased() {
        case "general", "clipboard": self = .general
        case "find", "primary": self = .find
        case "secondary": self = .secondary
        default:
            if let problem = Self.problem(with: string) { throw problem }
            self = .app(string)
        }
    }

    /// The pasteboard that an X11 selection of that name carries, if there is one.
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

    /// The X11 selection that carries it.
    package var selection: String {
        switch self {
        case .general: "CLIPBOARD"
        case .find: "PRIMARY"
        case .secondary: "SECONDARY"
        case .app(let name): name
        }
    }

    /// Whether it belongs to the system: it cannot be removed.
    package var isSystem: Bool {
        if case .app = self { false } else { true }
    }

    private static func problem(with string: String) -> InvalidPasteboardName? {
        func malformed(_ reason: String) -> InvalidPasteboardName {
            InvalidPasteboardName(name: string, kind: .malformed, reason: reason)
        }
        if string.isEmpty { return malformed("is empty") }
        if string.utf8.count > maximumLength { return malformed("is longer than \(maximumLength) bytes") }
        if isManagerSelection(string) {
            return InvalidPasteboardName(
                name: string, kind: .refused,
                reason: "is the selection of a manager, which owning it would drive out")
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

    /// ICCCM, section 2.8: a manager of a screen owns `…_Sn`; desktop protocols begin theirs with an underscore.
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
