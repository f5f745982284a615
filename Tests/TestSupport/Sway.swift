import Foundation

/// A Wayland compositor for the tests, without a screen.
package enum Sway {
    /// Runs `body` with a compositor that is killed when `body` ends.
    ///
    /// - Parameters:
    ///   - hasXwayland: True for a compositor that also serves X11 programs.
    ///   - folder: The folder for the compositor's socket; created if it does not exist.
    ///   - body: Called with the variables of the compositor's clients.
    package static func running<Result: Sendable>(
        in folder: String, hasXwayland: Bool = false, _ body: ([String: String]) async throws -> Result
    ) async throws -> Result {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let configuration = "\(folder)/config"
        let xwayland = hasXwayland ? "force" : "disable"
        try "xwayland \(xwayland)\nexec echo $WAYLAND_DISPLAY $DISPLAY\n".write(
            toFile: configuration, atomically: false, encoding: .utf8)
        var environment = Binaries.baseEnvironment
        environment["XDG_RUNTIME_DIR"] = folder
        environment["WLR_BACKENDS"] = "headless"
        environment["WLR_RENDERER"] = "pixman"
        environment["WLR_LIBINPUT_NO_DEVICES"] = "1"
        // sway refuses to be started by root, and Xwayland cannot run its compiler of keymaps without a group.
        let command = [
            "unshare", "--user", "--map-user=65534", "--map-group=65534", "sway", "--config", configuration,
        ]
        return try await TestSupport.running(command, environment: environment) { compositor in
            let displays = try await compositor.line().split(separator: " ").map(String.init)
            var variables = ["XDG_RUNTIME_DIR": folder, "WAYLAND_DISPLAY": displays[0]]
            if hasXwayland { variables["DISPLAY"] = displays[1] }
            return try await body(variables)
        }.result
    }
}
