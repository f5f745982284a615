import CommandCore

/// The first cut buffer: a property of the root window, where programs kept text before there were selections ("X
/// Window System Protocol", chapter 9; XStoreBytes(3)). It has no owner, so it is not a pasteboard of the bridge.
struct CutBuffer {
    private let screen: XScreen

    /// The predefined atoms CUT_BUFFER0 and STRING.
    private static let names: [UInt8] = [9, 0, 0, 0, 31, 0, 0, 0]

    /// The limit on the bytes of one request, below that of every server.
    private static let maxBytes = 128 << 10

    init(of screen: XScreen) { self.screen = screen }

    /// Returns the bytes; empty if there are none.
    func read() throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            // GetProperty, of any type, from an offset in words on
            let request = XScreen.four(screen.root) + Array(Self.names.prefix(4)) + [0, 0, 0, 0]
            let place = XScreen.four(UInt32(bytes.count / 4)) + XScreen.four(UInt32(Self.maxBytes / 4))
            guard let reply = try screen.reply(to: 20, 0, request + place), reply.count >= 32 else { return bytes }
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
            let head = XScreen.four(screen.root) + Self.names + [8, 0, 0, 0] + XScreen.four(UInt32(piece.count))
            try screen.send(18, isAppending ? 2 : 0, head + XExchange.padded(piece))
            isAppending = true
        } while !rest.isEmpty
        try screen.synchronize()
    }
}
