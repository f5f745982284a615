import CLinux
import Glibc
import Synchronization
package import SystemPackage

/// A thread with its own loop. See pthreads(7).
package final class WorkerThread: Sendable {
    private let thread: pthread_t
    private let isJoined = Mutex(false)

    private init(_ thread: pthread_t) {
        self.thread = thread
    }

    /// Starts a thread that does not handle the process's signals: see ``SignalMask/leaveToOtherThreads()``.
    ///
    /// - Parameter name: The name shown by debuggers and in /proc; the kernel keeps the first 15 bytes.
    /// - Throws: `resourceTemporarilyUnavailable` if a limit is reached.
    package static func start(name: String, _ body: @escaping @Sendable () -> Void) throws(Errno) -> WorkerThread {
        var thread = pthread_t()
        let start = unsafe Unmanaged.passRetained(Start(name: name, body: body))
        let result = unsafe pthread_create(
            &thread, nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                let start = unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
                _ = unsafe pthread_setname_np(pthread_self(), String(start.name.prefix(15)))
                SignalMask.leaveToOtherThreads()
                start.body()
                return nil
            }, start.toOpaque())
        if result != 0 {
            unsafe start.release()
            throw Errno(rawValue: result)
        }
        return WorkerThread(thread)
    }

    deinit {
        if !isJoined.withLock({ $0 }) { pthread_detach(thread) }
    }

    /// Waits until the thread has ended. Further calls return at once.
    package func join() {
        let isFirst = isJoined.withLock { isJoined in
            defer { isJoined = true }
            return !isJoined
        }
        if isFirst { pthread_join(thread, nil) }
    }

    private final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }
}

/// A gate that blocks threads until it is opened, once and for all. See pthread_cond_wait(3).
@safe
package final class Latch: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    /// Protected by the mutex.
    private var isOpen = false

    package init() {
        unsafe mutex = .allocate(capacity: 1)
        unsafe condition = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe condition.initialize(to: pthread_cond_t())
        // Neither call fails on Linux with default attributes.
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(condition, nil)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    package func open() {
        unsafe pthread_mutex_lock(mutex)
        isOpen = true
        unsafe pthread_cond_broadcast(condition)
        unsafe pthread_mutex_unlock(mutex)
    }

    /// Blocks until the latch is open.
    package func wait() {
        unsafe pthread_mutex_lock(mutex)
        while !isOpen { unsafe pthread_cond_wait(condition, mutex) }
        unsafe pthread_mutex_unlock(mutex)
    }
}
