import Glibc

/// The user to whose session an X display belongs.
package struct DisplayUser {
    /// The owner of the display's socket.
    package var server: UInt32
    /// The environment of this process.
    package var environment: [String: String]
    /// The folder in which logind keeps the sessions (systemd-logind(8)).
    package var sessions = "/run/systemd/sessions"

    package init(server: UInt32, environment: [String: String], sessions: String = "/run/systemd/sessions") {
        self.server = server
        self.environment = environment
        self.sessions = sessions
    }

    /// Returns true if a display is the session of a user other than the given one.
    ///
    /// An X server that runs as root serves any user's session, so its own user says nothing: sudo(8), pkexec(1) or
    /// logind name the user.
    package func isOther(than user: UInt32, on display: DisplayName) -> Bool {
        guard server == 0 else { return server != user }
        guard user == 0 else { return false }
        let callers = ["SUDO_UID", "PKEXEC_UID"].compactMap { environment[$0].flatMap { UInt32($0) } }
        return (callers + [sessionUser(of: display)].compactMap(\.self)).contains { $0 != 0 }
    }

    /// Returns the user of the session that has a display, according to logind.
    private func sessionUser(of display: DisplayName) -> UInt32? {
        for name in (try? Folder.names(in: sessions)) ?? [] {
            guard let bytes = ProcessState.contents("\(sessions)/\(name)") else { continue }
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            func value(_ key: String) -> String? {
                lines.first { $0.hasPrefix("\(key)=") }.map { String($0.dropFirst(key.utf8.count + 1)) }
            }
            if value("DISPLAY").flatMap({ DisplayName($0) }) == display { return value("UID").flatMap { UInt32($0) } }
        }
        return nil
    }
}

extension DisplayName {
    /// True if a bridge is only a guest on the display: the display belongs to another machine or another user, whose
    /// own bridge captures and stores.
    ///
    /// The owner of the socket is the server's user. A connection would reveal that user too, but would end a server
    /// that ends with its last client.
    package var isGuest: Bool {
        if isForwarded { return true }
        guard let socketPath, let socket = try? FileStatus(ofPath: socketPath, followsSymlink: true) else {
            return false
        }
        let user = DisplayUser(server: socket.user, environment: ThisProcess.environment())
        return user.isOther(than: geteuid(), on: self)
    }
}
