import LinuxSystem
import PasteboardWire
import SystemPackage
import Testing

struct ClientChannelTests {
    private static func call() throws -> EncodedCall {
        try EncodedCall(Methods.Count.self, .init(pasteboard: "general"))
    }

    private static func reply(_ count: Int) -> [UInt8] {
        Array("{\"parameters\":{\"count\":\(count)}}\0".utf8)
    }

    /// The service's end of the connection.
    private final class End {
        var socket: Descriptor?

        init(_ socket: Descriptor) { self.socket = socket }

        func send(_ bytes: [UInt8], _ descriptors: [Descriptor] = []) throws {
            let socket = try #require(socket)
            _ = try UnixSocket.send(bytes[...], descriptors: descriptors, to: socket.fileDescriptor, waits: true)
        }

        /// Closes this end, and waits until the channel's end is hung up.
        func close(for channel: ClientChannel) throws {
            socket = nil
            try awaitHangup(channel.fileDescriptor)
        }
    }

    private static func connected() throws -> (ClientChannel, End) {
        let (mine, other) = try UnixSocket.pair()
        return (ClientChannel(socket: mine), End(other))
    }

    @Test("Replies are returned one by one, however they were split")
    func replies() throws {
        let (channel, other) = try Self.connected()
        #expect(try !channel.receive())
        try other.send(Self.reply(1) + Self.reply(2).dropLast(5))
        #expect(try channel.receive())
        #expect(try channel.nextReply()?.decode(Methods.Count.self).count == 1)
        #expect(try channel.nextReply() == nil)
        try other.send(Array(Self.reply(2).suffix(5)))
        #expect(try channel.receive())
        #expect(try channel.nextReply()?.decode(Methods.Count.self).count == 2)
    }

    @Test("A call that was not read is reported as undelivered")
    func undelivered() throws {
        let (channel, other) = try Self.connected()
        channel.append(try Self.call())
        try channel.flush()
        #expect(!channel.hasUnsent)
        try other.close(for: channel)
        #expect(throws: ClientFault.closed) { try channel.receive() }
        #expect(channel.isUndelivered)
    }

    @Test("A call that was read before the end is not reported as undelivered")
    func delivered() throws {
        let (channel, other) = try Self.connected()
        channel.append(try Self.call())
        try channel.flush()
        _ = try UnixSocket.receive(from: try #require(other.socket).fileDescriptor, waits: true)
        try other.close(for: channel)
        #expect(throws: ClientFault.closed) { try channel.receive() }
        #expect(!channel.isUndelivered)
    }

    @Test("A call to a closed connection is reported as undelivered")
    func nobody() throws {
        let (channel, other) = try Self.connected()
        try other.close(for: channel)
        channel.append(try Self.call())
        #expect(throws: ClientFault.closed) { try channel.flush() }
        #expect(channel.isUndelivered)
    }

    @Test("A client that is rejected before it sends its call receives the reason")
    func rejected() throws {
        let (channel, other) = try Self.connected()
        try ServerConnection(socket: try #require(other.socket)).reject(BridgeError(.refused, "enough"))
        try other.close(for: channel)
        channel.append(try Self.call())
        try channel.flush()
        #expect(channel.isUndelivered && !channel.hasUnsent)
        #expect(try channel.receive())
        let reply = try #require(try channel.nextReply())
        #expect(throws: BridgeError(.refused, "enough")) { try reply.decode(Methods.Count.self) }
        #expect(throws: ClientFault.closed) { try channel.receive() }
    }

    @Test("Descriptors belong to the reply that names them, and unnamed descriptors end the connection")
    func descriptors() throws {
        let (channel, other) = try Self.connected()
        let file = try MemoryFile.containing([1, 2, 3])
        let named = Array(
            "{\"parameters\":{\"count\":1,\"found\":[{\"item\":0,\"bytes\":{\"descriptor\":0,\"offset\":0,\"length\":3}}]}}\0"
                .utf8)
        try other.send(named, [file.descriptor])
        #expect(try channel.receive())
        let reply = try #require(try channel.nextReply())
        #expect(reply.descriptors.count == 1 && !reply.continues)
        #expect(try reply.decode(Methods.Fetch.self).found.first?.bytes?.length == 3)
        try other.send(Self.reply(1), [file.descriptor])
        #expect(try channel.receive())
        #expect(throws: ClientFault.self) { try channel.nextReply() }
    }
}
