#if !canImport(Darwin)

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Standard error, for messages to the programmer.
package enum StandardError {
    /// Writes a line. A program without standard error, or whose standard error is a pipe without a reader, has nobody
    /// to tell, and goes on.
    package static func report(_ line: String) {
        var bytes = Array("\(line)\n".utf8)
        var pipe = sigset_t()
        var before = sigset_t()
        var pending = sigset_t()
        unsafe sigemptyset(&pipe)
        unsafe sigaddset(&pipe, SIGPIPE)
        unsafe pthread_sigmask(SIG_BLOCK, &pipe, &before)
        unsafe sigpending(&pending)
        let isBroken = unsafe write(STDERR_FILENO, &bytes, bytes.count) < 0 && errno == EPIPE
        // The signal is pending in this thread, and is discarded before it can be handled.
        if isBroken, unsafe sigismember(&pending, SIGPIPE) == 0 {
            var none = timespec()
            unsafe sigtimedwait(&pipe, nil, &none)
        }
        unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    }
}

#endif
