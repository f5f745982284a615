import Foundation
import Glibc
import LinuxSystem
import SystemPackage
import Testing

struct TCPSocketTests {
    /// A socket on a port of the loopback interface, which accepts no connection.
    private final class Listener {
        let descriptor: Descriptor
        let port: UInt16
        /// SOCK_STREAM, which Glibc's module lacks if another module declares it.
        private static let stream: Int32 = 1
        /// SOCK_CLOEXEC. Without this flag, the programs of other tests would inherit the socket.
        private static let closeOnExec: Int32 = 0o2000000

        /// - Parameter listens: False for a socket that only keeps others from using its port.
        init(listens: Bool = true) throws {
            descriptor = Descriptor(
                adopting: FileDescriptor(rawValue: socket(AF_INET, Self.stream | Self.closeOnExec, 0)))
            var name = sockaddr_in()
            name.sin_family = sa_family_t(AF_INET)
            name.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let number = descriptor.fileDescriptor.rawValue
            let isBound = unsafe withUnsafeMutablePointer(to: &name) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    unsafe bind(number, pointer, length) == 0 && (!listens || listen(number, 0) == 0)
                        && getsockname(number, pointer, &length) == 0
                }
            }
            try #require(isBound)
            port = UInt16(bigEndian: name.sin_port)
        }
    }

    private static let loopback = TCPSocket.Address.v4([127, 0, 0, 1])

    @Test("IP addresses are parsed, and names are not")
    func addresses() {
        #expect(TCPSocket.Address("127.0.0.1") == Self.loopback)
        let six = TCPSocket.Address.v6([UInt8](repeating: 0, count: 15) + [1])
        #expect(TCPSocket.Address("::1") == six && TCPSocket.Address("[::1]") == six)
        #expect(Self.loopback.isLoopback && six.isLoopback)
        #expect(TCPSocket.Address("192.0.2.1")?.isLoopback == false)
        for text in ["", "localhost", "127.0.0", "[127.0.0.1]", "127.0.0.1\0"] {
            #expect(TCPSocket.Address(text) == nil, "\(text)")
        }
    }

    @Test("A connection is made if a socket listens, and refused otherwise")
    func connects() throws {
        let (listener, other) = (try Listener(), try Listener(listens: false))
        _ = try TCPSocket.connect(to: Self.loopback, port: listener.port, timeout: .seconds(3_600))
        #expect(throws: Errno.connectionRefused) {
            try TCPSocket.connect(to: Self.loopback, port: other.port, timeout: .seconds(3_600))
        }
        withExtendedLifetime((listener, other)) {}
    }

    @Test("Connecting to a host that does not answer fails after the timeout")
    func unresponsive() throws {
        let listener = try Listener()
        // The queue fills up, and the kernel then drops further connection requests.
        var connections: [Descriptor] = []
        let error = #expect(throws: Errno.self) {
            for _ in 0..<100 {
                connections.append(
                    try TCPSocket.connect(to: Self.loopback, port: listener.port, timeout: .milliseconds(300)))
            }
        }
        #expect(error?.isWouldBlock == true)
    }

    @Test("Host names are resolved, and each address is returned once")
    func names() throws {
        let environment = ["PATH": "/usr/bin:/bin"]
        let there = try #require(
            HostAddresses.of("localhost", environment: environment, until: .now + .seconds(3_600)))
        #expect(there.contains { $0.isLoopback } && Set(there.map(\.bytes)).count == there.count)
        #expect(HostAddresses.of("127.0.0.1", environment: [:], until: .now) == [Self.loopback])
        #expect(
            HostAddresses.of("no..such..name", environment: environment, until: .now + .seconds(3_600)) == [])
    }

    @Test("Resolving a host name fails after its timeout")
    func silentNames() async {
        // This runs in a separate process, because getent(1) is found through PATH.
        await #expect(processExitsWith: .success) {
            let folder = "\(NSTemporaryDirectory())/xpb-\(UUID().uuidString)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let program = "\(folder)/getent"
            try "#!/bin/sh\nexec sleep 1000\n".write(toFile: program, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
            let path = "\(folder):/usr/bin:/bin"
            guard unsafe setenv("PATH", path, 1) == 0 else { exit(2) }
            let found = HostAddresses.of("localhost", environment: ["PATH": path], until: .now + .milliseconds(50))
            if found != nil { exit(3) }
        }
    }
}
