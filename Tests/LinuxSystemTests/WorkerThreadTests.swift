import Glibc
import LinuxSystem
import Synchronization
import SystemPackage
import Testing

struct WorkerThreadTests {
    @Test("The work is done on another thread, which has the name given")
    func runs() throws {
        let found = Mutex<(thread: pthread_t, name: String)?>(nil)
        let thread = try WorkerThread.start(name: "a name that is too long") {
            let file = try? opened("/proc/thread-self/comm", .readOnly)
            let name = file.flatMap { try? readAll($0.fileDescriptor) }
            found.withLock { $0 = (pthread_self(), String(decoding: name ?? [], as: UTF8.self)) }
        }
        thread.join()
        thread.join()
        let result = try #require(found.withLock { $0 })
        #expect(result.thread != pthread_self())
        #expect(result.name == "a name that is \n")
    }

    @Test("What the work holds is let go of when it ends, joined or not")
    func releases() throws {
        let pipe = try Pipe()
        let reading = pipe.reading
        try start(holding: (consume pipe).writing)
        #expect(try readAll(reading.fileDescriptor) == [])
    }

    private func start(holding descriptor: Descriptor) throws {
        _ = try WorkerThread.start(name: "holder") { withExtendedLifetime(descriptor) {} }
    }
}
