import Glibc
import LinuxSystem
import PasteboardWire
import SystemPackage

/// Checks the service, with the bytes as a script of a client's actions and of the service's actions for the client's
/// calls.
func checkServer(_ bytes: [UInt8]) throws(BrokenInvariant) {
    do {
        var script = try ServerScript(bytes)
        try script.run()
        try script.close()
    } catch let error as BrokenInvariant {
        throw error
    } catch {
        throw BrokenInvariant(description: "a socket can be created: \(error)")
    }
}

private struct ServerScript {
    private static let limits = {
        var limits = WireLimits()
        limits.messageBytes = 4_096
        limits.descriptorsPerMessage = 8
        limits.unsentBytes = 1 << 20
        limits.watchQueueBytes = 2_048
        return limits
    }()

    private static let file = try? MemoryFile.containing([UInt8](repeating: UInt8(ascii: "y"), count: 5_200))

    private var rest: ArraySlice<UInt8>
    private var client: Descriptor?
    private var server: ServerConnection?
    /// The reading end of a pipe. The client passes the writing end, so the pipe ends when all passed descriptors are
    /// closed.
    private let reading: Descriptor
    private var passed: Descriptor?
    /// The call that is not completely answered yet.
    private var call: IncomingCall?
    /// The raw bytes of the current call, if it is an upload.
    private var upload: Upload?
    private var hasEnded = false
    /// True after the client has stopped reading.
    private var hasStoppedReading = false
    /// The number of calls that require a reply.
    private var requiredReplies = 0
    private var received: [UInt8] = []
    private var hasFault = false
    /// True if the connection may answer calls itself, without passing them to the service.
    private let mayUpgrade: Bool

    init(_ bytes: [UInt8]) throws {
        rest = bytes[...]
        mayUpgrade = bytes.firstRange(of: Array("upgrade".utf8)) != nil
        let (near, far) = try UnixSocket.pair()
        client = near
        server = try ServerConnection(socket: far, limits: Self.limits)
        let pipe = try FileDescriptor.pipe(options: [.closeOnExec, .nonBlocking])
        reading = Descriptor(adopting: pipe.readEnd)
        passed = Descriptor(adopting: pipe.writeEnd)
    }

    private mutating func next() -> Int { Int(rest.popFirst() ?? 0) }

    mutating func run() throws {
        while !rest.isEmpty, !hasFault {
            do {
                try step()
            } catch is WireFault {
                hasFault = true
            }
            guard let server else { return }
            try expect(upload?.isSound != false, "an upload has exactly its bytes")
            let room = Self.limits.messageBytes + 65_536
            try expect(server.unsent <= Self.limits.unsentBytes + room, "the amount of unsent bytes is bounded")
        }
    }

    private mutating func step() throws {
        switch next() % 8 {
        case 0: try send(descriptors: 0)
        case 1: try send(descriptors: next() % 12)
        case 2: try server?.receive()
        case 3: try receiveCall()
        case 4: answer()
        case 5: try server?.flush()
        case 6: try read()
        default: hangUp(next())
        }
    }

    /// Sends the next bytes of the script: a part of a message, or several messages. They end at a byte 0xFF, which
    /// JSON cannot contain.
    private mutating func send(descriptors count: Int) throws {
        let text = rest.prefix { $0 != 0xFF }
        rest = rest.dropFirst(text.count + 1)
        guard let client, let passed, !text.isEmpty, !hasEnded else { return }
        let descriptors = Array(repeating: passed, count: count)
        do throws(Errno) {
            _ = try UnixSocket.send(text, descriptors: descriptors, to: client.fileDescriptor, waits: false)
        } catch {
            try expect([.brokenPipe, .connectionReset].contains(error), "no other error is possible: \(error)")
        }
    }

    private mutating func receiveCall() throws {
        if upload?.isComplete == true { (call, upload) = (nil, nil) }
        guard let server, let next = try server.nextCall() else { return }
        try expect(call == nil, "a call is received after the previous one is answered")
        try expect(
            next.descriptors.count <= Self.limits.descriptorsPerMessage,
            "the number of descriptors of a call is bounded")
        call = next
        if !next.oneway { requiredReplies += 1 }
        decode(next)
        if next.isFollowedByBytes, let length = try? next.parameters(Methods.Upload.Parameters.self).length, length >= 0
        {
            let upload = Upload(length, limit: 2_000)
            server.receiveBytes(length, take: upload.append) { [unowned server] () throws(BridgeError) in
                upload.isComplete = true
                server.reply(Methods.Upload.Reply(handle: "1"))
            }
            self.upload = upload
        }
        if ServiceInterface.answer(next, on: server, version: "fuzz") { call = nil }
    }

    /// Answers the call in one of the possible ways, with a short or long reply.
    private mutating func answer() {
        guard let server, let call, upload?.isComplete != true else { return }
        let way = next()
        let reply = Methods.Read.Reply(data: String(repeating: "x", count: way % 3 * 2_100))
        upload = nil
        switch way % 5 {
        case 0 where call.isUpgrade && !call.isFollowedByBytes:
            if let file = Self.file { server.reply(reply, followedBy: file, 0..<way * 20) } else { server.reply(reply) }
            self.call = nil
        case 0:
            server.reply(reply)
            self.call = nil
        case 1 where call.more:
            if !server.report(reply, orFailWith: BridgeError(.tooSlow, "missed")) { self.call = nil }
        case 2 where call.more: server.reply(reply, continues: true)
        case 3:
            server.fail(VarlinkError.expectedMore)
            self.call = nil
        default:
            server.fail(BridgeError(.refused, "no"))
            self.call = nil
        }
    }

    private mutating func read() throws {
        guard let client else { return }
        while let received = try? UnixSocket.receive(from: client.fileDescriptor, waits: false), !received.bytes.isEmpty
        {
            self.received += received.bytes
        }
    }

    private mutating func hangUp(_ way: Int) {
        guard let client else { return }
        switch way % 3 {
        case 0:
            shutdown(client.fileDescriptor.rawValue, Int32(SHUT_WR))
            hasEnded = true
        case 1:
            shutdown(client.fileDescriptor.rawValue, Int32(SHUT_RD))
            hasStoppedReading = true
        default: self.client = nil
        }
    }

    /// Checks that each call got exactly one final reply.
    private mutating func checkReplies() throws {
        guard let server, client != nil, !hasStoppedReading, !hasFault else { return }
        if call != nil, upload?.isComplete != true { server.reply(NoParameters()) }
        do throws(WireFault) {
            repeat {
                try server.flush()
                try? read()
            } while server.hasUnsent
        } catch {
            return
        }
        try read()
        let ends = received.split(separator: 0).count { $0.firstRange(of: Array("\"continues\":true".utf8)) == nil }
        try expect(
            mayUpgrade ? ends >= requiredReplies : ends == requiredReplies,
            "each of \(requiredReplies) calls has one final reply, and there are \(ends)")
    }

    /// Closes everything, and checks that the pipe has ended.
    mutating func close() throws {
        try checkReplies()
        server = nil
        client = nil
        call = nil
        passed = nil
        try expectClosed(reading)
    }

    /// Decodes the parameters of a call as the parameters of each method.
    private func decode(_ call: IncomingCall) {
        func parameters<M: WireMethod>(_: M.Type) { _ = try? call.parameters(M.Parameters.self) }
        parameters(Methods.Get.self)
        parameters(Methods.Set.self)
        parameters(Methods.Fetch.self)
        parameters(Methods.Keep.self)
        parameters(Methods.Break.self)
        parameters(Methods.Clear.self)
        parameters(Methods.Describe.self)
        parameters(Methods.Monitor.self)
        parameters(Methods.Create.self)
        parameters(Methods.Persist.self)
        parameters(Methods.Undo.self)
        parameters(Methods.History.self)
        parameters(Methods.Restore.self)
        parameters(Methods.DeleteEntries.self)
        parameters(Methods.Pin.self)
        parameters(Methods.Read.self)
        parameters(Methods.Append.self)
        parameters(Methods.Download.self)
        parameters(Methods.Upload.self)
        parameters(Methods.Attach.self)
        parameters(Methods.Declare.self)
    }
}

/// The raw bytes of an upload.
private final class Upload {
    private let length: Int
    private let limit: Int
    private var count = 0
    var isComplete = false
    var isSound: Bool { isComplete ? count == length : count <= length }

    init(_ length: Int, limit: Int) {
        self.length = length
        self.limit = limit
    }

    func append(_ bytes: [UInt8]) throws(BridgeError) {
        count += bytes.count
        if count > limit { throw BridgeError(.refused, "too much") }
    }
}
