#if !canImport(Darwin)

import Dispatch
import Foundation
import Pasteboard
import Synchronization

/// Work for the main thread, where Apple's frameworks call owners, data providers and observers of notifications.
///
/// The main thread is the thread that runs the main queue: at first the thread of that name, which does the work in its
/// run loop, and after `dispatchMain()` or the first suspension of an asynchronous main program one of Dispatch's
/// threads. While it is blocked in a call of a pasteboard, it does the work within that call: it may be waiting for the
/// result.
enum MainThread {
    private struct Work: @unchecked Sendable {
        let perform: () -> Void
    }

    private struct Works {
        var waiting: [Work] = []
        /// True if the main queue will do the work. A program may never run that queue, so it gets only one closure.
        var isScheduled = false
    }

    private static let works = Mutex(Works())
    /// The thread of each blocking call of the main thread, innermost last.
    private static let blocked = Mutex<[ThreadService.Thread]>([])

    private static let mainQueueKey: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// True on the main thread.
    static var isCurrent: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: mainQueueKey) == true }

    /// Performs work on the main thread: at once if this is the main thread, and otherwise later.
    static func tell(_ work: @escaping () -> Void) {
        if isCurrent { work() } else { perform(work) }
    }

    /// Performs work on the main thread, later.
    static func perform(_ work: @escaping () -> Void) {
        let work = Work(perform: work)
        let isScheduled = works.withLock { works in
            works.waiting.append(work)
            defer { works.isScheduled = true }
            return works.isScheduled
        }
        if !isScheduled {
            DispatchQueue.main.async {
                works.withLock { $0.isScheduled = false }
                performAll()
            }
        }
        if let thread = blocked.withLock(\.last) { ThreadService.wake(thread) }
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

    /// Makes a call that may block. While the call blocks the main thread, it does the work of that thread.
    static func serving<Value>(_ call: () throws -> Value) rethrows -> Value {
        guard isCurrent else { return try call() }
        let service = ThreadService { performAll() }
        service.start()
        blocked.withLock { $0.append(.current) }
        defer {
            blocked.withLock { _ = $0.popLast() }
            service.stop()
        }
        return try call()
    }

    private static func performAll() {
        while let work = works.withLock({ $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }) { work.perform() }
    }
}

#endif
