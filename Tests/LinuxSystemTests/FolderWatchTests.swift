import LinuxSystem
import Synchronization
import SystemPackage
import Testing

struct FolderWatchTests {
    @Test("What is there already is not waited for")
    func present() throws {
        let folder = try TemporaryFolder()
        _ = try folder.make("a")
        #expect(try FolderWatch(folder: folder.path).waitForEntry(named: "a", until: .now))
    }

    @Test("What does not come is not there at the deadline")
    func absent() throws {
        let folder = try TemporaryFolder()
        let watch = try FolderWatch(folder: folder.path)
        _ = try folder.make("b")
        #expect(try !watch.waitForEntry(named: "a", until: .now + .milliseconds(5)))
    }

    @Test("A socket is awaited, and listens once it is seen")
    func appears() throws {
        let folder = try TemporaryFolder()
        let watch = try FolderWatch(folder: folder.path)
        let path = folder.path
        let listener = Mutex<Descriptor?>(nil)
        let thread = try WorkerThread.start(name: "listener") {
            let made = try? UnixSocket.listen(at: "\(path)/a.sock")
            listener.withLock { $0 = made }
        }
        #expect(try watch.waitForEntry(named: "a.sock", until: nil))
        #expect(throws: Never.self) { try UnixSocket.connect(to: "\(path)/a.sock") }
        thread.join()
    }

    @Test("A folder that is not there cannot be watched")
    func missing() {
        #expect(throws: Errno.noSuchFileOrDirectory) { try FolderWatch(folder: "/nowhere") }
    }
}
