import Glibc
import LinuxSystem
import Synchronization
import SystemPackage
import Testing

struct SignalDescriptorTests {
    @Test("A signal is read from the descriptor instead of ending the process")
    func reads() throws {
        let received = Mutex<[Signal?]>([])
        // This uses a separate thread, because the signal mask would otherwise stay with the test's own thread.
        let thread = try WorkerThread.start(name: "signals") {
            guard let signals = try? SignalDescriptor([.hangup, .terminate]) else { return }
            let before = signals.nextWithOrigin()?.signal
            raise(Signal.terminate.rawValue)
            guard (try? waitReadable(signals.fileDescriptor, until: nil)) == true else { return }
            let first = signals.nextWithOrigin()?.signal
            raise(Signal.hangup.rawValue)
            raise(Signal.hangup.rawValue)
            let rest = [signals.nextWithOrigin()?.signal, signals.nextWithOrigin()?.signal]
            received.withLock { $0 = [before, first] + rest }
        }
        thread.join()
        #expect(received.withLock { $0 } == [nil, .terminate, .hangup, nil])
    }

    @Test("A signal sent by a process is not attributed to the kernel")
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

    @Test("The signal numbers equal the C library's numbers")
    func numbers() {
        #expect(
            Signal.allCases.map(\.rawValue) == [
                SIGHUP, SIGINT, SIGQUIT, SIGKILL, SIGPIPE, SIGTERM, SIGCHLD, SIGCONT, SIGTSTP, SIGXFSZ, SIGWINCH,
            ])
    }

    /// This runs in a separate process, because the disposition belongs to the whole process, and to the programs that
    /// it starts.
    @Test("With SIGPIPE ignored, writing to a closed pipe only throws an error")
    func ignores() async {
        await #expect(processExitsWith: .success) {
            Signal.ignore(.brokenPipe)
            let writing: Descriptor
            do { writing = try Pipe().writing }
            #expect(throws: Errno.brokenPipe) { try writing.fileDescriptor.writeAll([1]) }
        }
    }
}

struct SignalMaskTests {
    @Test("On a worker thread, writing to a broken pipe only throws an error")
    func brokenPipe() throws {
        let error = Mutex<(any Error)?>(nil)
        let thread = try WorkerThread.start(name: "apart") {
            guard let pipe = try? Pipe() else { return }
            let writing: Descriptor
            do { writing = (consume pipe).writing }
            try? awaitHangup(writing.fileDescriptor)
            do { _ = try writing.fileDescriptor.writeAll([1]) } catch let thrown { error.withLock { $0 = thrown } }
        }
        thread.join()
        #expect(error.withLock { $0 } as? Errno == .brokenPipe)
    }

    @Test("A worker thread, and a thread that it starts, block signals")
    func inherited() throws {
        let masks = Mutex<[Bool]>([])
        let thread = try WorkerThread.start(name: "apart") {
            let inner = try? WorkerThread.start(name: "inner") {
                let isBlocked = blocks(SIGTERM)
                masks.withLock { $0.append(isBlocked) }
            }
            inner?.join()
        }
        thread.join()
        #expect(masks.withLock { $0 } == [true])
    }

    @Test("Signals that report faults of the thread are not blocked")
    func faults() throws {
        let blocked = Mutex<[Int32]?>(nil)
        let thread = try WorkerThread.start(name: "apart") {
            let found = [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT].filter(blocks)
            blocked.withLock { $0 = found }
        }
        thread.join()
        #expect(blocked.withLock { $0 } == [])
    }
}

private func blocks(_ signal: Int32) -> Bool {
    var mask = sigset_t()
    _ = unsafe pthread_sigmask(SIG_BLOCK, nil, &mask)
    return unsafe sigismember(&mask, signal) == 1
}
