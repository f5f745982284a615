/// Why no bridge runs in this program.
public struct EmbeddedBridgeError: Error, Equatable, Sendable {
    /// What a program can tell apart.
    public enum Code: Sendable, CaseIterable {
        /// Another bridge serves the display; ``EmbeddedBridgeError/process`` is its process. Pasteboards work all the same,
        /// by that one.
        case served
        /// The bridge of this program runs, for another display.
        case runsElsewhere
        /// The display cannot be opened, or the folder where programs find the bridge cannot be used.
        case unavailable
        /// This program has the rights of another user than who started it (set-user-id), and would serve one as the other.
        case setUserID
    }

    /// What went wrong.
    public var code: Code
    /// A sentence for the user, without a full stop, with the next step where there is one.
    public var message: String
    /// The process of the bridge that serves the display, where it is known.
    public var process: Int?

    /// Makes an error.
    public init(code: Code, message: String, process: Int? = nil) {
        self.code = code
        self.message = message
        self.process = process
    }
}

extension EmbeddedBridgeError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
