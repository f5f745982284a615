/// The reason why a bridge cannot run: a sentence for the user, and a code for programs.
package struct BridgeFailure: Error, CustomStringConvertible {
    package enum Reason: Sendable, Equatable {
        /// The bridge cannot run in a process like this one.
        case misuse
        /// The display cannot be opened, or the folder where clients look for the bridge cannot be used.
        case unavailable
        /// Another bridge holds the lock in the folder where clients look for the bridge. The value is the bridge's
        /// process, if the lock names it.
        case locked(process: Int32?)
        /// Another bridge, which is not found in that folder, serves the display. The value is that bridge's process,
        /// if the display names it.
        case served(process: Int32?)
    }

    package let reason: Reason
    package let description: String

    package init(_ reason: Reason, _ description: String) {
        self.reason = reason
        self.description = description
    }

    /// The exit status of `xpbd`.
    package var status: Int32 {
        switch reason {
        case .misuse: 2
        case .unavailable: 4
        case .locked, .served: 6
        }
    }
}
