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

    @Test("A new folder is for its owner only, and one that is there is an error")
    func makes() throws {
        let folder = try TemporaryFolder()
        try Folder.makePrivate(folder.file("new"))
        let status = try Stat(FilePath(folder.file("new")))
        #expect(status.permissions == [.ownerReadWriteExecute])
        #expect(throws: Errno.fileExists) { try Folder.makePrivate(folder.file("new")) }
    }
}
