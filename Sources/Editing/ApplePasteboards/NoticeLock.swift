#if !canImport(Darwin)

import Foundation

/// A lock, and the calls of owners and providers that become due while it is held. They are made on the main thread
/// once the lock is free, since owners and providers may use any pasteboard and wait for other threads.
///
/// The lock is recursive: a call that blocks does the work of the main thread, which may use the same pasteboard.
final class NoticeLock: @unchecked Sendable {
    private let lock = NSRecursiveLock()
    /// The number of times that the thread with the lock has taken it.
    private var depth = 0
    private var notices: [() -> Void] = []

    /// Runs `body` with the lock.
    func withLock<Value>(_ body: () throws -> Value) rethrows -> Value {
        lock.lock()
        depth += 1
        defer {
            depth -= 1
            let due = depth == 0 ? notices : []
            if depth == 0 { notices = [] }
            lock.unlock()
            for notice in due { MainThread.tell(notice) }
        }
        return try body()
    }

    /// Makes calls once the lock is free. The lock is held now.
    func notify(_ calls: [() -> Void]) { notices += calls }
}

#endif
