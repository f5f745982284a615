import PasteboardWire

/// How the bridge is to run.
package struct BridgeOptions: Sendable {
    /// The display to serve, as DISPLAY names it; nil serves pasteboards without one.
    package var display: String?
    /// Take over from a bridge that is there.
    package var replaces: Bool
    /// Where to tell the program that started the bridge how that went; see ``ReadyNotice``.
    package var readyDescriptor: Int32?
    var limits = WireLimits()

    package init(display: String?, replaces: Bool = false, readyDescriptor: Int32? = nil) {
        self.display = display
        self.replaces = replaces
        self.readyDescriptor = readyDescriptor
    }
}
