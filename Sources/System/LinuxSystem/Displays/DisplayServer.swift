package import SystemPackage

/// The program that listens at the socket of an X display.
package enum DisplayServer {
    /// Returns true if an X server listens at the other end of a connection itself. At a socket of Xwayland the
    /// compositor listens, from before Xwayland starts.
    ///
    /// The atoms that compositors make for Xwayland are no proof of it: KWin makes them in a session of X11, too.
    package static func isAlone(_ connection: FileDescriptor) -> Bool {
        guard let peer = try? PeerCredentials.of(connection), let name = ProcessName.of(peer.process) else {
            return false
        }
        return name.hasPrefix("X") && name != "Xwayland"
    }
}
