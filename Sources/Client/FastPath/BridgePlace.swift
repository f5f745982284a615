import LinuxSystem

/// The socket of the bridge of a local X display, or of a Wayland display.
package struct BridgePlace: Equatable, Sendable {
    /// The path of the socket.
    package let socket: [UInt8]
    /// The X display's name as the caller spells it; empty for a Wayland display.
    package let display: [UInt8]
    /// The file that XAUTHORITY names, which is sent to the bridge before every call.
    package let authority: [UInt8]?

    /// Fails if the environment names anything but a plain local display or compositor, or names a folder that other
    /// users can change. A slower search then finds the bridge, or the reason why there is none.
    package init?() {
        self.init(
            runtime: Environment.bytes(of: "XDG_RUNTIME_DIR"), display: Environment.bytes(of: "DISPLAY"),
            wayland: Environment.bytes(of: "WAYLAND_DISPLAY"), authority: Environment.bytes(of: "XAUTHORITY"),
            user: PeerCredentials.own.user)
    }

    /// - Parameters:
    ///   - runtime: The value of XDG_RUNTIME_DIR.
    ///   - display: The value of DISPLAY.
    ///   - wayland: The value of WAYLAND_DISPLAY, which is used only if there is no X display.
    ///   - authority: The value of XAUTHORITY.
    package init?(runtime: [UInt8]?, display: [UInt8]?, wayland: [UInt8]? = nil, authority: [UInt8]?, user: UInt32) {
        guard let runtime, runtime.first == UInt8(ascii: "/"), runtime.allSatisfy(FastName.isPlain),
            let key = Self.key(ofDisplay: display ?? [], wayland: wayland ?? [])
        else { return nil }
        let folder = runtime + "/xpb".utf8
        guard Self.isSafe(runtime, user: user), Self.isPrivate(folder, user: user) else { return nil }
        let display = display ?? []
        if let authority, !authority.isEmpty, !display.isEmpty {
            guard authority.allSatisfy(FastName.isPlain) else { return nil }
            self.authority = authority
        } else {
            self.authority = nil
        }
        self.display = display
        socket = folder + "/".utf8 + key + ".sock".utf8
    }

    private static func key(ofDisplay display: [UInt8], wayland: [UInt8]) -> [UInt8]? {
        guard display.isEmpty else { return number(ofDisplay: display).map { Array(":".utf8) + $0 } }
        guard !wayland.isEmpty, wayland.first != UInt8(ascii: "."), wayland.allSatisfy(isPlainInName) else {
            return nil
        }
        return Array("wayland=".utf8) + wayland
    }

    /// Returns true for a byte that appears unchanged in the name of a socket.
    private static func isPlainInName(_ byte: UInt8) -> Bool {
        isDigit(byte) || (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z"))
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
    }

    /// Returns the digits between the colon and the screen: `0` for both `:0` and `:0.0`.
    private static func number(ofDisplay name: [UInt8]) -> ArraySlice<UInt8>? {
        guard name.first == UInt8(ascii: ":"), name.count <= 10 else { return nil }
        let number = name[1...].prefix(while: isDigit)
        guard !number.isEmpty, number.count == 1 || number.first != UInt8(ascii: "0") else { return nil }
        let screen = name[number.endIndex...]
        guard
            screen.isEmpty
                || screen.first == UInt8(ascii: ".") && screen.count > 1 && screen.dropFirst().allSatisfy(isDigit)
        else { return nil }
        return number
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    /// Returns true if no other user can replace a folder in this one or in any folder above it. Links are not
    /// followed, since their targets would have to be checked too.
    private static func isSafe(_ folder: [UInt8], user: UInt32) -> Bool {
        var end = folder.count
        while true {
            guard let status = try? FileStatus(ofPath: Array(folder[..<max(end, 1)]), followsSymlink: false),
                status.isFolder, status.permissions & 0o022 == 0 || status.permissions & 0o1000 != 0,
                end < folder.count || status.user == user || status.user == 0
            else { return false }
            guard end > 0, let slash = folder[..<end].lastIndex(of: UInt8(ascii: "/")) else { return true }
            let name = folder[(slash + 1)..<end]
            guard !name.isEmpty, name.first != UInt8(ascii: ".") else { return false }
            end = slash
        }
    }

    private static func isPrivate(_ folder: [UInt8], user: UInt32) -> Bool {
        guard let status = try? FileStatus(ofPath: folder, followsSymlink: false) else { return false }
        return status.isFolder && status.user == user && status.permissions & 0o777 == 0o700
    }
}
