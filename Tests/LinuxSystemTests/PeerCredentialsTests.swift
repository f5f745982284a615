import LinuxSystem
import SystemPackage
import Testing

struct PeerCredentialsTests {
    @Test("The peer of a socket within a process is that process")
    func ownPeer() throws {
        let (near, far) = try UnixSocket.pair()
        #expect(try PeerCredentials.of(near.fileDescriptor) == .own)
        withExtendedLifetime(far) {}
    }

    @Test("A pipe has no peer")
    func noPeer() throws {
        let pipe = try Pipe()
        #expect(throws: Errno.notSocket) { try PeerCredentials.of(pipe.reading.fileDescriptor) }
    }
}
