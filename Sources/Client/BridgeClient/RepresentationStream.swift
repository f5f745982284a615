import LinuxSystem
import PasteboardWire
package import SystemPackage

/// The answer to a read: all bytes, or bytes that are still arriving.
package enum FetchedAnswer {
    case whole(FetchedRepresentation)
    case stream(RepresentationStream)
}

/// A representation of another program, which the bridge passes on while that program sends it.
package struct RepresentationStream {
    /// The change count.
    package let count: Int
    package let item: Int
    package let type: String
    private let socket: Descriptor
    private let client: BridgeClient

    /// The limit on the bytes of one read, which is more than a socket holds by default.
    private static let pieceLength = 1 << 18

    init(_ reply: Methods.Get.Reply, _ descriptors: [Descriptor], of client: BridgeClient) throws(BridgeClientError) {
        guard let index = reply.bytes.descriptor, descriptors.indices.contains(index),
            (try? descriptors[index].isSocket) == true
        else { throw .incomplete("the bridge sent no socket") }
        (count, item, type) = (reply.count, reply.item, reply.type)
        socket = descriptors[index]
        self.client = client
    }

    /// Writes the bytes to a file, pipe, socket or terminal as they arrive, and waits for the report that they are
    /// complete. Call this once.
    ///
    /// - Returns: The number of bytes.
    /// - Throws: ``BridgeClientError`` if the transfer breaks, after writing the received bytes; `Errno` if they cannot
    ///   be written.
    package func write(to destination: FileDescriptor) throws -> Int {
        var written = 0
        while true {
            try awaitBytes()
            let bytes = try socket.fileDescriptor.readBytes(atMost: Self.pieceLength)
            if bytes.isEmpty { break }
            try destination.writeBytes(bytes)
            written += bytes.count
        }
        guard try length() == written else {
            throw BridgeClientError.incomplete("the bridge sent fewer bytes than it said")
        }
        return written
    }

    /// Waits for bytes or the end. The bridge gives up on an owner that sends nothing, so only a bridge that does not
    /// answer ends the wait.
    private func awaitBytes() throws {
        while try !waitReadable(socket.fileDescriptor, until: .now + client.timeout + BridgeClient.grace) {
            guard client.isBridgeAlive() else {
                throw BridgeClientError.incomplete("the bridge does not answer")
            }
        }
    }

    private func length() throws(BridgeClientError) -> Int {
        do {
            return try client.reply(to: Methods.Get.self, isLong: true).reply.bytes.length
        } catch  where error.code == .unavailable {
            throw .incomplete("the bridge ended in the middle of the transfer")
        }
    }
}

extension BridgeClientError {
    fileprivate static func incomplete(_ message: String) -> BridgeClientError {
        BridgeClientError(code: .transferBroken, message: "\(message); try again")
    }
}
