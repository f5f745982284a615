import Glibc
import LinuxSystem
import SystemPackage
import TestSupport
import Testing

@Suite struct TerminalDeviceTests {
    private func open(_ terminal: PseudoTerminal) throws -> Descriptor {
        // The terminal must not become the controlling terminal of the tests, whose process may be the leader of a
        // session without a terminal.
        let options: FileDescriptor.OpenOptions = [.closeOnExec, .init(rawValue: O_NOCTTY)]
        let file = try FileDescriptor.open(FilePath(terminal.path), .readWrite, options: options)
        return Descriptor(adopting: file)
    }

    @Test("A terminal has a size, and other files have no size")
    func size() throws {
        let terminal = try PseudoTerminal(columns: 97, rows: 31)
        let device = TerminalDevice(adopting: try open(terminal))
        #expect(device.size == TerminalSize(columns: 97, rows: 31, width: 970, height: 620))
        terminal.resize(columns: 20, rows: 5)
        #expect(device.size?.columns == 20)
        let null = Descriptor(adopting: try FileDescriptor.open(FilePath("/dev/null"), .readOnly))
        #expect(TerminalDevice.size(of: null.fileDescriptor) == nil)
    }

    @Test("The mode is restored on request, and when the device is released")
    func mode() throws {
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        let file = try open(terminal)
        do {
            let device = TerminalDevice(adopting: file)
            try device.makeRaw(keepsSignals: true)
            try device.makeRaw(keepsSignals: false)
            #expect(!terminal.echoes)
            device.restore()
            #expect(terminal.echoes)
            device.restore()
            try device.makeRaw(keepsSignals: false)
            #expect(!terminal.echoes)
        }
        #expect(terminal.echoes)
    }

    @Test("A terminal that does not control this process is not in its foreground, and a file has no mode")
    func foreground() throws {
        let device = TerminalDevice(adopting: try open(try PseudoTerminal(columns: 80, rows: 24)))
        #expect(!device.isForeground)
        let null = Descriptor(adopting: try FileDescriptor.open(FilePath("/dev/null"), .readOnly))
        #expect(throws: Errno.self) { try TerminalDevice(adopting: null).makeRaw(keepsSignals: false) }
    }
}

@Suite struct SignalBlockingTests {
    @Test("A signal that arrives while it is blocked is handled once it is unblocked")
    func blocking() throws {
        // The threads of the tests block signals.
        var windowChanged = sigset_t()
        var former = sigset_t()
        unsafe sigemptyset(&windowChanged)
        unsafe sigaddset(&windowChanged, SIGWINCH)
        _ = unsafe pthread_sigmask(SIG_UNBLOCK, &windowChanged, &former)
        defer { _ = unsafe pthread_sigmask(SIG_SETMASK, &former, nil) }
        // This signal is ignored by default, so it does not end the process.
        let pending = SignalMask.blocking([.windowChanged]) {
            raise(SIGWINCH)
            return Self.isPending(SIGWINCH)
        }
        #expect(pending && !Self.isPending(SIGWINCH))
    }

    private static func isPending(_ signal: Int32) -> Bool {
        var set = sigset_t()
        unsafe sigpending(&set)
        return unsafe sigismember(&set, signal) == 1
    }
}
