import CLinux
import Glibc
package import SystemPackage

/// The signals that this project's programs handle. See signal(7).
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
    /// Sent when a stopped process continues. The corresponding C constant is `SIGCONT`.
    case continued = 18
    /// Sent by Ctrl-Z on a terminal. The corresponding C constant is `SIGTSTP`.
    case terminalStop = 20
    /// Sent when a file, including one in memory, would exceed RLIMIT_FSIZE. The corresponding C constant is `SIGXFSZ`.
    case fileTooLarge = 25
    /// Sent when the size of the terminal has changed. The corresponding C constant is `SIGWINCH`.
    case windowChanged = 28

    /// Ignores a signal in the whole process. The signal stays ignored in started programs, except those started by
    /// ``ChildProcess``.
    package static func ignore(_ signal: Signal) {
        _ = Glibc.signal(signal.rawValue, SIG_IGN)
    }
}

extension sigset_t {
    init(of signals: [Signal]) {
        self.init()
        unsafe sigemptyset(&self)
        for signal in signals { unsafe sigaddset(&self, signal.rawValue) }
    }
}

/// A descriptor from which signals are read: a signalfd(2).
package final class SignalDescriptor {
    private let descriptor: Descriptor

    /// Blocks the signals in this thread and in all threads that it starts later. Create the descriptor before any
    /// other thread, or else a signal could still end the process through another thread.
    package init(_ signals: [Signal]) throws(Errno) {
        var mask = sigset_t(of: signals)
        try checked(unsafe pthread_sigmask(SIG_BLOCK, &mask, nil))
        let flags = Int32(SFD_CLOEXEC) | Int32(SFD_NONBLOCK)
        descriptor = Descriptor(
            adopting: FileDescriptor(rawValue: try systemCall { unsafe signalfd(-1, &mask, flags) }))
    }

    package var fileDescriptor: FileDescriptor { descriptor.fileDescriptor }

    /// Returns the next pending signal and its origin; nil if there is none. A signal sent twice may be reported once.
    /// The kernel is the origin of an interrupt from the keyboard, which reaches every process in the foreground of the
    /// terminal.
    package func nextWithOrigin() -> (signal: Signal, isFromKernel: Bool)? {
        var information = signalfd_siginfo()
        let read = unsafe withUnsafeMutableBytes(of: &information) { buffer in
            unsafe (try? fileDescriptor.read(into: buffer)) ?? 0
        }
        guard read == MemoryLayout<signalfd_siginfo>.size else { return nil }
        return Signal(rawValue: Int32(information.ssi_signo)).map { ($0, information.ssi_code == SI_KERNEL) }
    }
}

/// The set of signals that a thread handles. See pthread_sigmask(3).
package enum SignalMask {
    /// The signals that report a fault of the thread itself. They end the process even if they are blocked, but the
    /// program's handler runs only for unblocked signals.
    private static let faults = [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT]

    /// Blocks the program's signals in the calling thread and in threads that it starts later: handlers run only on the
    /// program's other threads, no system call of this thread is interrupted, and writing to a broken pipe only causes
    /// an error, whatever the program does about SIGPIPE.
    package static func leaveToOtherThreads() {
        var mask = sigset_t()
        unsafe sigfillset(&mask)
        for signal in faults { unsafe sigdelset(&mask, signal) }
        _ = unsafe pthread_sigmask(SIG_SETMASK, &mask, nil)
    }

    /// Runs `body`, which may write to a pipe without a reader. This causes an error but no SIGPIPE, whatever the
    /// program and this thread do about that signal.
    package static func suppressingBrokenPipe<Result>(_ body: () throws(Errno) -> Result) throws(Errno) -> Result {
        var mask = sigset_t(of: [.brokenPipe])
        var before = sigset_t()
        _ = unsafe pthread_sigmask(SIG_BLOCK, &mask, &before)
        if unsafe sigismember(&before, SIGPIPE) == 1 { return try body() }
        defer { _ = unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        do throws(Errno) {
            return try body()
        } catch {
            // The signal is pending in this thread, and is discarded before it can be handled.
            var none = timespec()
            if error == .brokenPipe { _ = unsafe sigtimedwait(&mask, nil, &none) }
            throw error
        }
    }

    /// Runs `body` with signals blocked in this thread. Signals that arrive during `body` are handled after it.
    package static func blocking<Result, Failure: Error>(
        _ signals: [Signal], _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var mask = sigset_t(of: signals)
        var before = sigset_t()
        _ = unsafe pthread_sigmask(SIG_BLOCK, &mask, &before)
        defer { _ = unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        return try body()
    }
}
