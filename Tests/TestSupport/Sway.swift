import Foundation

/// A Wayland compositor for the tests, without a screen.
package enum Sway {
    /// Runs `body` with a compositor that serves no X11 programs, and is killed when `body` ends.
    ///
    /// - Parameters:
    ///   - folder: The folder for its socket, which is made if there is none.
    ///   - body: Is passed the variables of its clients.
    package static func running<Result: Sendable>(
        in folder: String, _ body: ([String: String]) async throws -> Result
    ) async throws -> Result {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let configuration = "\(folder)/config"
        try "xwayland disable\nexec echo $WAYLAND_DISPLAY\n".write(
            toFile: configuration, atomically: false, encoding: .utf8)
        var environment = Binaries.baseEnvironment
        environment["XDG_RUNTIME_DIR"] = folder
        environment["WLR_BACKENDS"] = "headless"
        environment["WLR_RENDERER"] = "pixman"
        environment["WLR_LIBINPUT_NO_DEVICES"] = "1"
        // sway refuses to be started by root.
        let command = ["unshare", "--user", "--map-user=65534", "sway", "--config", configuration]
        return try await TestSupport.running(command, environment: environment) { compositor in
            try await body(["XDG_RUNTIME_DIR": folder, "WAYLAND_DISPLAY": try await compositor.line()])
        }.result
    }
}
