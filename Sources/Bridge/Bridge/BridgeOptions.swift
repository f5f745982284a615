package import LinuxSystem
import PasteboardWire

package struct BridgeOptions: Sendable {
    /// The X display to serve, as DISPLAY names it; nil for none.
    package var display: String?
    /// The Wayland display to serve; nil for none.
    package var wayland: WaylandName?
    /// The name of the Wayland seat to use; nil for the first.
    package var seat: String?
    /// True to take over from a bridge that runs already.
    package var replaces: Bool
    /// The time for the display to open; nil for the maximum timeout of a call.
    package var timeout: Duration?
    /// True for a bridge that serves its display and no other, with the settings of this process: a client may neither
    /// attach another display nor set XAUTHORITY.
    package var isClosed: Bool
    /// The maximum number of connected clients; each costs a descriptor, and those of its transfers.
    package var clientLimit: Int
    /// True to store contents, so that they outlive the bridge.
    package var persists: Bool
    /// Sockets, by path, on which a service manager already listens in the folder where clients look for the bridge.
    /// The bridge serves these as well, and leaves them in place when it ends.
    package var listeners: [String: Descriptor] = [:]
    /// Phrases for the attributes that the bridge inherited from the program that started it, and could not reset.
    package var inherited: [String] = []
    var limits = WireLimits()

    package init(
        display: String?, wayland: WaylandName? = nil, replaces: Bool = false, timeout: Duration? = nil,
        isClosed: Bool = false,
        clientLimit: Int = .max, persists: Bool = true
    ) {
        self.persists = persists
        self.display = display
        self.wayland = wayland
        self.replaces = replaces
        self.timeout = timeout
        self.isClosed = isClosed
        self.clientLimit = clientLimit
    }
}
