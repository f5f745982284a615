package import LinuxSystem
import PasteboardWire

package struct BridgeOptions: Sendable {
    /// The X display to serve, as DISPLAY names it; nil for none.
    package var display: String?
    /// The Wayland display to serve; nil for none.
    package var wayland: WaylandName?
    /// The name of the Wayland seat to use; nil for the first.
    package var seat: String?
    /// True to take over from a bridge that is already running.
    package var replaces = false
    /// The timeout for opening the display; nil for the maximum timeout of a call.
    package var timeout: Duration?
    /// True for a bridge that serves only its own display, with this process's settings: a client may neither attach
    /// another display nor set XAUTHORITY.
    package var isClosed = false
    /// The maximum number of connected clients. Each costs one descriptor, plus the descriptors of its transfers.
    package var clientLimit = Int.max
    /// True to store contents, so that they outlive the bridge.
    package var persists = true
    /// The listening sockets, by path, that a service manager has opened in the folder where clients look for the
    /// bridge. The bridge serves these too, and leaves them in place when it ends.
    package var listeners: [String: Descriptor] = [:]
    /// Phrases for the attributes that the bridge inherited from the program that started it, and could not reset.
    package var inherited: [String] = []
    /// The command that converts a picture, without the name of the format; nil for none.
    package var pictureCommand: [String]?
    var limits = WireLimits()

    package init() {}
}
