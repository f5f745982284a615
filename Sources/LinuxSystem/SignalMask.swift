import CLinux
import Glibc
import SystemPackage

/// Which signals a thread takes. See pthread_sigmask(3).
package enum SignalMask {
    /// Those that tell of a fault of the thread itself: the process ends by them, blocked or not, but only an unblocked one
    /// reaches the program's handler.
    private static let faults = [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT]

    /// Has the calling thread, and those that it starts later, take no part in the program's signals: their handlers run on
    /// the program's own threads, no system call is interrupted here, and writing to a broken pipe is an error and nothing
    /// else, whatever the program does about SIGPIPE.
    package static func leaveToOtherThreads() {
        var mask = sigset_t()
        unsafe sigfillset(&mask)
        for signal in faults { unsafe sigdelset(&mask, signal) }
        _ = unsafe pthread_sigmask(SIG_SETMASK, &mask, nil)
    }
}
