import Glibc
import LinuxSystem
import Synchronization
import SystemPackage
import Testing

struct SignalDescriptorTests {
    @Test("Signals are read, in place of ending the process")
    func reads() throws {
        let received = Mutex<[Signal?]>([])
        // A thread of its own, as the mask would stay with this one.
        let thread = try WorkerThread.start(name: "signals") {
            guard let signals = try? SignalDescriptor([.hangup, .terminate]) else { return }
            let before = signals.next()
            raise(Signal.terminate.rawValue)
            guard (try? waitReadable(signals.fileDescriptor, until: nil)) == true else { return }
            let first = signals.next()
            raise(Signal.hangup.rawValue)
            raise(Signal.hangup.rawValue)
            let rest = [signals.next(), signals.next()]
            received.withLock { $0 = [before, first] + rest }
        }
        thread.join()
        #expect(received.withLock { $0 } == [nil, .terminate, .hangup, nil])
    }

    @Test("A signal that a process sent is not of the kernel")
    func origin() throws {
        let fromKernel = Mutex<[Bool?]>([])
        let thread = try WorkerThread.start(name: "signals") {
            guard let signals = try? SignalDescriptor([.interrupt]) else { return }
            raise(Signal.interrupt.rawValue)
            let sent = signals.nextWithOrigin()
            fromKernel.withLock { $0 = [sent?.isFromKernel] }
        }
        thread.join()
        #expect(fromKernel.withLock { $0 } == [false])
    }

    @Test("The numbers are those of the C library")
    func numbers() {
        #expect(
            Signal.allCases.map(\.rawValue) == [SIGHUP, SIGINT, SIGQUIT, SIGKILL, SIGPIPE, SIGTERM, SIGCHLD, SIGXFSZ])
    }

    @Test("With SIGPIPE ignored, writing to a closed pipe is an error and no more")
    func ignores() throws {
        Signal.ignore(.brokenPipe)
        let writing: Descriptor
        do { writing = try Pipe().writing }
        #expect(throws: Errno.brokenPipe) { try writing.fileDescriptor.writeAll([1]) }
    }
}
