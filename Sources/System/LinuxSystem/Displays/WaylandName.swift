import Glibc
import SystemPackage

/// The name of a Wayland display, as in WAYLAND_DISPLAY: the path of the compositor's socket, or its name in
/// XDG_RUNTIME_DIR (libwayland, wl_display_connect).
package struct WaylandName: Sendable, Hashable {
    /// The path of the socket, which may not exist.
    package let socketPath: String
    /// The name relative to XDG_RUNTIME_DIR if the socket is there, else the path.
    package let canonical: String

    /// Parses the value of WAYLAND_DISPLAY.
    ///
    /// - Parameter runtimeDirectory: The value of XDG_RUNTIME_DIR.
    /// - Returns: nil for an empty name, and for a name relative to an unknown folder.
    package init?(_ name: String, runtimeDirectory: String?) {
        guard !name.isEmpty, !name.utf8.contains(0) else { return nil }
        let folder = runtimeDirectory.flatMap { $0.hasPrefix("/") ? $0 + ($0.hasSuffix("/") ? "" : "/") : nil }
        if name.hasPrefix("/") {
            socketPath = name
            canonical = folder.flatMap { name.hasPrefix($0) ? String(name.dropFirst($0.count)) : nil } ?? name
        } else {
            guard let folder else { return nil }
            socketPath = folder + name
            canonical = name
        }
    }

    /// Creates the name from WAYLAND_DISPLAY; nil if it names no display.
    package init?(environment: [String: String]) {
        guard let name = environment["WAYLAND_DISPLAY"] else { return nil }
        self.init(name, runtimeDirectory: environment["XDG_RUNTIME_DIR"])
    }

    /// The reason why a program of this user does not use the display; nil if it may. The session of another user,
    /// which sudo(8) can pass on to root, has its own bridge, which captures and stores for that user.
    package var refusal: String? {
        guard let socket = try? FileStatus(ofPath: socketPath, followsSymlink: true), socket.user != geteuid() else {
            return nil
        }
        let folder = FilePath(socketPath).removingLastComponent().string
        return "the Wayland display '\(canonical)' is in the session of user \(socket.user); run the command as that "
            + "user: sudo -u '#\(socket.user)' XDG_RUNTIME_DIR=\(folder) xpb"
    }

    /// The prefix of a Wayland display's name where the name of an X display is also accepted.
    package static let prefix = "wayland="

    /// The display's name where the name of an X display is also accepted.
    package var prefixed: String { Self.prefix + canonical }

    /// Parses a ``prefixed`` name.
    package init?(prefixed name: String, runtimeDirectory: String?) {
        guard name.hasPrefix(Self.prefix) else { return nil }
        self.init(String(name.dropFirst(Self.prefix.count)), runtimeDirectory: runtimeDirectory)
    }

    /// ``canonical`` as the name of a file, different from the key of any X display.
    package var key: String { Self.prefix + FileKey.escaped(canonical) }
}
