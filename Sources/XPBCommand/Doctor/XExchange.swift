import LinuxSystem
import SystemPackage

/// A connection to an X server on which one request at a time is made and answered.
struct XExchange {
    let socket: Descriptor
    /// How long the server may be silent.
    private let timeout: Duration
    /// One that says a byte now and then is waited for no longer.
    private let deadline: ContinuousClock.Instant

    init(socket: Descriptor, timeout: Duration) {
        self.socket = socket
        self.timeout = timeout
        deadline = .now + timeout * 5
    }

    /// The major opcode of an extension; nil where the server has none of that name.
    func opcode(ofExtension name: String) throws(XServer.Failure) -> UInt8? {
        // QueryExtension
        let reply = try reply(to: 98, 0, Self.two(name.utf8.count) + [0, 0] + Self.padded(Array(name.utf8)))
        guard let reply else { throw .strange }
        return reply[8] == 0 ? nil : reply[9]
    }

    /// Who owns a selection; nil where nobody does.
    func owner(ofSelection name: String) throws(XServer.Failure) -> XServer.Holder? {
        // InternAtom, of an atom that is there already
        let atom = try reply(to: 16, 1, Self.two(name.utf8.count) + [0, 0] + Self.padded(Array(name.utf8)))
        guard let atom, Self.word(atom, 8) != 0 else { return nil }
        // GetSelectionOwner
        guard let owner = try reply(to: 23, 0, Array(atom[8..<12])), Self.word(owner, 8) != 0 else { return nil }
        let window = Self.word(owner, 8)
        return XServer.Holder(window: window, process: try process(ofWindow: Array(owner[8..<12])))
    }

    private func process(ofWindow window: [UInt8]) throws(XServer.Failure) -> Int32? {
        guard let opcode = try opcode(ofExtension: "X-Resource") else { return nil }
        // QueryVersion, without which a server need not answer, and QueryClientIds of one window, for the process behind it.
        _ = try reply(to: opcode, 0, [1, 2, 0, 0])
        guard let reply = try reply(to: opcode, 4, [1, 0, 0, 0] + window + [2, 0, 0, 0]) else { return nil }
        // One value: the window, what it is, its length in bytes, and the number.
        guard Self.word(reply, 8) == 1, reply.count >= 48, Self.word(reply, 40) == 4 else { return nil }
        let process = Int32(bitPattern: Self.word(reply, 44))
        return process > 0 ? process : nil
    }

    /// - Parameter rest: Behind the first four bytes of the request, in units of four.
    /// - Returns: Nil where the answer is an error.
    private func reply(to opcode: UInt8, _ data: UInt8, _ rest: [UInt8]) throws(XServer.Failure) -> [UInt8]? {
        try send([opcode, data] + Self.two(1 + rest.count / 4) + rest)
        while true {
            let head = try receive(32)
            switch head[0] {
            case 0: return nil
            case 1: return head + (try receive(4 * Int(min(Self.word(head, 4), 1 << 16))))
            // An event: each client is told of a change of the keyboard.
            case 2..<128: continue
            default: throw .strange
            }
        }
    }

    // MARK: Bytes

    func send(_ bytes: [UInt8]) throws(XServer.Failure) {
        do throws(Errno) {
            try socket.fileDescriptor.writeBytes(bytes)
        } catch {
            throw .strange
        }
    }

    func receive(_ count: Int) throws(XServer.Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let piece: [UInt8]
            do throws(Errno) {
                let isThere = try waitReadable(socket.fileDescriptor, until: min(.now + timeout, deadline))
                piece = isThere ? try socket.fileDescriptor.readBytes(atMost: count - bytes.count) : []
                if !isThere { throw .timedOut }
            } catch {
                throw error == .timedOut ? .silent : .strange
            }
            if piece.isEmpty { throw .strange }
            bytes += piece
        }
        return bytes
    }

    static func padded(_ bytes: [UInt8]) -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
    }

    static func two(_ number: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
    }

    static func number(_ bytes: [UInt8], _ offset: Int) -> Int {
        Int(bytes[offset]) | Int(bytes[offset + 1]) << 8
    }

    static func word(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
        UInt32(number(bytes, offset)) | UInt32(number(bytes, offset + 2)) << 16
    }
}
