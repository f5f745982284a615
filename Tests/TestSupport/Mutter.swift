import FoundationEssentials

/// GNOME's compositor for the tests, without a screen. It serves X11 programs through Xwayland, if there is one. It has
/// no Wayland protocol that lets a clipboard manager see the copies from programs.
package struct Mutter {
    /// The variables of the compositor's clients.
    package let variables: [String: String]
    private let keyboard: Running
    private let compositor: Running

    /// The seconds of processor time after which the kernel kills the compositor. In a test, the compositor uses less
    /// than one second.
    ///
    /// In one of a thousand starts of Xwayland, mutter 43 and Xwayland 22.1 send each other requests without end,
    /// whichever X11 program connects. Only this limit ends the exchange.
    private static let maxProcessorTime = 8

    /// False once the compositor has exited by itself; see ``maxProcessorTime``.
    package var isRunning: Bool { ProcessTable.executable(of: compositor.processID) != nil }

    /// Presses a key. mutter ignores a copy by a program whose last input is older than the current owner's last input.
    package func pressKey() async throws {
        try await keyboard.send("")
        guard try await keyboard.line() == "pressed" else { throw CancellationError() }
    }

    /// Runs `body` with a compositor that is killed when `body` ends.
    ///
    /// - Parameters:
    ///   - folder: The folder for the compositor's socket, settings and `log`; created if it does not exist.
    ///   - hasXwayland: False for a session without X11 programs.
    ///   - body: Called with the compositor.
    package static func running<Result: Sendable>(
        in folder: String, hasXwayland: Bool = true, _ body: (Mutter) async throws -> Result
    ) async throws -> Result {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        var environment = Binaries.baseEnvironment
        environment["HOME"] = folder
        environment["XDG_RUNTIME_DIR"] = folder
        environment["LIBGL_ALWAYS_SOFTWARE"] = "1"
        environment["GSETTINGS_BACKEND"] = "memory"
        let names = ["WAYLAND_DISPLAY"] + (hasXwayland ? ["DISPLAY", "XAUTHORITY"] : [])
        let options = hasXwayland ? [] : ["--no-x11"]
        let announcement = "echo \(names.map { "$\($0)" }.joined(separator: " ")); exec sleep infinity"
        let command =
            [
                "sh", "-c", "ulimit -t \(maxProcessorTime); exec \"$@\" 2>\(folder)/log", "sh", "mutter", "--wayland",
                "--headless",
                "--virtual-monitor", "1280x800",
            ] + options + ["--", "sh", "-c", announcement]
        return try await MessageBus.running(environment: environment) { address in
            environment["DBUS_SESSION_BUS_ADDRESS"] = address
            return try await running(command, names, in: folder, environment: environment, body)
        }
    }

    /// - Parameter names: The variables that the compositor announces.
    private static func running<Result: Sendable>(
        _ command: [String], _ names: [String], in folder: String, environment: [String: String],
        _ body: (Mutter) async throws -> Result
    ) async throws -> Result {
        try await TestSupport.running(command, environment: environment) { compositor in
            let values = try await compositor.line().split(separator: " ").map(String.init)
            guard values.count == names.count else { throw CancellationError() }
            var variables = Dictionary(uniqueKeysWithValues: zip(names, values))
            variables["XDG_RUNTIME_DIR"] = folder
            variables["DBUS_SESSION_BUS_ADDRESS"] = environment["DBUS_SESSION_BUS_ADDRESS"]
            let clients = environment.merging(variables) { $1 }
            let keyboard = ["/usr/bin/python3", Binaries.fixture("mutter_keyboard.py")]
            return try await TestSupport.running(keyboard, environment: clients) { keyboard in
                guard try await keyboard.line() == "ready" else { throw CancellationError() }
                return try await body(Mutter(variables: variables, keyboard: keyboard, compositor: compositor))
            }.result
        }.result
    }
}
