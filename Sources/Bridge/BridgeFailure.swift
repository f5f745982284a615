import X11Bridge

/// Why the bridge does not run: a sentence for the user, and what a program can tell apart.
package struct BridgeFailure: Error, CustomStringConvertible {
    package enum Reason: Sendable, Equatable {
        /// The bridge cannot run in such a process.
        case misuse
        /// There is no display, or the place where clients find the bridge cannot be used.
        case unavailable
        /// Another bridge has the lock in the folder where clients look for it; its process, where the lock tells.
        case locked(process: Int32?)
        /// Another bridge, which is not found in that folder, serves the display; its process, where the display tells.
        case served(process: Int32?)
    }

    package let reason: Reason
    package let description: String

    init(_ reason: Reason, _ description: String) {
        self.reason = reason
        self.description = description
    }

    /// The exit status of `cli.md`.
    package var status: Int32 {
        switch reason {
        case .misuse: 2
        case .unavailable: 4
        case .locked, .served: 6
        }
    }
}
