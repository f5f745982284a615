import LinuxSystem
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A thread that is blocked in a call of this library.
///
/// The bytes that the call waits for may be promised by this program, with a provider that runs on the very thread that
/// waits. So a blocked thread also performs the services that were registered for it: see ``ThreadService``.
final class BlockedThread: Sendable {
    private struct State {
        var isWoken = false
        /// Present while the thread sleeps.
        var latch: Latch?
    }

    private let state = Mutex(State())

    /// Lets the thread look again at what it waits for.
    func wake() {
        let latch = state.withLock { state in
            state.isWoken = true
            return state.latch.take()
        }
        latch?.open()
    }

    /// Blocks until ``isDone`` is true. Performs the thread's services whenever they or the result wake it.
    func wait(until isDone: () -> Bool) {
        let thread = ThreadService.Thread.current
        ThreadService.begin(self, on: thread)
        defer { ThreadService.end(self, on: thread) }
        while !isDone() {
            ThreadService.perform(on: thread)
            sleep()
        }
    }

    /// Blocks until ``wake()`` is called, or was called since the last time.
    private func sleep() {
        let latch = state.withLock { state -> Latch? in
            defer { state.isWoken = false }
            if state.isWoken { return nil }
            state.latch = Latch()
            return state.latch
        }
        guard let latch else { return }
        latch.wait()
        state.withLock { $0.isWoken = false }
    }
}

/// Work that must run on one thread: in the thread's event loop or, while the thread is blocked in a call of this
/// library, in that call.
package final class ThreadService: Sendable {
    /// A thread of this process.
    package struct Thread: Hashable, Sendable {
        private let number: UInt

        /// The thread of this call.
        package static var current: Thread { Thread(number: UInt(pthread_self())) }

        /// True if the caller stays on this thread. A task may go on on another thread.
        static var isLasting: Bool { unsafe withUnsafeCurrentTask { task in unsafe task == nil } }
    }

    private struct Threads {
        /// The calls that block each thread, innermost last: a provider may make a call of its own.
        var blocked: [Thread: [BlockedThread]] = [:]
        var services: [Thread: [ObjectIdentifier: ThreadService]] = [:]
    }

    private static let threads = Mutex(Threads())

    /// A closure that runs on its thread only.
    private struct Work: @unchecked Sendable {
        let perform: () -> Void
    }

    private let thread: Thread
    private let work: Work

    /// Creates a service for a thread.
    ///
    /// - Parameter work: Performs all work that is waiting. It runs on the thread, and may find no work.
    package init(on thread: Thread = .current, _ work: @escaping () -> Void) {
        self.thread = thread
        self.work = Work(perform: work)
    }

    /// Lets the thread perform the service whenever it is blocked, from now until ``stop()``.
    package func start() {
        Self.threads.withLock { $0.services[thread, default: [:]][ObjectIdentifier(self)] = self }
    }

    /// Ends the service.
    package func stop() {
        // The closure is released after the change.
        let former = Self.threads.withLock { threads in
            let former = threads.services[thread]?.removeValue(forKey: ObjectIdentifier(self))
            if threads.services[thread]?.isEmpty == true { threads.services[thread] = nil }
            return former
        }
        withExtendedLifetime(former) {}
    }

    /// Lets a thread perform its services soon if it is blocked. If it is not blocked, its event loop has to.
    package static func wake(_ thread: Thread) { threads.withLock { $0.blocked[thread]?.last }?.wake() }

    fileprivate static func begin(_ call: BlockedThread, on thread: Thread) {
        threads.withLock { $0.blocked[thread, default: []].append(call) }
    }

    fileprivate static func end(_ call: BlockedThread, on thread: Thread) {
        let outer = threads.withLock { threads in
            threads.blocked[thread]?.removeLast()
            if threads.blocked[thread]?.isEmpty == true { threads.blocked[thread] = nil }
            return threads.blocked[thread]?.last
        }
        // Work may have come for a service while the inner call was about to return.
        outer?.wake()
    }

    fileprivate static func perform(on thread: Thread) {
        let services = threads.withLock { $0.services[thread].map { Array($0.values) } ?? [] }
        for service in services { service.work.perform() }
    }
}
