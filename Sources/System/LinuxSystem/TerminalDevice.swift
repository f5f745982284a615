import CLinux
import Glibc
package import SystemPackage

/// The size of a terminal, in characters and, if the terminal reports them, in pixels (0 if not).
package struct TerminalSize: Equatable, Sendable {
    package let columns: Int
    package let rows: Int
    package let width: Int
    package let height: Int

    package init(columns: Int, rows: Int, width: Int = 0, height: Int = 0) {
        self.columns = columns
        self.rows = rows
        self.width = width
        self.height = height
    }
}

/// A terminal whose mode can be changed and restored. See termios(3) and tty(4).
package final class TerminalDevice {
    private let descriptor: Descriptor
    /// The mode before the first change; nil while the mode is unchanged.
    private var original: termios?

    /// Takes over a descriptor of a terminal.
    package init(adopting descriptor: Descriptor) {
        self.descriptor = descriptor
    }

    deinit { restore() }

    /// Opens the controlling terminal of this process, wherever its standard input and output lead.
    ///
    /// - Throws: `noSuchAddressOrDevice` if the process has no controlling terminal.
    package static func controlling() throws(Errno) -> TerminalDevice {
        TerminalDevice(adopting: try Descriptor.open(FilePath("/dev/tty"), .readWrite))
    }

    package var fileDescriptor: FileDescriptor { descriptor.fileDescriptor }

    /// True if this process has a controlling terminal.
    package static var exists: Bool { (try? controlling()) != nil }

    /// The size; nil if the terminal has none, such as a serial line. See ioctl_tty(2), TIOCGWINSZ.
    package var size: TerminalSize? { Self.size(of: fileDescriptor) }

    /// Returns the size of a terminal; nil if the descriptor is not a terminal, or the terminal has no width. The
    /// number of rows may still be 0.
    package static func size(of fileDescriptor: FileDescriptor) -> TerminalSize? {
        var size = winsize()
        guard unsafe ioctl(fileDescriptor.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return TerminalSize(
            columns: Int(size.ws_col), rows: Int(size.ws_row), width: Int(size.ws_xpixel), height: Int(size.ws_ypixel))
    }

    /// True if this process belongs to the job in the foreground. A process in the background that changes the mode is
    /// stopped by SIGTTOU.
    package var isForeground: Bool { Self.isForeground(on: fileDescriptor) }

    /// Returns true if a descriptor is the controlling terminal of this process, and the process belongs to the job in
    /// the foreground. See tcgetpgrp(3).
    package static func isForeground(on fileDescriptor: FileDescriptor) -> Bool {
        tcgetpgrp(fileDescriptor.rawValue) == getpgrp()
    }

    /// True if this process is a job of a shell that reads commands from the terminal, so that the terminal stays after
    /// its end. Such a shell gives each job a process group of its own.
    package static var isOfInteractiveShell: Bool { getsid(0) != getpgrp() }

    /// Makes the terminal pass each byte at once, unchanged and without an echo.
    ///
    /// - Parameter keepsSignals: If true, keys such as Ctrl-C send their signal; otherwise they are ordinary bytes.
    package func makeRaw(keepsSignals: Bool) throws(Errno) {
        var mode = termios()
        try systemCall { unsafe tcgetattr(fileDescriptor.rawValue, &mode) }
        if original == nil { original = mode }
        unsafe cfmakeraw(&mode)
        if keepsSignals { mode.c_lflag |= tcflag_t(ISIG) }
        try systemCall { unsafe tcsetattr(fileDescriptor.rawValue, TCSADRAIN, &mode) }
    }

    /// Restores the mode that the terminal had before the first change.
    ///
    /// - Parameter discardsInput: If true, discards bytes that have arrived but were not read.
    package func restore(discardsInput: Bool = false) {
        guard var mode = original else { return }
        // This fails only for a terminal that is gone.
        _ = unsafe tcsetattr(fileDescriptor.rawValue, discardsInput ? TCSAFLUSH : TCSADRAIN, &mode)
        original = nil
    }
}

/// Job control for a program that handles SIGTSTP itself. See signal(7).
package enum JobControl {
    /// Stops this process until it is continued, as SIGTSTP does by default: a process that no shell could continue is
    /// not stopped.
    ///
    /// - Parameter wholeJob: If true, also stops the other processes of a pipeline, as the terminal does for Ctrl-Z.
    package static func stop(wholeJob: Bool) {
        var mask = sigset_t(of: [.terminalStop])
        var before = sigset_t()
        _ = unsafe pthread_sigmask(SIG_UNBLOCK, &mask, &before)
        _ = Glibc.kill(wholeJob ? 0 : getpid(), SIGTSTP)
        _ = unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    }
}
