import CommandCore

/// The windows of an X server, for a command that types into one of them.
struct XWindows {
    let screen: XScreen
    /// The atom _NET_ACTIVE_WINDOW; nil without a window manager that has it ("Extended Window Manager Hints").
    private let activeWindow: [UInt8]?

    init(of screen: XScreen) throws(Failure) {
        self.screen = screen
        let atom = try Self.atom("_NET_ACTIVE_WINDOW", screen)
        let supported = try Self.atom("_NET_SUPPORTED", screen).map { (atom) throws(Failure) in
            try Self.property(atom, of: screen.root, screen)
        }
        let numbers = Self.numbers(supported ?? [])
        activeWindow = atom.flatMap { numbers.contains(XExchange.word($0, 0)) ? $0 : nil }
        // CreateWindow: a window for input only, which is never shown; see ``isKeyboardGrabbed()``
        let parent = XScreen.four(screen.firstWindow) + XScreen.four(screen.root)
        try screen.send(1, 0, parent + [0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 2, 0] + XScreen.four(0) + XScreen.four(0))
    }

    /// Returns the active window; without a window manager, the one that has the focus.
    func active() throws(Failure) -> UInt32? {
        guard let activeWindow else { return try focus() }
        return Self.numbers(try Self.property(activeWindow, of: screen.root, screen)).first { $0 != 0 }
    }

    /// Returns the windows that were active last, latest first, as the bridge has recorded them.
    func recent() throws(Failure) -> [UInt32] {
        guard let bridge = try screen.bridge(), let record = try Self.atom("_XPB_RECENT_WINDOWS", screen) else {
            return []
        }
        return Self.numbers(try Self.property(record, of: bridge.window, screen))
    }

    /// Returns true if a window is active, and it or a window inside has the focus.
    func hasFocus(_ window: UInt32) throws(Failure) -> Bool {
        if activeWindow != nil, try active() != window { return false }
        guard var next = try focus() else { return false }
        for _ in 0..<Self.maxDepth where next != window {
            // QueryTree
            guard let reply = try screen.reply(to: 15, 0, XScreen.four(next)), reply.count >= 16 else { return false }
            next = XExchange.word(reply, 12)
            if next == 0 { return false }
        }
        return next == window
    }

    private static let maxDepth = 64

    private func focus() throws(Failure) -> UInt32? {
        // GetInputFocus: 0 is none, and 1 the window under the pointer
        guard let reply = try screen.reply(to: 43), reply.count >= 12 else { return nil }
        let window = XExchange.word(reply, 8)
        return window > 1 ? window : nil
    }

    /// Returns true if another client has grabbed the keyboard, such as a menu or a screen locker.
    func isKeyboardGrabbed() throws(Failure) -> Bool {
        // GrabKeyboard for a window that is not shown, which is refused in any case: as grabbed (1), if it is
        let request = XScreen.four(screen.firstWindow) + XScreen.four(0) + [1, 1, 0, 0]
        return try screen.reply(to: 31, 0, request)?[1] != 3
    }

    /// Watches for the end of a window. The server may give its number to another window afterwards.
    func watch(_ window: UInt32) throws(Failure) {
        // ChangeWindowAttributes: the events about its structure
        try screen.send(2, 0, XScreen.four(window) + XScreen.four(1 << 11) + XScreen.four(1 << 17))
        try screen.synchronize()
    }

    /// Returns the class of a window; empty if it has none.
    func windowClass(of window: UInt32) throws(Failure) -> String {
        // WM_CLASS is a predefined atom.
        let parts = try Self.property(XScreen.four(67), of: window, screen).split(
            separator: 0, omittingEmptySubsequences: false)
        return parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : ""
    }

    func process(of window: UInt32) throws(Failure) -> Int32? {
        try screen.perform { () throws(XServer.Failure) in
            try screen.exchange.process(ofWindow: XScreen.four(window))
        }
    }

    // MARK: Properties

    private static func atom(_ name: String, _ screen: XScreen) throws(Failure) -> [UInt8]? {
        try screen.perform { () throws(XServer.Failure) in try screen.exchange.atom(name) }
    }

    /// Returns the first 64 KiB of a property; empty if the window does not have it.
    private static func property(
        _ name: [UInt8], of window: UInt32, _ screen: XScreen
    ) throws(Failure) -> [UInt8] {
        // GetProperty, of any type, from the beginning
        let request = XScreen.four(window) + name + XScreen.four(0) + XScreen.four(0) + XScreen.four(1 << 14)
        guard let reply = try screen.reply(to: 20, 0, request), reply.count >= 32 else { return [] }
        return Array(reply.dropFirst(32).prefix(Int(XExchange.word(reply, 16)) * Int(reply[1]) / 8))
    }

    private static func numbers(_ bytes: [UInt8]) -> [UInt32] {
        stride(from: 0, to: bytes.count & ~3, by: 4).map { XExchange.word(bytes, $0) }
    }
}
