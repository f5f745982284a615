import CommandCore

/// The windows of an X server, as its window manager reports them ("Extended Window Manager Hints").
struct WindowList {
    let screen: XScreen

    /// The window that is active; nil if none is.
    ///
    /// Without a window manager this is the window that has the focus.
    func active() throws(Failure) -> UInt32? {
        guard try hasManager() else { return try focus() }
        return try numbers("_NET_ACTIVE_WINDOW", of: screen.root).first { $0 != 0 }
    }

    func hasManager() throws(Failure) -> Bool {
        try numbers("_NET_SUPPORTED", of: screen.root).contains(
            try atom("_NET_ACTIVE_WINDOW").map { XExchange.word($0, 0) } ?? 0)
    }

    /// The window that has the focus; nil for none, and for the one under the pointer.
    func focus() throws(Failure) -> UInt32? {
        // GetInputFocus; 0 is none, and 1 the window under the pointer
        guard let reply = try screen.reply(to: 43), reply.count >= 12 else { return nil }
        let window = XExchange.word(reply, 8)
        return window > 1 ? window : nil
    }

    /// Returns true if a window or one of those in it has the focus.
    func hasFocus(_ window: UInt32) throws(Failure) -> Bool {
        if try hasManager() {
            guard try active() == window else { return false }
        }
        guard var next = try focus() else { return false }
        while next != window {
            // QueryTree
            guard let reply = try screen.reply(to: 15, 0, XScreen.four(next)), reply.count >= 16 else { return false }
            next = XExchange.word(reply, 12)
            if next == 0 { return false }
        }
        return true
    }

    /// The windows that a user can see and choose on the present desktop, top first.
    func visible() throws(Failure) -> [UInt32] {
        let desktop = try numbers("_NET_CURRENT_DESKTOP", of: screen.root).first
        let hidden = try atom("_NET_WM_STATE_HIDDEN").map { XExchange.word($0, 0) }
        var kinds: Set<UInt32> = []
        for name in ["DOCK", "DESKTOP", "SPLASH", "NOTIFICATION"] {
            if let atom = try atom("_NET_WM_WINDOW_TYPE_\(name)") { kinds.insert(XExchange.word(atom, 0)) }
        }
        var windows: [UInt32] = []
        for window in try numbers("_NET_CLIENT_LIST_STACKING", of: screen.root).reversed() {
            let place = try numbers("_NET_WM_DESKTOP", of: window).first
            guard place == nil || place == .max || place == desktop,
                try !numbers("_NET_WM_STATE", of: window).contains(where: { $0 == hidden }),
                kinds.isDisjoint(with: try numbers("_NET_WM_WINDOW_TYPE", of: window))
            else { continue }
            windows.append(window)
        }
        return windows
    }

    /// Asks the window manager to activate a window, as a pager does.
    func activate(_ window: UInt32) throws(Failure) {
        guard let atom = try atom("_NET_ACTIVE_WINDOW") else { return }
        // A ClientMessage with 32-bit data: 2 is a pager, which acts for the user.
        let event = [33, 32, 0, 0] + XScreen.four(window) + atom + XScreen.four(2) + [UInt8](repeating: 0, count: 16)
        // SendEvent to the root window, for those that manage windows
        try screen.send(25, 0, XScreen.four(screen.root) + XScreen.four(1 << 20 | 1 << 19) + event)
    }

    /// Returns the class of a window; empty if it has none.
    func windowClass(_ window: UInt32) throws(Failure) -> String {
        let parts = try property("WM_CLASS", of: window).split(separator: 0, omittingEmptySubsequences: false)
        return parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : ""
    }

    func process(of window: UInt32) throws(Failure) -> Int32? {
        try screen.perform { () throws(XServer.Failure) in
            try screen.exchange.process(ofWindow: XScreen.four(window))
        }
    }

    // MARK: Properties

    private func atom(_ name: String) throws(Failure) -> [UInt8]? {
        try screen.perform { () throws(XServer.Failure) in try screen.exchange.atom(name) }
    }

    private func numbers(_ name: String, of window: UInt32) throws(Failure) -> [UInt32] {
        let bytes = try property(name, of: window)
        return stride(from: 0, to: bytes.count & ~3, by: 4).map { XExchange.word(bytes, $0) }
    }

    /// Returns the first 64 KiB of a property; empty if the window does not have it.
    private func property(_ name: String, of window: UInt32) throws(Failure) -> [UInt8] {
        guard let atom = try atom(name) else { return [] }
        // GetProperty, of any type, from the beginning
        let request = XScreen.four(window) + atom + XScreen.four(0) + XScreen.four(0) + XScreen.four(1 << 14)
        guard let reply = try screen.reply(to: 20, 0, request), reply.count >= 32 else { return [] }
        return Array(reply.dropFirst(32).prefix(Int(XExchange.word(reply, 16)) * Int(reply[1]) / 8))
    }
}
