import BridgeClient
import LinuxSystem

/// The first screen of an X server of this machine, for the requests of a command that does not link Xlib.
package struct XScreen {
    package let exchange: XExchange
    private let display: DisplayName
    /// The root window.
    package let root: UInt32
    /// The numbers of the keys.
    package let keycodes: ClosedRange<UInt8>
    /// The number of the first window that this client may create.
    package let firstWindow: UInt32

    /// Connects to a display.
    ///
    /// - Parameter option: The display that the user names; nil for that of the environment.
    package init(option: String?, environment: [String: String], timeout: Duration) throws(Failure) {
        do {
            guard let wanted = try RequestedDisplay.chosen(option: option, environment: environment) else {
                throw Failure(.unavailable, "DISPLAY is not set")
            }
            display = wanted.name
            guard let path = wanted.name.socketPath else {
                throw Failure(.refused, "only displays of this machine can be used for this")
            }
            let socket = try UnixSocket.connect(to: path, timeout: timeout)
            let cookie = DisplayState.entry(for: wanted, environment)?.data
            let body: [UInt8]
            (exchange, body) = try XExchange.greet(on: socket, cookie: cookie, timeout: timeout)
            // The first screen follows the vendor's name and the formats of eight bytes each.
            let vendor = (XExchange.number(body, 16) + 3) & ~3
            let screen = 32 + vendor + 8 * Int(body[21])
            // Keys have numbers from 8 on (chapter 5).
            guard body.count >= screen + 4, 8 <= body[26], body[26] <= body[27] else { throw XServer.Failure.strange }
            root = XExchange.word(body, screen)
            keycodes = body[26]...body[27]
            firstWindow = XExchange.word(body, 4)
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(.unavailable, "the display cannot be used: \(error)")
        }
    }

    /// Sends a request that has no reply. If the server answers it with an error, ``synchronize()`` throws.
    ///
    /// - Parameter rest: The request after its first four bytes, a multiple of four bytes long.
    package func send(_ opcode: UInt8, _ data: UInt8 = 0, _ rest: [UInt8] = []) throws(Failure) {
        try perform { () throws(XServer.Failure) in try exchange.send(opcode, data, rest) }
    }

    /// Sends a request and returns its reply; nil if the server answers with an error.
    ///
    /// - Parameter rest: The request after its first four bytes, a multiple of four bytes long.
    package func reply(to opcode: UInt8, _ data: UInt8 = 0, _ rest: [UInt8] = []) throws(Failure) -> [UInt8]? {
        try perform { () throws(XServer.Failure) in try exchange.reply(to: opcode, data, rest) }
    }

    /// Waits until the server has performed all requests, and throws if one without a reply has failed.
    package func synchronize() throws(Failure) {
        try perform { () throws(XServer.Failure) in try exchange.synchronize() }
    }

    /// Returns the window by which the display's bridge owns a selection; nil if the bridge does not own it.
    package func bridgeWindow(owning selection: String) throws(Failure) -> UInt32? {
        let (owner, bridge) = (try owner(of: selection), try bridge())
        guard let owner, let bridge, owner.process != nil, owner.process == bridge.process else { return nil }
        return owner.window
    }

    /// Returns the bridge of the display; nil if there is none.
    package func bridge() throws(Failure) -> XServer.Holder? {
        try owner(of: display.bridgeSelection(ofScreen: 0))
    }

    private func owner(of selection: String) throws(Failure) -> XServer.Holder? {
        try perform { () throws(XServer.Failure) in try exchange.owner(ofSelection: selection) }
    }

    package func perform<Result>(_ body: () throws(XServer.Failure) -> Result) throws(Failure) -> Result {
        do {
            return try body()
        } catch {
            throw Failure(.broken, "the X server did not carry out a request: \(error)")
        }
    }

    /// Returns the four bytes of a number.
    package static func four(_ number: UInt32) -> [UInt8] {
        XExchange.two(Int(number & 0xFFFF)) + XExchange.two(Int(number >> 16))
    }
}
