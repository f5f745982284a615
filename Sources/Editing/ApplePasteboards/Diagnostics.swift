#if !canImport(Darwin)

import Foundation
import Synchronization

/// Messages for the programmer, since the calls of NSPasteboard and UIPasteboard have no errors.
enum Diagnostics {
    private static let last = Mutex("")

    /// Writes a message to standard error, unless the last message was the same.
    static func report(_ message: String) {
        let isNew = last.withLock { last in
            defer { last = message }
            return last != message
        }
        if isNew { FileHandle.standardError.write(Data("ApplePasteboards: \(message)\n".utf8)) }
    }

    /// Returns a value, or reports the error and returns nil.
    static func value<Value>(_ body: () throws -> Value) -> Value? {
        do {
            return try body()
        } catch {
            report("\(error)")
            return nil
        }
    }
}

#endif
