public import Undo

/// A command of an edit menu: a standard command, or one of the program's own.
///
/// ```swift
/// extension EditCommand {
///     static let rotate = EditCommand("org.example.rotate", title: "Rotate", keys: [KeyEquivalent("r", .control)])
/// }
/// ```
///
/// Two commands are equal if their identifiers are, so a program can give a standard command different keys.
///
/// Source: the selectors of `UIResponderStandardEditActions`, with the titles and keys of their `UICommand`. The keys
/// are those of desktops on Linux.
public struct EditCommand: Sendable {
    /// The name that identifies the command. Standard commands have short names such as `cut`; the names of a program's
    /// own commands should begin with the program's reverse-DNS name.
    public let identifier: String
    /// The title in English, or the title passed to ``init(_:title:keys:titles:)``.
    public let title: String
    /// The keys that trigger the command. A menu shows the first one.
    public let keys: [KeyEquivalent]
    /// The titles in other languages.
    private let titles: [UndoManager.MenuLanguage: String]

    /// Creates a command.
    ///
    /// - Parameters:
    ///   - identifier: The name; see ``identifier``.
    ///   - title: The title in a menu.
    ///   - keys: The keys. A menu shows the first one.
    ///   - titles: The titles in other languages, if they differ.
    public init(
        _ identifier: String, title: String, keys: [KeyEquivalent] = [],
        titles: [UndoManager.MenuLanguage: String] = [:]
    ) {
        self.identifier = identifier
        self.title = title
        self.keys = keys
        self.titles = titles
    }

    /// Returns the title in a language, or ``title`` if there is none in that language.
    public func title(in language: UndoManager.MenuLanguage) -> String { titles[language] ?? title }
}

extension EditCommand: Hashable {
    /// Returns true if the identifiers are equal.
    public static func == (first: EditCommand, second: EditCommand) -> Bool { first.identifier == second.identifier }

    /// Hashes the identifier.
    public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

extension EditCommand: CustomStringConvertible {
    /// The identifier.
    public var description: String { identifier }
}
