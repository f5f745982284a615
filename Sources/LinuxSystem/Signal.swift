import CLinux
import Glibc
package import SystemPackage

/// The signals a program of ours takes part in. See signal(7).
package enum Signal: Int32, Sendable, CaseIterable {
    /// The corresponding C constant is `SIGHUP`.
    case hangup = 1
    /// The corresponding C constant is `SIGINT`.
    case interrupt = 2
    /// The corresponding C constant is `SIGQUIT`.
    case quit = 3
    /// The corresponding C constant is `SIGKILL`.
    case kill = 9
    /// The corresponding C constant is `SIGPIPE`.
    case brokenPipe = 13
    /// The corresponding C constant is `SIGTERM`.
    case terminate = 15
    /// The corresponding C constant is `SIGCHLD`.
    case childEnded = 17
    /// A file, one in memory too, would grow beyond RLIMIT_FSIZE. The corresponding C constant is `SIGXFSZ`.
    case fileTooLarge = 25

    /// Has the whole process ignore a signal. An ignored signal stays so in programs it starts, except through
    /// ``ChildProcess``.
    package static func ignore(_ signal: Signal) {
        _ = Glibc.signal(signal.rawValue, SIG_IGN)
    }
}

/// Signals as something to read: a signalfd(2).
package final class SignalDescriptor {
    private let descriptor: Descriptor

    /// Blocks the signals in this thread, and so in all that it starts later: to be made before any other thread
    /// is, else a signal may still end the process through that one.
    package init(_ signals: [Signal]) throws(Errno) {
        var mask = sigset_t()
        unsafe sigemptyset(&mask)
        for signal in signals { unsafe sigaddset(&mask, signal.rawValue) }
        try checked(unsafe pthread_sigmask(SIG_BLOCK, &mask, nil))
        let flags = Int32(SFD_CLOEXEC) | Int32(SFD_NONBLOCK)
        descriptor = Descriptor(
            adopting: FileDescriptor(rawValue: try systemCall { unsafe signalfd(-1, &mask, flags) }))
    }

    package var fileDescriptor: FileDescriptor { descriptor.fileDescriptor }

    /// The next signal that has come, nil when there is none. The same signal sent twice may come once.
    package func next() -> Signal? { nextWithOrigin()?.signal }

    /// The same, and whether it was the kernel that sent it: an interrupt from the keyboard reaches every process in the
    /// foreground of the terminal.
    package func nextWithOrigin() -> (signal: Signal, isFromKernel: Bool)? {
        var information = signalfd_siginfo()
        let read = unsafe withUnsafeMutableBytes(of: &information) { buffer in
            unsafe (try? fileDescriptor.read(into: buffer)) ?? 0
        }
        guard read == MemoryLayout<signalfd_siginfo>.size else { return nil }
        return Signal(rawValue: Int32(information.ssi_signo)).map { ($0, information.ssi_code == SI_KERNEL) }
    }
}

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
