import BridgeClient
package import CommandCore
import LinuxSystem

/// The window into which a command pastes what it copies.
///
/// The window is found before the user chooses, and no other gets keys: they are typed by the XTEST extension ("X Test
/// Extension Protocol") while the server serves nobody else, and only if the window has the focus then.
package struct PasteTarget {
    private let windows: WindowList
    private let window: UInt32
    private let keyboard: XKeyboard
    /// The opcode of XTEST.
    private let opcode: UInt8
    package let keys: PasteKeys

    /// The time for the window to get the focus, and for the user to release the keys that are down.
    private static let timeout = Duration.seconds(2)
    /// The time between two looks at the focus and the keys.
    ///
    /// No event says that both are as they should be: keys are reported to the window that has the focus.
    private static let interval = Duration.milliseconds(10)

    /// Finds the window that the user was in when the command started.
    package static func find(for session: Session) throws(Failure) -> PasteTarget {
        let screen = try XScreen(
            option: session.common.display, environment: session.environment, timeout: session.timeout.duration)
        let windows = WindowList(screen: screen)
        func opcode(_ name: String) throws(Failure) -> UInt8? {
            try screen.perform { () throws(XServer.Failure) in try screen.exchange.opcode(ofExtension: name) }
        }
        guard try opcode("XWAYLAND") == nil else {
            throw Failure(.unavailable, "the programs of a Wayland session take no keys from other programs")
        }
        guard let test = try opcode("XTEST") else {
            throw Failure(.unavailable, "the X server lacks XTEST, by which keys are typed")
        }
        guard let window = try window(among: windows) else { throw Failure(.nothing, "no window has the focus") }
        return PasteTarget(
            windows: windows, window: window, keyboard: try XKeyboard(of: screen), opcode: test,
            keys: PasteKeys(ofClass: try windows.windowClass(window)))
    }

    /// Returns the active window. If that is a terminal that runs only this command, the window below it is returned,
    /// which was active before.
    private static func window(among windows: WindowList) throws(Failure) -> UInt32? {
        guard let active = try windows.active(), TerminalDevice.isOpenedForThisProcess, try isOurs(active, windows)
        else {
            return try windows.active()
        }
        for window in try windows.visible() where try !isOurs(window, windows) { return window }
        return nil
    }

    private static func isOurs(_ window: UInt32, _ windows: WindowList) throws(Failure) -> Bool {
        guard let process = try windows.process(of: window) else { return false }
        return ProcessState.isAncestor(process, of: ThisProcess.processID)
    }

    /// Types the keys that paste, once the window has the focus and the user has released all keys.
    ///
    /// Keys that stay down are released, because Shift would change the meaning of Ctrl+V. They are not pressed again:
    /// the server would then take them for down until they are pressed and released once more.
    package func paste() throws(Failure) {
        if try !windows.hasFocus(window) { try windows.activate(window) }
        let deadline = ContinuousClock.now + Self.timeout
        while true {
            let isLate = ContinuousClock.now >= deadline
            let isFocused = try windows.hasFocus(window)
            let isIdle = try XKeyboard.keysDown(of: windows.screen).isEmpty
            if isFocused, isIdle || isLate, try type() { return }
            if isLate {
                throw Failure(.broken, isFocused ? "the keyboard lacks the keys" : "the window has lost the focus")
            }
            var nothing = PollSet()
            _ = try? nothing.wait(until: .now + Self.interval)
        }
    }

    /// Types the keys while no other client is served. Returns false if the window does not have the focus.
    private func type() throws(Failure) -> Bool {
        let screen = windows.screen
        // GrabServer and UngrabServer
        try screen.send(36)
        let isFocused = try windows.hasFocus(window)
        if isFocused {
            for stroke in keyboard.strokes(of: keys.symbols, whileDown: try XKeyboard.keysDown(of: screen)) ?? [] {
                // FakeInput: a KeyPress is 2, and a KeyRelease 3
                let event = [stroke.isDown ? 2 : 3, stroke.keycode] + [UInt8](repeating: 0, count: 30)
                try screen.send(opcode, 2, event)
            }
        }
        try screen.send(37)
        try screen.synchronize()
        return isFocused
    }
}
