import CLinux
import Glibc
import Synchronization
package import SystemPackage

/// A thread of its own for a loop. See pthreads(7).
package final class WorkerThread: Sendable {
    private let thread: pthread_t
    private let isJoined = Mutex(false)

    private init(_ thread: pthread_t) {
        self.thread = thread
    }

    /// Starts a thread. It takes none of the process's signals: see ``SignalMask/leaveToOtherThreads()``.
    ///
    /// - Parameter name: What debuggers and /proc show; the kernel keeps 15 bytes of it.
    /// - Throws: `resourceTemporarilyUnavailable` where a limit is reached.
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

    /// Waits until the thread has ended. A second call returns at once.
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
