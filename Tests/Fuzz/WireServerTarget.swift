import Glibc
import LinuxSystem
import PasteboardWire
import SystemPackage

/// The bytes are a script: what a client does and what the service does with its calls, one after the other.
func checkServer(_ bytes: [UInt8]) throws(BrokenInvariant) {
    do {
        var script = try ServerScript(bytes)
        try script.run()
        try script.close()
    } catch let error as BrokenInvariant {
        throw error
    } catch {
        throw BrokenInvariant(description: "a socket can be had: \(error)")
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

    private var rest: ArraySlice<UInt8>
    private var client: Descriptor?
    private var server: ServerConnection?
    /// Its writing end is what the client passes: nobody else has it when all is over.
    private let reading: Descriptor
    private var passed: Descriptor?
    /// Taken and not answered to its end.
    private var call: IncomingCall?
    private var hasEnded = false
    /// The client reads no more.
    private var isDeaf = false
    /// Calls that were taken and want an answer.
    private var owed = 0
    private var received: [UInt8] = []
    private var hasFault = false
    /// Whether the connection may answer calls that the service never sees.
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
            let room = Self.limits.messageBytes + 65_536
            try expect(server.unsent <= Self.limits.unsentBytes + room, "what waits for the client is bounded")
        }
    }

    private mutating func step() throws {
        switch next() % 8 {
        case 0: try send(descriptors: 0)
        case 1: try send(descriptors: next() % 12)
        case 2: try server?.receive()
        case 3: try take()
        case 4: answer()
        case 5: try server?.flush()
        case 6: try read()
        default: hangUp(next())
        }
    }

    /// What stands next in the script up to a byte 0xFF, which is in no JSON: a part of a message, or several.
    private mutating func send(descriptors count: Int) throws {
        let text = rest.prefix { $0 != 0xFF }
        rest = rest.dropFirst(text.count + 1)
        guard let client, let passed, !text.isEmpty, !hasEnded else { return }
        let descriptors = Array(repeating: passed, count: count)
        do throws(Errno) {
            _ = try UnixSocket.send(text, descriptors: descriptors, to: client.fileDescriptor, waits: false)
        } catch {
            try expect([.brokenPipe, .connectionReset].contains(error), "nothing else can go wrong: \(error)")
        }
    }

    private mutating func take() throws {
        guard let server, let next = try server.nextCall() else { return }
        try expect(call == nil, "a call is taken when the one before is answered")
        try expect(next.descriptors.count <= Self.limits.descriptorsPerMessage, "a call has a few descriptors")
        call = next
        if !next.oneway { owed += 1 }
        decode(next)
        if ServiceInterface.answer(next, on: server, version: "fuzz") { call = nil }
    }

    /// Answers in one of the ways that there are, long or short.
    private mutating func answer() {
        guard let server, let call else { return }
        let way = next()
        let reply = Methods.Read.Reply(data: String(repeating: "x", count: way % 3 * 2_100))
        switch way % 5 {
        case 0:
            server.reply(reply)
            self.call = nil
        case 1 where call.more:
            if !server.tell(reply, orEndBy: BridgeError(.tooSlow, "missed")) { self.call = nil }
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
            isDeaf = true
        default: self.client = nil
        }
    }

    /// Each call that was taken was answered once, by something that does not continue.
    private mutating func settle() throws {
        guard let server, client != nil, !isDeaf, !hasFault else { return }
        if call != nil { server.reply(NoParameters()) }
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
        try expect(mayUpgrade ? ends >= owed : ends == owed, "\(owed) calls are answered once each, not \(ends) times")
    }

    /// Lets go of all: nobody has the pipe any more.
    mutating func close() throws {
        try settle()
        server = nil
        client = nil
        call = nil
        passed = nil
        let end = try reading.fileDescriptor.readBytes(atMost: 1)
        try expect(end.isEmpty, "descriptors that a client passed are closed")
    }

    /// Each method's parameters: there are or there are not.
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
        parameters(Methods.Attach.self)
        parameters(Methods.Declare.self)
    }
}
