import Foundation
import Glibc
import LinuxSystem
import Synchronization
import SystemPackage
import TestSupport
import Testing

struct FileLockTests {
    @Test("Only one process gets the lock, and other processes can see which process it is")
    func excludes() throws {
        let folder = try TemporaryFolder()
        let first = try FileLock.open(folder.file("lock"))
        let second = try FileLock.open(folder.file("lock"))
        #expect(first.holder() == nil)
        #expect(try first.tryLock())
        #expect(try !second.tryLock())
        #expect(second.holder() == getpid())
    }

    @Test("The lock is free again after its holder releases it")
    func releases() throws {
        let folder = try TemporaryFolder()
        do {
            let first = try FileLock.open(folder.file("lock"))
            #expect(try first.tryLock())
        }
        #expect(try FileLock.open(folder.file("lock")).tryLock())
    }

    /// This runs in a separate process, because the descriptor is found among all descriptors of the process.
    @Test("The lock is released even while a child that has not called exec yet has the file open")
    func releasesBesideACopy() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let path = folder.file("lock")
            let copy: Descriptor
            do {
                let first = try FileLock.open(path)
                #expect(try first.tryLock())
                let number = try #require(ProcessTable.descriptors(of: getpid()).first { $0.value == path }?.key)
                // fork(2) leaves such a copy in the child.
                copy = Descriptor(adopting: try FileDescriptor(rawValue: number).duplicate())
                withExtendedLifetime(first) {}
            }
            #expect(try FileLock.open(path).tryLock())
            withExtendedLifetime(copy) {}
        }
    }

    @Test("The id of the previous holder is overwritten completely, even if it was longer")
    func replacesHolder() throws {
        let folder = try TemporaryFolder()
        _ = try folder.make("lock", Array("99999999999999999999\n".utf8))
        let lock = try FileLock.open(folder.file("lock"))
        #expect(lock.holder() == nil)
        #expect(try lock.tryLock())
        #expect(lock.holder() == getpid())
    }

    @Test("A symbolic link at the lock file's path is not followed")
    func refusesLink() throws {
        let folder = try TemporaryFolder()
        try #require(unsafe symlink(folder.file("target"), folder.file("lock")) == 0)
        #expect(throws: Errno.tooManySymbolicLinkLevels) { try FileLock.open(folder.file("lock")) }
    }

    @Test("Waiting for a release returns true after the release, and false after the deadline")
    func release() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("lock")
        var lock: FileLock? = try FileLock.open(path)
        #expect(try lock?.tryLock() == true)
        #expect(try !FileLock.awaitRelease(of: path, until: .now + .milliseconds(50)))
        let isReleased = Mutex(false)
        let waiting = try WorkerThread.start(name: "waiting") {
            let isInTime = (try? FileLock.awaitRelease(of: path, until: .now + .seconds(3_600))) ?? false
            isReleased.withLock { $0 = isInTime }
        }
        lock = nil
        waiting.join()
        #expect(isReleased.withLock { $0 })
    }
}
