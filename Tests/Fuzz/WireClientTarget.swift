import Glibc
import LinuxSystem
import PasteboardWire
import SystemPackage

/// The bytes are what a bridge that lies sends, in a few pieces, with descriptors that nobody asked for; then it closes.
/// The first byte says how many.
func checkClient(_ bytes: [UInt8]) throws(BrokenInvariant) {
    guard let first = bytes.first else { return }
    let lie = Lie(bytes: Array(bytes.dropFirst()), descriptors: Int(first) % 80, pieces: Int(first) / 80 + 1)
    do {
        try checkConnection(lie)
        try checkChannel(lie)
    } catch let error as BrokenInvariant {
        throw error
    } catch {
        throw BrokenInvariant(description: "a socket can be had: \(error)")
    }
}

private struct Lie {
    let bytes: [UInt8]
    let descriptors: Int
    let pieces: Int

    /// A socket with the lie in it, of which the other end is closed or shut, and the end of a pipe that tells when all
    /// that was passed is closed.
    func told() throws -> (client: Descriptor, service: Descriptor, reading: Descriptor) {
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

private func checkConnection(_ lie: Lie) throws {
    let reading: Descriptor
    do {
        let (client, service, end) = try lie.told()
        reading = end
        let connection = ClientConnection(socket: client)
        // It never waits: the lie has its end.
        do {
            let (_, descriptors) = try connection.call(
                Methods.Get.self, .init(pasteboard: "general"), silence: .seconds(60))
            try expect(descriptors.count <= WireLimits().descriptorsPerMessage, "a reply has a few descriptors")
            try connection.stream(
                Methods.Fetch.self, .init(pasteboard: "general"), deadline: { _ in .now + .seconds(60) }
            ) { _, descriptors in
                try expect(descriptors.count <= WireLimits().descriptorsPerMessage, "a reply has a few descriptors")
                return true
            }
        } catch let error as BrokenInvariant {
            throw error
        } catch let fault as ClientFault {
            try expect(fault != .timedOut, "a closed connection is not waited for")
        } catch {
            try expect(error is BridgeError || error is VarlinkError, "an error is one of the wire: \(error)")
        }
        withExtendedLifetime(service) {}
    }
    try expectClosed(reading)
}

private func checkChannel(_ lie: Lie) throws {
    let reading: Descriptor
    do {
        let (client, service, end) = try lie.told()
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
        try expect(replies <= lie.bytes.count { $0 == 0 }, "each reply has an end")
        withExtendedLifetime(service) {}
    }
    try expectClosed(reading)
}

private func expectClosed(_ reading: Descriptor) throws {
    let end = try reading.fileDescriptor.readBytes(atMost: 1)
    try expect(end.isEmpty, "descriptors that a bridge passed are closed")
}
