import BridgeClient
import CommandCore
import LinuxSystem

/// The first cut buffer: a property of the root window, where programs kept text before there were selections ("X
/// Window System Protocol", chapter 9; XStoreBytes(3)). It has no owner, so it is not a pasteboard of the bridge.
struct CutBuffer {
    private let exchange: XExchange
    private let root: [UInt8]

    /// The predefined atoms CUT_BUFFER0 and STRING.
    private static let names: [UInt8] = [9, 0, 0, 0, 31, 0, 0, 0]

    /// The limit on the bytes of one request, below that of every server.
    private static let maxBytes = 128 << 10

    /// Connects to a server of this machine.
    init(option: String?, environment: [String: String], timeout: Duration) throws(Failure) {
        do {
            guard let wanted = try RequestedDisplay.chosen(option: option, environment: environment),
                let path = wanted.name.socketPath
            else { throw Failure(.refused, "cut buffers are read on displays of this machine only") }
            let socket = try UnixSocket.connect(to: path, timeout: timeout)
            let cookie = DisplayState.entry(for: wanted, environment)?.data
            let body: [UInt8]
            (exchange, body) = try XExchange.greet(on: socket, cookie: cookie, timeout: timeout)
            // The first screen follows the vendor's name and the formats of eight bytes each.
            let screen = 32 + XExchange.padded([UInt8](repeating: 0, count: XExchange.number(body, 16))).count
            let start = screen + 8 * Int(body[21])
            guard body.count >= start + 4 else { throw XServer.Failure.strange }
            root = Array(body[start..<start + 4])
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(.unavailable, "the display cannot be used: \(error)")
        }
    }

    /// Returns the bytes; empty if there are none.
    func read() throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            // GetProperty, of any type, from an offset in words on
            let request = root + Array(Self.names.prefix(4)) + [0, 0, 0, 0]
            let reply = try perform { () throws(XServer.Failure) in
                try exchange.reply(to: 20, 0, request + Self.four(bytes.count / 4) + Self.four(Self.maxBytes / 4))
            }
            guard let reply, reply.count >= 32 else { return bytes }
            let count = Int(XExchange.word(reply, 16)) * Int(reply[1]) / 8
            bytes += reply.dropFirst(32).prefix(count)
            if XExchange.word(reply, 12) == 0 || count == 0 { return bytes }
        }
    }

    func write(_ bytes: [UInt8]) throws(Failure) {
        var rest = bytes[...]
        var isAppending = false
        repeat {
            let piece = Array(rest.prefix(Self.maxBytes))
            rest = rest.dropFirst(piece.count)
            // ChangeProperty: replace, then append, in units of eight bits
            let body = root + Self.names + [8, 0, 0, 0] + Self.four(piece.count) + XExchange.padded(piece)
            let length = XExchange.two(1 + body.count / 4)
            try perform { () throws(XServer.Failure) in
                try exchange.send([18, isAppending ? 2 : 0] + length + body)
            }
            isAppending = true
        } while !rest.isEmpty
        // GetInputFocus, whose reply follows the changes.
        _ = try perform { () throws(XServer.Failure) in try exchange.reply(to: 43, 0, []) }
    }

    private func perform<Result>(_ body: () throws(XServer.Failure) -> Result) throws(Failure) -> Result {
        do {
            return try body()
        } catch {
            throw Failure(.broken, "the X server did not carry out the request: \(error)")
        }
    }

    private static func four(_ number: Int) -> [UInt8] { XExchange.two(number) + XExchange.two(number >> 16) }
}
