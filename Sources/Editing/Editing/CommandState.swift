/// The state of a command, as a menu or a button shows it.
///
/// Source: `UICommand.title` and `attributes`, `NSMenuItem.title` and `isEnabled`.
public struct CommandState: Hashable, Sendable {
    /// The title, such as "Undo Move Tile".
    public let title: String
    /// True if the command can be performed.
    public let isEnabled: Bool

    /// Creates a state.
    public init(title: String, isEnabled: Bool) {
        self.title = title
        self.isEnabled = isEnabled
    }
}
