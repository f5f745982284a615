import CommandCore

/// The symbols of the keys of an X server ("X Window System Protocol", chapter 5).
struct XKeyboard: Equatable {
    let firstKeycode: UInt8
    /// The symbols of each key: two for each group of the layout, without and with Shift.
    let symbols: [[UInt32]]

    /// Returns the number of a key, in the present group if the key is there.
    ///
    /// - Parameter group: The group of the layout in use, counted from 0.
    func keycode(of key: PasteKey, inGroup group: Int) -> UInt8? {
        let width = symbols.map(\.count).max() ?? 0
        for column in [2 * group, 2 * group + 1] + Array(0..<width) {
            let index = symbols.firstIndex { column < $0.count && $0[column] == key.symbol }
            if let index { return firstKeycode + UInt8(index) }
        }
        // A layout without Latin letters. Toolkits know a shortcut by the key's place in the layout of the United
        // States there, which has this number on Linux.
        return key == .v ? Self.keycodeOfV : nil
    }

    private static let keycodeOfV: UInt8 = 55
}

extension XKeyboard {
    /// Reads the symbols from a server.
    init(of screen: XScreen) throws(Failure) {
        firstKeycode = screen.keycodes.lowerBound
        // GetKeyboardMapping
        let reply = try screen.reply(to: 101, 0, [firstKeycode, UInt8(screen.keycodes.count), 0, 0])
        guard let reply, reply.count >= 32, reply[1] > 0 else {
            throw Failure(.broken, "the X server did not name the symbols of its keys")
        }
        let width = Int(reply[1])
        symbols = (0..<min(screen.keycodes.count, (reply.count - 32) / (4 * width))).map { key in
            (0..<width).map { XExchange.word(reply, 32 + 4 * (key * width + $0)) }
        }
    }

    /// Returns the keys that are down.
    static func keysDown(of screen: XScreen) throws(Failure) -> [UInt8] {
        // QueryKeymap: a bit for each key
        guard let reply = try screen.reply(to: 44), reply.count >= 40 else { return [] }
        return (UInt8(8)...255).filter { reply[8 + Int($0) / 8] & 1 << ($0 % 8) != 0 }
    }

    /// The modifiers that are down, and the group of the layout, counted from 0.
    static func state(of screen: XScreen) throws(Failure) -> (modifiers: KeyModifiers, group: Int) {
        // QueryPointer: the mask of modifiers and buttons, with the group in bits 13 and 14 ("X Keyboard Extension
        // Protocol", 2.2.1)
        guard let reply = try screen.reply(to: 38, 0, XScreen.four(screen.root)), reply.count >= 26 else {
            throw Failure(.broken, "the X server did not report the state of the keyboard")
        }
        let mask = XExchange.number(reply, 24)
        return (KeyModifiers(rawValue: UInt32(mask)).intersection(.ofShortcuts), mask >> 13 & 3)
    }
}

extension PasteKey {
    /// The symbol, as in `keysymdef.h`.
    fileprivate var symbol: UInt32 {
        switch self {
        case .v: 0x76
        case .insert: 0xFF63
        case .leftShift: 0xFFE1
        case .leftControl: 0xFFE3
        }
    }
}
