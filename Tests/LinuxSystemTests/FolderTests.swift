import Foundation
import LinuxSystem
import SystemPackage
import Testing

struct FolderTests {
    @Test("The names in a folder are given, whatever their length")
    func names() throws {
        let folder = try TemporaryFolder()
        let longest = String(repeating: "é", count: 127) + "x"
        for name in ["a", ".hidden", longest] { _ = try folder.make(name) }
        #expect(try Set(Folder.names(in: folder.path)) == ["a", ".hidden", longest])
        #expect(throws: Errno.noSuchFileOrDirectory) { try Folder.names(in: folder.file("none")) }
    }

    @Test("Who locks a folder waits for those who have")
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
        "The folder that something is in is the one that FilePath has",
        arguments: ["/", "/a", "/a/b", "/a/b/", "/a//b//", "/a/../b", "/a/.", "/ä/ö ü/c", "/a/b/c.d"])
    func containing(path: String) {
        #expect(Folder.containing(path) == FilePath(path).removingLastComponent().string)
    }

    @Test("A new folder is for its owner only, and one that is there is an error")
    func makes() throws {
        let folder = try TemporaryFolder()
        try Folder.makePrivate(folder.file("new"))
        let status = try Stat(FilePath(folder.file("new")))
        #expect(status.permissions == [.ownerReadWriteExecute])
        #expect(throws: Errno.fileExists) { try Folder.makePrivate(folder.file("new")) }
    }

    @Test("Whether files can be made in it is told, and how much they can hold")
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
