import LinuxSystem
import SystemPackage

/// An X server, as it introduces itself to a client ("X Window System Protocol", chapter 8). `xpb` links no Xlib, and needs
/// to know no more than this.
struct XServer: Equatable {
    var vendor = ""
    var hasXFixes = false
    var isXwayland = false

    enum Failure: Error, Equatable {
        /// There is no socket.
        case absent
        /// Nobody listens at the socket that is there.
        case dead
        case unreachable(Errno)
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
    init(at path: String, cookie: [UInt8]?, patience: Duration) throws(Failure) {
        let socket: Descriptor
        do throws(Errno) {
            socket = try UnixSocket.connect(to: path, patience: patience)
        } catch {
            switch error {
            case .noSuchFileOrDirectory: throw .absent
            case .connectionRefused: throw .dead
            case _ where error.isWouldBlock: throw .silent
            default: throw .unreachable(error)
            }
        }
        let exchange = Exchange(socket: socket, patience: patience)
        try exchange.send(Self.greeting(cookie))
        let head = try exchange.receive(8)
        let body = try exchange.receive(4 * Self.number(head, 6))
        guard head[0] == 1 else {
            let reason = head[0] == 0 ? body.prefix(Int(head[1])) : body[...]
            throw .denied(String(decoding: reason.filter { $0 >= 0x20 }, as: UTF8.self))
        }
        guard body.count >= 32 else { throw .strange }
        vendor = String(decoding: body.dropFirst(32).prefix(Self.number(body, 16)), as: UTF8.self)
        hasXFixes = try Self.hasExtension("XFIXES", exchange)
        isXwayland = try Self.hasExtension("XWAYLAND", exchange)
    }

    private static func hasExtension(_ name: String, _ exchange: Exchange) throws(Failure) -> Bool {
        let padded = padded(Array(name.utf8))
        // QueryExtension; lengths are in units of four bytes.
        try exchange.send([98, 0] + two(2 + padded.count / 4) + two(name.utf8.count) + [0, 0] + padded)
        let reply = try exchange.receive(32)
        guard reply[0] == 1 else { throw .strange }
        return reply[8] != 0
    }

    /// In the byte order of small machines, which it says itself.
    private static func greeting(_ cookie: [UInt8]?) -> [UInt8] {
        let name = cookie == nil ? [] : Array(XAuthority.cookie.utf8)
        let data = cookie ?? []
        let lengths = two(11) + two(0) + two(name.count) + two(data.count)
        return [UInt8(ascii: "l"), 0] + lengths + [0, 0] + padded(name) + padded(data)
    }

    private static func padded(_ bytes: [UInt8]) -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
    }

    private static func two(_ number: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
    }

    private static func number(_ bytes: [UInt8], _ offset: Int) -> Int {
        Int(bytes[offset]) | Int(bytes[offset + 1]) << 8
    }

    private struct Exchange {
        let socket: Descriptor
        let patience: Duration

        func send(_ bytes: [UInt8]) throws(Failure) {
            do throws(Errno) {
                try socket.fileDescriptor.writeBytes(bytes)
            } catch {
                throw .strange
            }
        }

        func receive(_ count: Int) throws(Failure) -> [UInt8] {
            var bytes: [UInt8] = []
            while bytes.count < count {
                let piece: [UInt8]
                do throws(Errno) {
                    let isThere = try waitReadable(socket.fileDescriptor, until: .now + patience)
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
    }
}
