import CommandCore

/// The keyboard of an X server ("X Window System Protocol", chapter 5): the symbols of its keys, and the keys that are
/// down.
struct XKeyboard: Equatable {
    /// A key going down or up.
    struct Stroke: Equatable {
        let keycode: UInt8
        let isDown: Bool
    }

    /// Symbols of keys, as in `keysymdef.h`.
    enum Symbol: UInt32 {
        case v = 0x76
        case insert = 0xFF63
        case leftShift = 0xFFE1
        case leftControl = 0xFFE3
    }

    let firstKeycode: UInt8
    /// The symbols of each key, without modifiers first.
    let symbols: [[UInt32]]

    /// Returns the key with a symbol. A key that has it without modifiers takes precedence.
    func keycode(of symbol: Symbol) -> UInt8? {
        for column in 0..<(symbols.map(\.count).max() ?? 0) {
            let index = symbols.firstIndex { column < $0.count && $0[column] == symbol.rawValue }
            if let index { return firstKeycode + UInt8(index) }
        }
        // A layout without Latin letters. Toolkits know a shortcut by the key's place in the layout of the United
        // States there, which has this number on Linux.
        return symbol == .v ? Self.keycodeOfV : nil
    }

    private static let keycodeOfV: UInt8 = 55

    /// Returns the strokes that press keys together, after those that are down are released.
    ///
    /// - Returns: nil if the keyboard lacks one of the keys.
    func strokes(of keys: [Symbol], whileDown down: [UInt8]) -> [Stroke]? {
        let keycodes = keys.compactMap(keycode)
        guard keycodes.count == keys.count else { return nil }
        return down.map { Stroke(keycode: $0, isDown: false) }
            + keycodes.map { Stroke(keycode: $0, isDown: true) }
            + keycodes.reversed().map { Stroke(keycode: $0, isDown: false) }
    }
}

extension XKeyboard {
    /// Reads the symbols from a server.
    init(of screen: XScreen) throws(Failure) {
        firstKeycode = screen.keycodes.lowerBound
        // GetKeyboardMapping
        let reply = try screen.reply(to: 101, 0, [firstKeycode, UInt8(screen.keycodes.count), 0, 0])
        guard let reply, reply.count >= 32 else {
            throw Failure(.broken, "the X server did not name the symbols of its keys")
        }
        let width = Int(reply[1])
        let count = min(screen.keycodes.count, width == 0 ? 0 : (reply.count - 32) / (4 * width))
        symbols = (0..<count).map { key in
            (0..<width).map { XExchange.word(reply, 32 + 4 * (key * width + $0)) }
        }
    }

    /// Returns the keys that are down.
    static func keysDown(of screen: XScreen) throws(Failure) -> [UInt8] {
        // QueryKeymap: a bit for each key
        guard let reply = try screen.reply(to: 44), reply.count >= 40 else { return [] }
        return (UInt8(8)...255).filter { reply[8 + Int($0) / 8] & 1 << ($0 % 8) != 0 }
    }
}
