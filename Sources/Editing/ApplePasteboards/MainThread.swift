#if !canImport(Darwin)

import Foundation
import Pasteboard
import Synchronization

/// Work for the main thread, where Apple's frameworks call owners, data providers and observers of notifications.
///
/// The thread does the work in its run loop, in `dispatchMain()` or in the executor of the main actor. While it is
/// blocked in a call of a pasteboard, it does the work within that call: it may be waiting for the result.
enum MainThread {
    private struct Work: @unchecked Sendable {
        let perform: () -> Void
    }

    private static let works = Mutex<[Work]>([])
    /// The service that performs work while the thread is blocked; nil until the main thread has used this module.
    private static let service = Mutex<ThreadService.Thread?>(nil)

    /// Performs work on the main thread, later.
    static func perform(_ work: @escaping () -> Void) {
        let work = Work(perform: work)
        works.withLock { $0.append(work) }
        DispatchQueue.main.async { performAll() }
        if let thread = service.withLock({ $0 }) { ThreadService.wake(thread) }
    }

    /// Performs work on the main thread, and waits for its result.
    static func value<Value: Sendable>(_ work: @escaping () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            perform { continuation.resume(returning: work()) }
        }
    }

    /// Performs work on the main thread in a later turn of its run loop, but not within a blocking call.
    static func performInRunLoop(_ work: @escaping () -> Void) {
        let work = Work(perform: work)
        DispatchQueue.main.async { work.perform() }
    }

    /// Lets the main thread do its work in blocking calls, if this is the main thread.
    static func attach() {
        guard Thread.isMainThread else { return }
        let isNew = service.withLock { thread in
            defer { thread = .current }
            return thread == nil
        }
        if isNew { ThreadService { performAll() }.start() }
    }

    private static func performAll() {
        while let work = works.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { work.perform() }
    }
}

#endif
