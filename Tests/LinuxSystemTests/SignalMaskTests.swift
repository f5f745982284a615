import Glibc
import LinuxSystem
import Synchronization
import SystemPackage
import Testing

struct SignalMaskTests {
    @Test("On a worker, writing to a broken pipe is an error and no more")
    func brokenPipe() throws {
        let error = Mutex<(any Error)?>(nil)
        let thread = try WorkerThread.start(name: "apart") {
            guard let pipe = try? Pipe() else { return }
            let writing: Descriptor
            do { writing = (consume pipe).writing }
            do { _ = try writing.fileDescriptor.writeAll([1]) } catch let thrown { error.withLock { $0 = thrown } }
        }
        thread.join()
        #expect(error.withLock { $0 } as? Errno == .brokenPipe)
    }

    @Test("A worker takes no signals, nor does one that it starts")
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

    @Test("Faults of the thread itself are not blocked")
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
