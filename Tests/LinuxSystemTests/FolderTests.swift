import Foundation
import LinuxSystem
import Synchronization
import SystemPackage
import Testing

struct FolderTests {
    @Test("All names in a folder are returned, up to the maximum length")
    func names() throws {
        let folder = try TemporaryFolder()
        let longest = String(repeating: "é", count: 127) + "x"
        for name in ["a", ".hidden", longest] { _ = try folder.make(name) }
        #expect(try Set(Folder.names(in: folder.path)) == ["a", ".hidden", longest])
        #expect(throws: Errno.noSuchFileOrDirectory) { try Folder.names(in: folder.file("none")) }
    }

    @Test("Locking a folder waits until the current lock is released")
    func locks() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("words")
        _ = try folder.make("words")
        var lock: Descriptor? = try Folder.lock(FilePath(folder.path))
        try #require(lock != nil)
        let path = folder.path
        let waiting = try WorkerThread.start(name: "waiting") {
            guard let lock = try? Folder.lock(FilePath(path)) else { return }
            append("second", to: file)
            withExtendedLifetime(lock) {}
        }
        append("first ", to: file)
        lock = nil
        waiting.join()
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "first second")
        #expect(throws: Errno.noSuchFileOrDirectory) { try Folder.lock(FilePath(folder.file("none"))) }
    }

    @Test(
        "The containing folder is the same as FilePath's",
        arguments: ["/", "/a", "/a/b", "/a/b/", "/a//b//", "/a/../b", "/a/.", "/ä/ö ü/c", "/a/b/c.d"])
    func containing(path: String) {
        #expect(Folder.containing(path) == FilePath(path).removingLastComponent().string)
    }

    @Test("A private folder is accessible to its owner only, and creating it again throws an error")
    func makes() throws {
        let folder = try TemporaryFolder()
        try Folder.makePrivate(folder.file("new"))
        let status = try Stat(FilePath(folder.file("new")))
        #expect(status.permissions == [.ownerReadWriteExecute])
        #expect(throws: Errno.fileExists) { try Folder.makePrivate(folder.file("new")) }
    }

    @Test("Write access and free space of a folder are reported")
    func room() throws {
        let folder = try TemporaryFolder()
        try Folder.checkWritable(folder.path)
        let room = try Folder.room(in: folder.path)
        #expect(room.bytes > 0 && room.files ?? 1 > 0)
        #expect(throws: Errno.noSuchFileOrDirectory) { try Folder.checkWritable(folder.file("none")) }
        #expect(throws: Errno.noSuchFileOrDirectory) { try Folder.room(in: folder.file("none")) }
    }
}

private func append(_ text: String, to path: String) {
    guard let file = try? FileDescriptor.open(FilePath(path), .writeOnly, options: .append) else { return }
    _ = try? file.closeAfter { try file.writeAll(text.utf8) }
}

struct FolderWatchTests {
    @Test("An existing entry is found at once")
    func present() throws {
        let folder = try TemporaryFolder()
        _ = try folder.make("a")
        #expect(try FolderWatch(folder: folder.path).waitForEntry(named: "a", until: .now))
    }

    @Test("A missing entry is reported at the deadline")
    func absent() throws {
        let folder = try TemporaryFolder()
        let watch = try FolderWatch(folder: folder.path)
        _ = try folder.make("b")
        #expect(try !watch.waitForEntry(named: "a", until: .now + .milliseconds(5)))
    }

    @Test("A socket is found when it appears, and already accepts connections")
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

    @Test("Watching a folder that does not exist throws an error")
    func missing() {
        #expect(throws: Errno.noSuchFileOrDirectory) { try FolderWatch(folder: "/nowhere") }
    }
}
