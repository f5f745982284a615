import Glibc
import LinuxSystem
import SystemPackage
import Testing

struct UnixSocketTests {
    @Test("A client connects, and both ends are private to the process")
    func connects() throws {
        let folder = try TemporaryFolder()
        let listener = try UnixSocket.listen(at: folder.file("a.sock"))
        #expect(try UnixSocket.accept(listener.fileDescriptor) == nil)
        let client = try UnixSocket.connect(to: folder.file("a.sock"))
        let server = try #require(try UnixSocket.accept(listener.fileDescriptor))
        for descriptor in [listener, client, server] {
            #expect(fcntl(descriptor.fileDescriptor.rawValue, F_GETFD) == FD_CLOEXEC)
        }
        #expect(fcntl(listener.fileDescriptor.rawValue, F_GETFL) & O_NONBLOCK != 0)
        #expect(fcntl(server.fileDescriptor.rawValue, F_GETFL) & O_NONBLOCK != 0)
        #expect(fcntl(client.fileDescriptor.rawValue, F_GETFL) & O_NONBLOCK == 0)
    }

    @Test("A socket that a dead listener left is replaced, and nothing else stays in the folder")
    func replaces() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.sock")
        do { _ = try UnixSocket.listen(at: path) }
        #expect(throws: Errno.connectionRefused) { try UnixSocket.connect(to: path) }
        let listener = try UnixSocket.listen(at: path)
        _ = try UnixSocket.connect(to: path)
        #expect(try UnixSocket.accept(listener.fileDescriptor) != nil)
        #expect(try Folder.names(in: folder.path) == ["a.sock"])
    }

    @Test("Where there is no socket, connecting says so")
    func nobody() throws {
        let folder = try TemporaryFolder()
        #expect(throws: Errno.noSuchFileOrDirectory) { try UnixSocket.connect(to: folder.file("none")) }
    }

    @Test("A path of 107 bytes is used, one of 108 is an error that says so")
    func longPath() throws {
        let folder = try TemporaryFolder()
        let longest = folder.file(String(repeating: "x", count: 107 - folder.path.utf8.count - 1))
        let listener = try UnixSocket.listen(at: longest)
        #expect(throws: Never.self) { try UnixSocket.connect(to: longest) }
        let error = #expect(throws: UnixSocketError.pathTooLong(longest + "x")) {
            try UnixSocket.listen(at: longest + "x")
        }
        #expect(error?.description.contains("107 bytes") == true)
        #expect(throws: Errno.fileNameTooLong) { try UnixSocket.connect(to: longest + "x") }
        withExtendedLifetime(listener) {}
    }

    @Test("A path that would name a socket outside the file system is refused", arguments: ["", "\0abstract"])
    func abstract(path: String) {
        #expect(throws: Errno.invalidArgument) { try UnixSocket.connect(to: path) }
    }

    @Test("A listener that accepts nobody keeps a client for its patience only")
    func patience() throws {
        let folder = try TemporaryFolder()
        let listener = try UnixSocket.listen(at: folder.file("a.sock"), backlog: 0)
        var clients: [Descriptor] = []
        #expect(throws: Errno.wouldBlock) {
            while true {
                clients.append(
                    try UnixSocket.connect(to: folder.file("a.sock"), patience: .milliseconds(20)))
            }
        }
        withExtendedLifetime(listener) {}
    }
}
