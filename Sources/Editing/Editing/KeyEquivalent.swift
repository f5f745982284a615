/// A key or mouse button, with modifiers, that triggers a command.
///
/// Source: `UIKeyCommand.input` and `modifierFlags`, `NSMenuItem.keyEquivalent`. The names of keys are those of X11's
/// keysyms, which GTK, Qt and SDL use, too.
public struct KeyEquivalent: Hashable, Sendable {
    /// The keys that are held down together with another key.
    public struct Modifiers: OptionSet, Hashable, Sendable {
        /// The bits of the modifiers.
        public let rawValue: Int

        /// Creates modifiers from their bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The Control key.
        public static let control = Modifiers(rawValue: 1)
        /// The Shift key.
        public static let shift = Modifiers(rawValue: 2)
        /// The Alt key.
        public static let alt = Modifiers(rawValue: 4)
    }

    /// The name of the key without modifiers: a letter in lower case such as `x`, or `Delete`, `Insert`, `F3`.
    /// `Button2` is the middle button of the mouse.
    public let key: String
    /// The modifiers.
    public let modifiers: Modifiers

    /// Creates a key equivalent.
    ///
    /// - Parameters:
    ///   - key: The name of the key; see ``key``.
    ///   - modifiers: The modifiers.
    public init(_ key: String, _ modifiers: Modifiers = []) {
        self.key = key
        self.modifiers = modifiers
    }

    /// True for a button of the mouse.
    public var isMouseButton: Bool { key.hasPrefix("Button") }
}

extension KeyEquivalent: CustomStringConvertible {
    /// The text for a menu, such as `Ctrl+Shift+Z`.
    public var description: String {
        let names: [(Modifiers, String)] = [(.control, "Ctrl"), (.shift, "Shift"), (.alt, "Alt")]
        let held = names.filter { modifiers.contains($0.0) }.map(\.1)
        return (held + [key.count == 1 ? key.uppercased() : key]).joined(separator: "+")
    }
}
