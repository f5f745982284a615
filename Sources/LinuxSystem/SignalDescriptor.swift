import CLinux
import Glibc
package import SystemPackage

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
