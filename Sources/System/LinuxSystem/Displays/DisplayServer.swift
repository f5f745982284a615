package import SystemPackage

/// The program that listens on the socket of an X display.
package enum DisplayServer {
    /// Returns true if an X server itself listens at the other end of a connection. On a socket of Xwayland, the
    /// compositor listens, even before Xwayland starts.
    ///
    /// The atoms that compositors make for Xwayland prove nothing: KWin makes them in X11 sessions, too.
    package static func isAlone(_ connection: FileDescriptor) -> Bool {
        guard let peer = try? PeerCredentials.of(connection), let name = ProcessName.of(peer.process) else {
            return false
        }
        return name.hasPrefix("X") && name != "Xwayland"
    }
}
