#if !canImport(Darwin)

import Synchronization
import Undo

/// Messages for the programmer, since the calls of NSPasteboard and UIPasteboard have no errors.
enum Diagnostics {
    private static let last = Mutex("")

    /// Writes a message to standard error, unless the last message was the same.
    static func report(_ message: String) {
        let isNew = last.withLock { last in
            defer { last = message }
            return last != message
        }
        if isNew { StandardError.report("ApplePasteboards: \(message)") }
    }

    /// Returns the value of a call that may block; nil after reporting its error.
    static func value<Value>(_ call: () throws -> Value) -> Value? {
        do {
            return try MainThread.serving(call)
        } catch {
            report("\(error)")
            return nil
        }
    }
}

#endif
