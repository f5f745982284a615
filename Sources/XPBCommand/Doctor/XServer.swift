import LinuxSystem
import SystemPackage

/// An X server, as it introduces itself to a client ("X Window System Protocol", chapter 8). `xpb` links no Xlib, and needs
/// to know no more than this.
struct XServer: Equatable {
    var vendor = ""
    var hasXFixes = false
    var isXwayland = false
    /// The bridge that serves it, wherever that is found.
    var bridge: Holder?

    /// Who owns a selection.
    struct Holder: Equatable {
        let window: UInt32
        /// Nil where the server does not say, as of one on another machine.
        var process: Int32?
    }

    enum Failure: Error, Equatable {
        /// There is no socket.
        case absent
        /// Nobody listens at the socket that is there.
        case dead
        /// There is no machine of that name.
        case unknownHost
        /// Nobody tells in time which machine has that name.
        case unresolved
        case unreachable(Errno)
        /// Nothing comes back, not even that nobody listens.
        case unanswered
        /// It takes the connection and says nothing.
        case silent
        /// It refuses this client, and says why.
        case denied(String)
        /// It says what no X server would.
        case strange
    }

    /// Asks the one that listens at a path.
    ///
    /// - Parameter cookie: What it is shown to be let in.
    init(at path: String, cookie: [UInt8]?, timeout: Duration) throws(Failure) {
        let socket: Descriptor
        do throws(Errno) {
            socket = try UnixSocket.connect(to: path, patience: timeout)
        } catch {
            throw error.isWouldBlock ? .silent : Failure(connecting: error)
        }
        try self.init(on: socket, cookie: cookie, timeout: timeout)
    }

    /// Asks the one that listens on a port of a machine.
    ///
    /// - Parameters:
    ///   - addresses: Tried one after the other, until something listens.
    ///   - cookie: What one at that address is shown.
    init(
        at addresses: [TCPSocket.Address], port: UInt16, timeout: Duration, cookie: (TCPSocket.Address) -> [UInt8]?
    ) throws(Failure) {
        var failure = Failure.unknownHost
        // A name may have a dozen, and each may have to be waited for.
        let deadline = ContinuousClock.now + timeout
        for address in addresses {
            let left = deadline - .now
            guard left > .zero else { break }
            let socket: Descriptor
            do throws(Errno) {
                socket = try TCPSocket.connect(to: address, port: port, patience: left)
            } catch {
                failure = error.isWouldBlock ? .unanswered : Failure(connecting: error)
                continue
            }
            try self.init(on: socket, cookie: cookie(address), timeout: timeout)
            return
        }
        throw failure
    }

    private init(on socket: Descriptor, cookie: [UInt8]?, timeout: Duration) throws(Failure) {
        let exchange = XExchange(socket: socket, timeout: timeout)
        try exchange.send(Self.greeting(cookie))
        let head = try exchange.receive(8)
        let body = try exchange.receive(4 * XExchange.number(head, 6))
        guard head[0] == 1 else {
            let reason = head[0] == 0 ? body.prefix(Int(head[1])) : body[...]
            throw .denied(String(decoding: reason.filter { $0 >= 0x20 }, as: UTF8.self))
        }
        guard body.count >= 32 else { throw .strange }
        vendor = String(decoding: body.dropFirst(32).prefix(XExchange.number(body, 16)), as: UTF8.self)
        hasXFixes = try exchange.opcode(ofExtension: "XFIXES") != nil
        isXwayland = try exchange.opcode(ofExtension: "XWAYLAND") != nil
        // A bridge owns the manager selection of the screen that its display's name has.
        for screen in 0..<Int(body[20]) where bridge == nil {
            bridge = try exchange.owner(ofSelection: "_XPB_S\(screen)")
        }
    }

    /// In the byte order of small machines, which it says itself.
    private static func greeting(_ cookie: [UInt8]?) -> [UInt8] {
        let name = cookie == nil ? [] : Array(XAuthority.cookie.utf8)
        let data = cookie ?? []
        let lengths = [11, 0, name.count, data.count].flatMap(XExchange.two)
        return [UInt8(ascii: "l"), 0] + lengths + [0, 0] + XExchange.padded(name) + XExchange.padded(data)
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
