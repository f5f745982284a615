import Glibc
import SystemPackage

/// The name of an X display, as in DISPLAY, parsed as libxcb does (`xcb_parse_display`).
///
///     [host]:number[.screen]    tcp/host:number    unix:number    unix/host:number    [unix:]path
///
/// `tcp` may also be `inet` or `inet6`. The screen is ignored, because selections belong to the server.
package struct DisplayName: Sendable, Hashable {
    /// The place where the X server listens.
    package enum Server: Sendable, Hashable {
        /// The local server of this number.
        case local(number: Int)
        /// A server reached over TCP, with the host in lower case. A display forwarded by ssh is `localhost` with a
        /// number of 10 or more.
        case remote(host: String, number: Int)
        /// A server that listens on a socket with this path.
        case socket(path: String)
    }

    package let server: Server

    /// Parses the value of DISPLAY.
    ///
    /// - Parameter exists: Returns true if there is a file with this path. The result decides whether `.1` at the end
    ///   of a path is a screen.
    /// - Returns: nil for a string that is not the name of a display, such as an empty string.
    package init?(_ name: String, exists: (String) -> Bool = Self.isFile) {
        if let path = Self.path(in: name) {
            guard let server = Self.server(atPath: path, exists: exists) else { return nil }
            self.server = server
            return
        }
        guard let colon = name.lastIndex(of: ":"),
            let number = Self.number(beforeScreenIn: name[name.index(after: colon)...])
        else { return nil }
        let place = name[..<colon]
        let slash = place.lastIndex(of: "/")
        let networkProtocol = slash.map { place[..<$0] }
        let host = slash.map { place[place.index(after: $0)...] } ?? place
        if host.isEmpty || host == "unix" || networkProtocol == "unix" {
            guard networkProtocol == nil || networkProtocol == "unix" else { return nil }
            server = .local(number: number)
        } else {
            guard networkProtocol.map(Self.protocols.contains) ?? true,
                host.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
            else { return nil }
            // In lower case, this host would mean the local server.
            let isLikeLocal = host.lowercased() == "unix"
            server = .remote(host: isLikeLocal ? String(host) : host.lowercased(), number: number)
        }
    }

    /// True if the display belongs to another machine: either the host is a different one, or the number is 10 or more,
    /// as for displays that ssh forwards.
    package var isForwarded: Bool {
        guard case .remote(let host, let number) = server else { return false }
        return number >= 10 || !["localhost", "127.0.0.1", "[::1]", "::1"].contains(host)
    }

    /// Returns true if xvfb-run(1) started the X server for a single command. xvfb-run makes a folder for each server's
    /// keys.
    package static func isForOneCommand(authority: String?) -> Bool {
        Folder.name(of: Folder.containing(authority ?? "")).hasPrefix("xvfb-run.")
    }

    /// Returns the name of the manager selection (ICCCM 2.8) that a bridge owns on a screen.
    ///
    /// A bridge of another machine or user than the display's own has a different name, with its host and user id.
    package func bridgeSelection(ofScreen screen: Int) -> String {
        isGuest ? "_XPB_GUEST_\(ThisProcess.hostName)_\(getuid())_S\(screen)" : "_XPB_S\(screen)"
    }

    /// The path of the socket on this machine, which may not exist; nil for a display that is reached over TCP.
    package var socketPath: String? {
        switch server {
        case .local(let number): "\(Self.localSockets)\(number)"
        case .remote: nil
        case .socket(let path): path
        }
    }

    /// The one spelling for all names of a display: `:0` for `:0.0`, `unix:0` and `/tmp/.X11-unix/X0`.
    package var canonical: String {
        switch server {
        case .local(let number): ":\(number)"
        case .remote(let host, let number): "\(host):\(number)"
        case .socket(let path): path
        }
    }

    /// ``canonical`` as the name of a file. The key of a display is never ``keyWithoutDisplay``.
    package var key: String { FileKey.escaped(canonical) }

    package static let keyWithoutDisplay = "none"

    package static func isFile(_ path: String) -> Bool {
        (try? Stat(FilePath(path))) != nil
    }

    /// The protocols over which libxcb reaches a remote server.
    private static let protocols: [Substring] = ["tcp", "inet", "inet6"]

    private static let localSockets = "/tmp/.X11-unix/X"

    private static func path(in name: String) -> String? {
        if name.hasPrefix("/") { return name }
        return name.hasPrefix("unix:/") ? String(name.dropFirst("unix:".count)) : nil
    }

    private static func server(atPath name: String, exists: (String) -> Bool) -> Server? {
        guard !name.utf8.contains(0) else { return nil }
        var path = name[...]
        if let point = name.lastIndex(of: "."), decimal(name[name.index(after: point)...]) != nil, !exists(name) {
            path = name[..<point]
        }
        if path.hasPrefix(localSockets), let number = decimal(path.dropFirst(localSockets.count)) {
            return .local(number: number)
        }
        return .socket(path: String(path))
    }

    private static func number(beforeScreenIn text: Substring) -> Int? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ decimal($0) != nil }) else { return nil }
        return parts.first.flatMap(decimal)
    }

    /// Parses digits only, without sign or space; nil for a number that exceeds 32 bits.
    private static func decimal(_ text: Substring) -> Int? {
        guard text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else { return nil }
        return Int32(text).map(Int.init)
    }
}
