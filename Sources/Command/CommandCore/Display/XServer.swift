package import LinuxSystem
package import SystemPackage

/// The facts about an X server that `xpb`, which does not link Xlib, needs ("X Window System Protocol", chapter 8).
package struct XServer: Equatable {
    package var vendor = ""
    package var hasXFixes = false
    package var isXwayland = false
    /// The bridge that serves the display, wherever its socket is.
    package var bridge: Holder?

    /// The owner of a selection.
    package struct Holder: Equatable {
        package let window: UInt32
        /// The process; nil if the server does not report it, as for a client on another machine.
        package var process: Int32?
    }

    package enum Failure: Error, Equatable {
        /// The socket does not exist.
        case absent
        /// The socket exists and no server listens on it.
        case dead
        /// No machine has that name.
        case unknownHost
        /// The name could not be resolved in time.
        case unresolved
        case unreachable(Errno)
        /// The machine sends nothing, not even a refusal.
        case unanswered
        /// The server accepts the connection and does not answer.
        case silent
        /// The server refuses this client, for this reason.
        case denied(String)
        /// The listener sends something that an X server would not.
        case strange
    }

    /// Connects to the server that listens at a path.
    ///
    /// - Parameter cookie: The cookie to authenticate with.
    package init(of display: DisplayName, at path: String, cookie: [UInt8]?, timeout: Duration) throws(Failure) {
        let socket: Descriptor
        do throws(Errno) {
            socket = try UnixSocket.connect(to: path, timeout: timeout)
        } catch {
            throw error.isWouldBlock ? .silent : Failure(connecting: error)
        }
        try self.init(of: display, on: socket, cookie: cookie, timeout: timeout)
    }

    /// Connects to the server that listens on a port of a machine.
    ///
    /// - Parameters:
    ///   - addresses: The addresses, tried one after another until a connection succeeds.
    ///   - cookie: Returns the cookie for the server at an address.
    package init(
        of display: DisplayName, at addresses: [TCPSocket.Address], port: UInt16, timeout: Duration,
        cookie: (TCPSocket.Address) -> [UInt8]?
    ) throws(Failure) {
        var failure = Failure.unknownHost
        // A name may have a dozen addresses, and each may be slow.
        let deadline = ContinuousClock.now + timeout
        for address in addresses {
            let left = deadline - .now
            guard left > .zero else { break }
            let socket: Descriptor
            do throws(Errno) {
                socket = try TCPSocket.connect(to: address, port: port, timeout: left)
            } catch {
                failure = error.isWouldBlock ? .unanswered : Failure(connecting: error)
                continue
            }
            try self.init(of: display, on: socket, cookie: cookie(address), timeout: timeout)
            return
        }
        throw failure
    }

    private init(
        of display: DisplayName, on socket: Descriptor, cookie: [UInt8]?, timeout: Duration
    ) throws(Failure) {
        let (exchange, body) = try XExchange.greet(on: socket, cookie: cookie, timeout: timeout)
        vendor = String(decoding: body.dropFirst(32).prefix(XExchange.number(body, 16)), as: UTF8.self)
        hasXFixes = try exchange.opcode(ofExtension: "XFIXES") != nil
        isXwayland = try exchange.isXwayland()
        // A bridge owns the manager selection of the screen in its display's name.
        for screen in 0..<Int(body[20]) where bridge == nil {
            bridge = try exchange.owner(ofSelection: display.bridgeSelection(ofScreen: screen))
        }
        // The server's process numbers are those of its own machine.
        if display.isForwarded { bridge?.process = nil }
    }

}

extension XServer.Failure {
    fileprivate init(connecting error: Errno) {
        self =
            switch error {
            case .noSuchFileOrDirectory: .absent
            case .connectionRefused: .dead
            case .timedOut: .unanswered
            default: .unreachable(error)
            }
    }
}

/// A connection to an X server, for one thread that waits for each reply.
package final class XExchange {
    private let socket: Descriptor
    /// The timeout for the next bytes of the server.
    private let timeout: Duration
    /// The number of requests so far, as events and replies have it.
    private var sequence: UInt16 = 0
    /// True if a request without a reply has failed since the last call of ``synchronize()``.
    private var hasFailed = false
    /// The windows that were destroyed, of those whose structure events the client selected.
    package private(set) var destroyed: Set<UInt32> = []

    private init(socket: Descriptor, timeout: Duration) {
        self.socket = socket
        self.timeout = timeout
    }

    /// Sends the client's greeting to the server. Returns the connection, and the server's reply without its first
    /// eight bytes.
    package static func greet(
        on socket: Descriptor, cookie: [UInt8]?, timeout: Duration
    ) throws(XServer.Failure) -> (exchange: XExchange, body: [UInt8]) {
        let exchange = XExchange(socket: socket, timeout: timeout)
        let deadline = exchange.deadline
        try exchange.write(greeting(cookie))
        let head = try exchange.receive(8, until: deadline)
        let body = try exchange.receive(4 * number(head, 6), until: deadline)
        guard head[0] == 1 else {
            let reason = head[0] == 0 ? body.prefix(Int(head[1])) : body[...]
            throw .denied(String(decoding: reason.filter { $0 >= 0x20 }, as: UTF8.self))
        }
        guard body.count >= 32 else { throw .strange }
        return (exchange, body)
    }

    /// Returns the greeting of a client, in little-endian order, which the greeting itself announces.
    private static func greeting(_ cookie: [UInt8]?) -> [UInt8] {
        let name = cookie == nil ? [] : Array(XAuthority.cookie.utf8)
        let data = cookie ?? []
        let lengths = [11, 0, name.count, data.count].flatMap(two)
        return [UInt8(ascii: "l"), 0] + lengths + [0, 0] + padded(name) + padded(data)
    }

    /// Returns true if the server is Xwayland.
    ///
    /// Xwayland has had its own extension since version 23.1. Older versions are recognized by atoms of the compositor.
    package func isXwayland() throws(XServer.Failure) -> Bool {
        if try opcode(ofExtension: "XWAYLAND") != nil { return true }
        if DisplayServer.isAlone(socket.fileDescriptor) { return false }
        for name in ["WL_SURFACE_ID", "WL_SURFACE_SERIAL"] where try atom(name) != nil { return true }
        return false
    }

    /// Returns the major opcode of an extension; nil if the server does not have it.
    package func opcode(ofExtension name: String) throws(XServer.Failure) -> UInt8? {
        // QueryExtension
        let reply = try reply(to: 98, 0, Self.two(name.utf8.count) + [0, 0] + Self.padded(Array(name.utf8)))
        guard let reply else { throw .strange }
        return reply[8] == 0 ? nil : reply[9]
    }

    /// Returns the bytes of an atom; nil if the server does not have it.
    package func atom(_ name: String) throws(XServer.Failure) -> [UInt8]? {
        // InternAtom, only if the atom exists
        let atom = try reply(to: 16, 1, Self.two(name.utf8.count) + [0, 0] + Self.padded(Array(name.utf8)))
        return atom.flatMap { Self.word($0, 8) == 0 ? nil : Array($0[8..<12]) }
    }

    /// Returns the owner of a selection; nil if it has no owner.
    package func owner(ofSelection name: String) throws(XServer.Failure) -> XServer.Holder? {
        // GetSelectionOwner
        guard let atom = try atom(name), let owner = try reply(to: 23, 0, atom), Self.word(owner, 8) != 0 else {
            return nil
        }
        let window = Self.word(owner, 8)
        return XServer.Holder(window: window, process: try process(ofWindow: Array(owner[8..<12])))
    }

    /// Returns the process of a window's client; nil if the server does not report it.
    package func process(ofWindow window: [UInt8]) throws(XServer.Failure) -> Int32? {
        guard let opcode = try opcode(ofExtension: "X-Resource") else { return nil }
        // QueryVersion, which a server may require, and QueryClientIds for the process of one window.
        _ = try reply(to: opcode, 0, [1, 2, 0, 0])
        guard let reply = try reply(to: opcode, 4, [1, 0, 0, 0] + window + [2, 0, 0, 0]) else { return nil }
        // One value: the window, the kind of the ID, its length in bytes, and the process.
        guard Self.word(reply, 8) == 1, reply.count >= 48, Self.word(reply, 40) == 4 else { return nil }
        let process = Int32(bitPattern: Self.word(reply, 44))
        return process > 0 ? process : nil
    }

    /// Sends a request that has no reply. If the server answers it with an error, ``synchronize()`` throws.
    ///
    /// - Parameter rest: The request after its first four bytes, a multiple of four bytes long.
    package func send(_ opcode: UInt8, _ data: UInt8 = 0, _ rest: [UInt8] = []) throws(XServer.Failure) {
        sequence &+= 1
        try write([opcode, data] + Self.two(1 + rest.count / 4) + rest)
    }

    /// Sends a request and returns its reply; nil if the server answers with an error.
    ///
    /// - Parameter rest: The request after its first four bytes, a multiple of four bytes long.
    package func reply(to opcode: UInt8, _ data: UInt8 = 0, _ rest: [UInt8] = []) throws(XServer.Failure) -> [UInt8]? {
        try send(opcode, data, rest)
        let deadline = deadline
        while true {
            let head = try receive(32, until: deadline)
            let isOfRequest = Self.two(Int(sequence)) == head[2..<4].map(\.self)
            switch head[0] & 0x7F {
            case 0 where isOfRequest: return nil
            case 0: hasFailed = true
            case 1 where isOfRequest: return head + (try body(of: head, until: deadline))
            // DestroyNotify
            case 17: destroyed.insert(Self.word(head, 8))
            // An event, such as the keyboard change that every client gets.
            case 2..<128: continue
            default: throw .strange
            }
        }
    }

    /// Returns the part of a reply after its first 32 bytes, or the first 256 KiB of that part.
    private func body(of head: [UInt8], until deadline: ContinuousClock.Instant) throws(XServer.Failure) -> [UInt8] {
        let count = Int(Self.word(head, 4))
        guard count <= 1 << 16 else { throw .strange }
        return try receive(4 * count, until: deadline)
    }

    /// Waits until the server has performed all requests, and throws if one without a reply has failed.
    package func synchronize() throws(XServer.Failure) {
        // GetInputFocus
        _ = try reply(to: 43)
        defer { hasFailed = false }
        if hasFailed { throw .strange }
    }

    // MARK: Bytes

    /// The deadline of a request, for a server that sends a byte now and then.
    private var deadline: ContinuousClock.Instant { .now + timeout * 5 }

    private func write(_ bytes: [UInt8]) throws(XServer.Failure) {
        do throws(Errno) {
            try socket.fileDescriptor.writeBytes(bytes)
        } catch {
            throw .strange
        }
    }

    private func receive(_ count: Int, until deadline: ContinuousClock.Instant) throws(XServer.Failure) -> [UInt8] {
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

    package static func padded(_ bytes: [UInt8]) -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
    }

    package static func two(_ number: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
    }

    package static func number(_ bytes: [UInt8], _ offset: Int) -> Int {
        Int(bytes[offset]) | Int(bytes[offset + 1]) << 8
    }

    package static func word(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
        UInt32(number(bytes, offset)) | UInt32(number(bytes, offset + 2)) << 16
    }
}
