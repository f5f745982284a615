import FastPath
import Foundation
import LinuxSystem
import PasteboardWire
import Testing

/// A runtime folder, as in `XDG_RUNTIME_DIR`, with the folder that contains the bridges' sockets.
final class RuntimeFolder {
    let path = "/tmp/xpb-\(String(UInt64.random(in: .min ... .max), radix: 36))"

    init() throws {
        for folder in [path, path + "/xpb"] {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func setMode(_ mode: Int, of name: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path + name)
    }
}

@Suite struct BridgePlaceTests {
    let folder: RuntimeFolder
    let user = PeerCredentials.own.user

    init() throws { folder = try RuntimeFolder() }

    private func found(
        runtime: String? = nil, display: String? = ":7", wayland: String? = nil, authority: String? = nil,
        user: UInt32? = nil
    ) -> BridgePlace? {
        func bytes(_ text: String?) -> [UInt8]? { text.map { Array($0.utf8) } }
        return BridgePlace(
            runtime: bytes(runtime ?? folder.path), display: bytes(display), wayland: bytes(wayland),
            authority: bytes(authority), user: user ?? self.user)
    }

    @Test("The ordinary path finds the same socket for plain display names, and all other names are declined")
    func displays() throws {
        let runtimeDirectory = try RuntimeDirectory(environment: ["XDG_RUNTIME_DIR": folder.path])
        let plain = [":0", ":7", ":7.0", ":123.4", ":10"]
        let others = [
            "", ":", ":a", ":00", ":07", ":7.", ":7.a", ":7.0.0", "::7", ":-1", ":12345678901", "host:0", "unix:0",
            "localhost:10.0", "/tmp/.X11-unix/X0", ":7 ", " :7", "tcp/host:1", "7",
        ]
        for display in plain + others {
            let place = found(display: display)
            #expect((place != nil) == plain.contains(display), "\(display)")
            guard let place else { continue }
            let key = try #require(DisplayName(display)?.key)
            #expect(place.socket == Array(runtimeDirectory.socketPath(key).utf8))
            #expect(place.display == Array(display.utf8))
        }
        #expect(found(display: nil) == nil)
    }

    @Test("Without an X display, the socket is the Wayland display's socket")
    func waylandDisplays() throws {
        let runtimeDirectory = try RuntimeDirectory(environment: ["XDG_RUNTIME_DIR": folder.path])
        let plain = ["wayland-0", "wayland-12", "sway_1", "a.b"]
        let others = ["", ".hidden", "/run/user/1/wayland-0", "a b", "a:0", "ä", "a/b", "a=b"]
        for (display, name) in (plain + others).flatMap({ name in [(nil, name), ("", name)] as [(String?, String)] }) {
            let place = found(display: display, wayland: name, authority: "/tmp/authority")
            #expect((place != nil) == plain.contains(name), "\(name)")
            guard let place else { continue }
            let key = try #require(WaylandName(name, runtimeDirectory: folder.path)?.key)
            #expect(place.socket == Array(runtimeDirectory.socketPath(key).utf8))
            #expect(place.authority == nil)
        }
        #expect(found(wayland: "wayland-0") == found())
    }

    @Test("A folder that the ordinary path refuses is declined")
    func folders() throws {
        #expect(found() != nil)
        #expect(found(runtime: folder.path + "/nothing") == nil)
        #expect(found(runtime: "relative") == nil)
        #expect(found(runtime: "") == nil)
        #expect(found(user: user + 1) == nil)
        for (mode, name) in [(0o755, "/xpb"), (0o600, "/xpb"), (0o777, ""), (0o722, "")] {
            try folder.setMode(mode, of: name)
            #expect(found() == nil)
            #expect(throws: RuntimeDirectoryError.self) {
                try RuntimeDirectory(environment: ["XDG_RUNTIME_DIR": folder.path])
            }
            try folder.setMode(0o700, of: name)
        }
        // A sticky folder, such as /tmp, may be writable by others.
        try folder.setMode(0o1777, of: "")
        #expect(found() != nil)
    }

    @Test("Links and paths with alternative spellings are declined")
    func links() throws {
        let link = folder.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path)
        #expect(found(runtime: link) == nil)
        #expect(found(runtime: folder.path + "/") == nil)
        #expect(found(runtime: folder.path + "/.") == nil)
        #expect(found(runtime: folder.path + "/xpb/..") == nil)
        #expect(found(runtime: "/" + folder.path) == nil)
        #expect(found(runtime: "/") == nil)
        try FileManager.default.moveItem(atPath: folder.path + "/xpb", toPath: folder.path + "/moved")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/xpb", withDestinationPath: folder.path + "/moved")
        #expect(found() == nil)
    }

    @Test("A folder is declined if others can write to a non-sticky folder above it", arguments: [0o777, 0o772, 0o720])
    func ancestors(mode: Int) throws {
        let below = folder.path + "/xpb/below"
        for path in [below, below + "/xpb"] {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        }
        #expect(found(runtime: below) != nil)
        try folder.setMode(mode, of: "")
        #expect(found(runtime: below) == nil)
        try folder.setMode(mode | 0o1000, of: "")
        #expect(found(runtime: below) != nil)
    }

    @Test("The authority, if there is one, is sent before the call")
    func authority() throws {
        let place = try #require(found(display: ":7.0", authority: "/run/user/1000/.mutter-Xwaylandauth.ABC"))
        let message = FastCall.attach(place)
        #expect(message.last == 0)
        let call = try WireJSON.decode(WireCall<Methods.Attach.Parameters>.self, from: message)
        #expect(call.method == Methods.Attach.fullName)
        #expect(call.oneway == true)
        #expect(call.parameters.display == ":7.0")
        #expect(call.parameters.authority == "/run/user/1000/.mutter-Xwaylandauth.ABC")
        #expect(call.parameters.timeout == nil)
        for none in [nil, ""] {
            #expect(FastCall.attach(try #require(found(authority: none))).isEmpty)
        }
        // These paths would need an escape.
        #expect(found(authority: "/home/a\"b/.Xauthority") == nil)
        #expect(found(authority: "/home/ä/.Xauthority") == nil)
    }
}
