/// The reason why the bridge of this program could not be started.
public struct EmbeddedBridgeError: Error, Equatable, Sendable {
    /// The kinds of failure that a program can distinguish.
    public enum Code: Sendable, CaseIterable {
        /// Another bridge serves the display; ``EmbeddedBridgeError/process`` is its process. Pasteboards use that
        /// bridge.
        case served
        /// The bridge of this program is already running, for a different display.
        case runsElsewhere
        /// The display cannot be opened, or the folder of the bridge's sockets cannot be used.
        case unavailable
        /// This program runs with the rights of a different user from the one who started it (set-user-id), and a
        /// bridge would lend one user's rights to the other.
        case setUserID
    }

    /// The kind of failure.
    public var code: Code
    /// A sentence for the user, without a final period, with the next step if there is one.
    public var message: String
    /// The process of the bridge that serves the display, if it is known.
    public var process: Int?

    /// Creates an error.
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
