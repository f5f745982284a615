import CommandCore
import Glibc
import LinuxSystem
import SystemPackage

/// A window of an X server into which a command pastes.
///
/// The keys are typed by the XTEST extension ("X Test Extension Protocol") while the server serves nobody else, and
/// only if the window has the focus then and no program has the keyboard for itself.
struct XPasteTarget: PasteTarget {
    private let windows: XWindows
    let window: UInt32
    /// The opcode of XTEST.
    private let opcode: UInt8
    private let windowClass: String

    /// The server reports only the end of the window.
    func handleEvents(untilReadable input: FileDescriptor) {}

    func awaitWindow() {}

    var keys: PasteKeys { PasteKeys(ofClass: windowClass) }

    /// The time for the window to get the focus back, and for the user to release the keys that are down.
    private static let timeout = Duration.seconds(2)
    /// The time between two looks at the focus and the keys.
    ///
    /// No event says that both are as they should be: keys are reported to the window that has the focus.
    private static let interval = Duration.milliseconds(10)

    /// Finds the window that is active now, or the previous one if a program runs this command from its own window. The
    /// program should close or hide that window now.
    static func findActive(for session: Session) throws(Failure) -> XPasteTarget {
        let server = try Server(option: session.common.display, session.environment, session.timeout.duration)
        let active = try server.activeWindow()
        let target: XPasteTarget
        switch try server.runner(owning: active) {
        // A shell would carry out the lines of the text, since it is not editing its command line now.
        case .terminal: throw .pasteNotPossible("the active window is the terminal that runs this command")
        case .program: target = try XPasteTarget(server.previousWindow(of: active), of: server)
        case nil: target = try XPasteTarget(active, of: server)
        }
        let window = target.window == active ? "active" : "previous"
        session.console.detail("pastes into the \(window) window, of the class '\(target.windowClass)'")
        return target
    }

    /// Finds the window that was active before the terminal of this command, which has the focus now.
    static func findPrevious(for session: Session) throws(Failure) -> XPasteTarget {
        let server = try Server(option: session.common.display, session.environment, session.timeout.duration)
        let terminal = try server.activeWindow()
        guard try server.runner(owning: terminal) == .terminal else {
            throw .pasteNotPossible("the active window is not the terminal that runs this command")
        }
        return try XPasteTarget(server.previousWindow(of: terminal), of: server)
    }

    private init(_ window: UInt32, of server: Server) throws(Failure) {
        try server.windows.watch(window)
        windows = server.windows
        opcode = server.opcode
        self.window = window
        windowClass = try windows.windowClass(of: window)
    }

    /// Finds a window by its number.
    init(_ window: UInt32, environment: [String: String], timeout: Duration) throws(Failure) {
        try self.init(window, of: Server(option: nil, environment, timeout))
    }

    /// A program that runs this command.
    private enum Runner { case terminal, program }

    /// An X server that lets programs type.
    private struct Server {
        let windows: XWindows
        let opcode: UInt8

        init(option: String?, _ environment: [String: String], _ timeout: Duration) throws(Failure) {
            let screen = try XScreen(option: option, environment: environment, timeout: timeout)
            let (isXwayland, opcode) = try screen.perform { () throws(XServer.Failure) in
                (try screen.exchange.isXwayland(), try screen.exchange.opcode(ofExtension: "XTEST"))
            }
            guard !isXwayland else {
                throw .pasteNotPossible("programs of a Wayland session take no keys from other programs")
            }
            guard let opcode else { throw .pasteNotPossible("the X server lacks XTEST, by which keys are typed") }
            self.opcode = opcode
            windows = try XWindows(of: screen)
        }

        func activeWindow() throws(Failure) -> UInt32 {
            guard let window = try windows.active() else { throw .pasteNotPossible("no window is active") }
            return window
        }

        /// Returns the window that was active before a window.
        func previousWindow(of window: UInt32) throws(Failure) -> UInt32 {
            guard let previous = try windows.recent().first(where: { $0 != window }) else {
                throw .pasteNotPossible("the bridge has seen no other window active")
            }
            return previous
        }

        /// Returns the kind of program that runs this command and owns a window; nil if the window's owner does not.
        func runner(owning window: UInt32) throws(Failure) -> Runner? {
            guard let process = try windows.process(of: window),
                ProcessState.isAncestor(process, of: ThisProcess.processID)
            else { return nil }
            // A terminal starts its shell in a session of the shell's own.
            return TerminalDevice.exists && getsid(process) != getsid(0) ? .terminal : .program
        }
    }

    /// Types the keys that paste, once the window has the focus and the user has released all keys.
    ///
    /// Keys that stay down are released, because Shift would change the meaning of Ctrl+V. They are not pressed again:
    /// the server would then take them for down until they are pressed and released once more.
    func paste() throws(Failure) {
        let deadline = ContinuousClock.now + Self.timeout
        while true {
            let isLate = ContinuousClock.now >= deadline
            let isIdle = try XKeyboard.keysDown(of: windows.screen).isEmpty
            if isIdle || isLate {
                // A signal must not stop or end the process while the server serves nobody else.
                let obstacle = try SignalMask.blocking([.terminalStop, .interrupt, .terminate, .hangup, .quit]) {
                    () throws(Failure) in try type()
                }
                guard let obstacle else { return }
                if isLate { throw .pasteNotPossible(obstacle) }
            }
            var nothing = PollSet()
            _ = try? nothing.wait(until: .now + Self.interval)
        }
    }

    /// Types the keys while the server serves no other client. Returns the reason if they cannot be typed now.
    private func type() throws(Failure) -> String? {
        let screen = windows.screen
        // GrabServer and UngrabServer
        try screen.send(36)
        let result = Result { () throws(Failure) -> String? in
            if let obstacle = try obstacle() { return obstacle }
            try press()
            return nil
        }
        try screen.send(37)
        try screen.synchronize()
        return try result.get()
    }

    private func obstacle() throws(Failure) -> String? {
        let isFocused = try windows.hasFocus(window)
        if windows.screen.exchange.destroyed.contains(window) { return "the window is closed" }
        if !isFocused { return "the window has lost the focus" }
        if try windows.isKeyboardGrabbed() { return "another program has the keyboard" }
        if try windows.screen.bridgeWindow(owning: "CLIPBOARD") == nil { return "another program has the clipboard" }
        return nil
    }

    /// Presses and releases the keys. Throws if the keyboard lacks them: another try would press the modifiers again.
    private func press() throws(Failure) {
        let screen = windows.screen
        for keycode in try XKeyboard.keysDown(of: screen) { try fake(keycode, isDown: false) }
        let keyboard = try XKeyboard(of: screen)
        var (modifiers, group) = try XKeyboard.state(of: screen)
        let stroke = keys.stroke
        let held = stroke.held.compactMap { keyboard.keycode(of: $0, inGroup: group) }
        for keycode in held { try fake(keycode, isDown: true) }
        defer { for keycode in held.reversed() { try? fake(keycode, isDown: false) } }
        // A layout may change its group by both keys, and a key may have another meaning on the keyboard of XTEST.
        (modifiers, group) = try XKeyboard.state(of: screen)
        guard modifiers == keys.modifiers, let key = keyboard.keycode(of: stroke.pressed, inGroup: group) else {
            throw .pasteNotPossible("the keyboard lacks the keys \(keys.description)")
        }
        try fake(key, isDown: true)
        try fake(key, isDown: false)
    }

    private func fake(_ keycode: UInt8, isDown: Bool) throws(Failure) {
        // FakeInput: a KeyPress is 2, and a KeyRelease 3
        try windows.screen.send(opcode, 2, [isDown ? 2 : 3, keycode] + [UInt8](repeating: 0, count: 30))
    }
}
