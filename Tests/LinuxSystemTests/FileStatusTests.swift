import Foundation
import LinuxSystem
import SystemPackage
import Testing

@Suite struct FileStatusTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func status(_ path: String, followsSymlink: Bool = false) throws -> FileStatus {
        try FileStatus(ofPath: Array(path.utf8), followsSymlink: followsSymlink)
    }

    @Test("Files, folders and links are distinguished, and a link from its target")
    func kinds() throws {
        let (file, link) = (folder.file("file"), folder.file("link"))
        try Data([1, 2, 3]).write(to: URL(filePath: file))
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path)
        #expect(try status(file).isRegular)
        #expect(try status(file).length == 3)
        #expect(try status(folder.path).isFolder)
        #expect(try status(link).isLink)
        #expect(try !status(link).isFolder)
        #expect(try status(link, followsSymlink: true).isFolder)
        #expect(try !status("/dev/null").isRegular)
    }

    @Test("Owner and permissions are the same by path and by descriptor")
    func owner() throws {
        let path = folder.file("file")
        try Data().write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o4750], ofItemAtPath: path)
        let found = try status(path)
        #expect(found.permissions == 0o4750)
        #expect(found.user == PeerCredentials.own.user)
        let file = try Descriptor.open(toRead: Array(path.utf8))
        #expect(try FileStatus(of: file.fileDescriptor) == found)
    }

    @Test("A file that does not exist throws an error")
    func missing() {
        #expect(throws: Errno.noSuchFileOrDirectory) { try status(folder.file("missing")) }
        #expect(throws: Errno.noSuchFileOrDirectory) { try Descriptor.open(toRead: Array(folder.file("x").utf8)) }
    }
}
