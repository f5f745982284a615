package import LinuxSystem
import PasteboardWire

/// How a bridge is to run.
package struct BridgeOptions: Sendable {
    /// The display to serve, as DISPLAY names it; nil serves pasteboards without one.
    package var display: String?
    /// Take over from a bridge that is there.
    package var replaces: Bool
    /// How long the display may take to open; nil for as long as a program that waits for it would.
    package var timeout: Duration?
    /// Serve that display and no other, with the settings of this process: a client may not have another one attached,
    /// nor may it set XAUTHORITY here.
    package var isClosed: Bool
    /// So many clients are connected at once; each costs a descriptor, and what it holds some more. Others wait.
    package var clientLimit: Int
    /// What is on the pasteboards outlives the bridge.
    package var persists: Bool
    /// Sockets in the folder where clients look for the bridge on which a service manager listens already, by their
    /// paths. The bridge serves these, too, and leaves them there when it ends.
    package var listeners: [String: Descriptor] = [:]
    var limits = WireLimits()

    package init(
        display: String?, replaces: Bool = false, timeout: Duration? = nil, isClosed: Bool = false,
        clientLimit: Int = .max, persists: Bool = true
    ) {
        self.persists = persists
        self.display = display
        self.replaces = replaces
        self.timeout = timeout
        self.isClosed = isClosed
        self.clientLimit = clientLimit
    }
}
