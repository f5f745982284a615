import SystemPackage

/// The name of an X display, as DISPLAY has it, read as libxcb reads it (`xcb_parse_display`).
///
///     [host]:number[.screen]    tcp/host:number    unix:number    unix/host:number    [unix:]path
///
/// In place of `tcp` there may be `inet` or `inet6`. A screen is no display of its own: selections belong to the server.
package struct DisplayName: Sendable, Hashable {
    /// Where the X server listens.
    package enum Server: Sendable, Hashable {
        /// The local server of that number.
        case local(number: Int)
        /// Over TCP; the host in small letters. A display forwarded by ssh is `localhost` with a number from 10 on.
        case remote(host: String, number: Int)
        /// At a socket of that path.
        case socket(path: String)
    }

    package let server: Server

    /// - Parameters:
    ///   - name: The value of DISPLAY.
    ///   - exists: Whether there is a file of that path: it decides whether `.1` at the end of a path is a screen.
    /// - Returns: nil for what is no display's name, the empty string included.
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
            // In small letters this host would be the local server.
            let isLikeLocal = host.lowercased() == "unix"
            server = .remote(host: isLikeLocal ? String(host) : host.lowercased(), number: number)
        }
    }

    /// Whether it belongs to another machine: over TCP, by ssh's forwarding, whose numbers begin at 10, or as it is.
    package var isForwarded: Bool {
        guard case .remote(let host, let number) = server else { return false }
        return number >= 10 || !["localhost", "127.0.0.1", "[::1]", "::1"].contains(host)
    }

    /// The file of its socket on this machine, whether it is there or not; nil for a display that is reached by TCP.
    package var socketPath: String? {
        switch server {
        case .local(let number): "\(Self.localSockets)\(number)"
        case .remote: nil
        case .socket(let path): path
        }
    }

    /// One spelling for all names of a display: `:0` for `:0.0`, `unix:0` and `/tmp/.X11-unix/X0`.
    package var canonical: String {
        switch server {
        case .local(let number): ":\(number)"
        case .remote(let host, let number): "\(host):\(number)"
        case .socket(let path): path
        }
    }

    /// ``canonical`` as the name of a file: other bytes than letters, digits and `: . _ -` are percent-escaped, and
    /// so is a leading point. The key of a display is never ``keyOfNone``.
    package var key: String {
        var key = ""
        for byte in canonical.utf8 {
            let character = Character(Unicode.Scalar(byte))
            let isPlain = character.isASCII && (character.isLetter || character.isNumber || ":._-".contains(character))
            if isPlain && !(key.isEmpty && character == ".") {
                key.append(character)
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                key += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return key
    }

    /// The key of a bridge without a display.
    package static let keyOfNone = "none"

    package static func isFile(_ path: String) -> Bool {
        (try? Stat(FilePath(path))) != nil
    }

    /// Those over which libxcb finds a remote server.
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

    /// Digits only: no sign, no space, nothing that does not fit.
    private static func decimal(_ text: Substring) -> Int? {
        guard text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else { return nil }
        return Int32(text).map(Int.init)
    }
}
