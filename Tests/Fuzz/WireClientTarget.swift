import Glibc
import LinuxSystem
import PasteboardWire
import SystemPackage

/// Checks the client against a faulty bridge that sends the bytes in a few pieces, with descriptors that no reply
/// names, and then closes the connection. The first byte selects the number of pieces and descriptors.
func checkClient(_ bytes: [UInt8]) throws(BrokenInvariant) {
    guard let first = bytes.first else { return }
    let bridge = FaultyBridge(
        bytes: Array(bytes.dropFirst()), descriptors: Int(first) % 80, pieces: Int(first) / 80 + 1)
    do {
        try checkConnection(to: bridge)
        try checkChannel(to: bridge)
    } catch let error as BrokenInvariant {
        throw error
    } catch {
        throw BrokenInvariant(description: "a socket can be created: \(error)")
    }
}

private struct FaultyBridge {
    let bytes: [UInt8]
    let descriptors: Int
    let pieces: Int

    /// Returns the sockets of both sides after all bytes have been sent and the bridge's side has been shut down, and
    /// the reading end of a pipe that ends when all passed descriptors are closed.
    func connect() throws -> (client: Descriptor, service: Descriptor, reading: Descriptor) {
        let (client, service) = try UnixSocket.pair()
        let pipe = try FileDescriptor.pipe(options: [.closeOnExec, .nonBlocking])
        let passed = Descriptor(adopting: pipe.writeEnd)
        let size = max(1, bytes.count / pieces)
        for start in stride(from: 0, to: bytes.count, by: size) {
            _ = try UnixSocket.send(
                bytes[start..<min(start + size, bytes.count)],
                descriptors: Array(repeating: passed, count: descriptors), to: service.fileDescriptor, waits: false)
        }
        shutdown(service.fileDescriptor.rawValue, Int32(SHUT_WR))
        return (client, service, Descriptor(adopting: pipe.readEnd))
    }
}

private func checkConnection(to bridge: FaultyBridge) throws {
    let reading: Descriptor
    do {
        let (client, service, end) = try bridge.connect()
        reading = end
        let connection = ClientConnection(socket: client)
        // The calls do not wait, because the connection is shut down.
        do {
            let (_, descriptors) = try connection.call(
                Methods.Get.self, .init(pasteboard: "general"), idleTimeout: .seconds(60))
            try expect(
                descriptors.count <= WireLimits().descriptorsPerMessage,
                "the number of descriptors of a reply is bounded")
            try connection.stream(
                Methods.Fetch.self, .init(pasteboard: "general"), deadline: { _ in .now + .seconds(60) }
            ) { _, descriptors in
                try expect(
                    descriptors.count <= WireLimits().descriptorsPerMessage,
                    "the number of descriptors of a reply is bounded")
                return true
            }
        } catch let error as BrokenInvariant {
            throw error
        } catch let fault as ClientFault {
            try expect(fault != .timedOut, "a call does not wait on a closed connection")
        } catch {
            try expect(error is BridgeError || error is VarlinkError, "an error belongs to the protocol: \(error)")
        }
        withExtendedLifetime(service) {}
    }
    try expectClosed(reading)
}

private func checkChannel(to bridge: FaultyBridge) throws {
    let reading: Descriptor
    do {
        let (client, service, end) = try bridge.connect()
        reading = end
        let channel = ClientChannel(socket: client)
        var replies = 0
        do throws(ClientFault) {
            while try channel.receive() {
                while let reply = try channel.nextReply() {
                    replies += 1
                    _ = reply.continues
                    _ = try? reply.decode(Methods.Fetch.self)
                    _ = try? reply.decode(Methods.Monitor.self)
                    _ = try? reply.decode(Methods.Status.self)
                }
            }
        } catch {}
        try expect(replies <= bridge.bytes.count { $0 == 0 }, "a NUL ends each reply")
        withExtendedLifetime(service) {}
    }
    try expectClosed(reading)
}

/// Checks that a pipe has ended, as it does once all passed copies of its writing end are closed.
func expectClosed(_ reading: Descriptor) throws {
    // A child of another test has a copy of each descriptor between its fork and its exec.
    var set = PollSet()
    set.append(reading.fileDescriptor, .input)
    _ = try set.wait(until: .now + .seconds(60))
    let end = try reading.fileDescriptor.readBytes(atMost: 1)
    try expect(end.isEmpty, "passed descriptors are closed")
}
