import Foundation
import Glibc
import LinuxSystem
import PasteboardWire
import SystemPackage
import Testing

/// A client that can send anything, and the server's end of its connection.
struct RawPeer {
    let socket: Descriptor
    let server: ServerConnection

    init(limits: WireLimits = WireLimits()) throws {
        let (near, far) = try UnixSocket.pair()
        socket = near
        server = try ServerConnection(socket: far, limits: limits)
    }

    /// Sends text, with a NUL for every `|`, and makes the server receive it.
    func send(_ text: String, _ descriptors: [Descriptor] = []) throws {
        try send(wire(text), descriptors)
    }

    func send(_ bytes: [UInt8], _ descriptors: [Descriptor] = []) throws {
        var rest = bytes[...]
        var descriptors = descriptors
        while !rest.isEmpty {
            let sent = try UnixSocket.send(
                rest, descriptors: descriptors, to: socket.fileDescriptor, waits: false)
            if sent > 0 { descriptors = [] }
            rest = rest.dropFirst(sent)
            try server.receive()
        }
        while server.wantsInput, try waitReadable(server.fileDescriptor, until: .now) { try server.receive() }
    }

    /// Returns the text that the server has sent, with a `|` for every NUL.
    func received() throws -> String {
        try server.flush()
        var bytes: [UInt8] = []
        while let received = try UnixSocket.receive(from: socket.fileDescriptor, waits: false),
            !received.bytes.isEmpty
        {
            bytes += received.bytes
        }
        return text(bytes)
    }

    /// Stops sending. The client can still read.
    func endSending() throws {
        if shutdown(socket.fileDescriptor.rawValue, Int32(SHUT_WR)) != 0 { throw Errno(rawValue: errno) }
    }

    /// Replies to calls of any method until there are no more, and returns the names of the methods.
    func answerAll() throws -> [String] {
        var methods: [String] = []
        while let call = try server.nextCall() {
            methods.append(call.method)
            server.reply(NoParameters())
        }
        return methods
    }
}

/// Waits until the other end of a socket is closed everywhere. A process that another test is starting has copies of
/// all descriptors until it runs its program.
func awaitHangup(_ end: FileDescriptor) throws {
    var set = PollSet()
    set.append(end, [])
    _ = try set.wait(until: nil)
}

func wire(_ text: String) -> [UInt8] {
    text.utf8.map { $0 == UInt8(ascii: "|") ? 0 : $0 }
}

func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.map { $0 == 0 ? UInt8(ascii: "|") : $0 }, as: UTF8.self)
}

/// Parses the JSON of messages, so that they can be compared regardless of the order of members.
func parsed(_ text: String) throws -> [NSDictionary] {
    try text.split(separator: "|").map { message in
        try #require(try JSONSerialization.jsonObject(with: Data(message.utf8)) as? NSDictionary)
    }
}

func expectMessages(
    _ found: String, _ expected: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    #expect(try parsed(found) == parsed(expected), sourceLocation: sourceLocation)
}

func memoryDescriptor(_ bytes: [UInt8]) throws -> Descriptor {
    try MemoryFile.containing(bytes).descriptor
}

/// A temporary folder, which is removed with its contents.
final class TemporaryFolder {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "xpb-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }
}

/// Makes a call over a connection, and returns the reply as the client receives it.
func reply(sentBy answer: (ServerConnection) -> Void) throws -> EncodedReply {
    let (near, far) = try UnixSocket.pair()
    let client = ClientChannel(socket: near)
    let server = try ServerConnection(socket: far)
    client.append(try EncodedCall(Methods.Count.self, .init(pasteboard: "general")))
    try client.flush()
    try server.receive()
    _ = try #require(try server.nextCall())
    answer(server)
    try server.flush()
    _ = try client.receive()
    return try #require(try client.nextReply())
}
