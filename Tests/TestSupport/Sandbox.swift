import FoundationEssentials
import Glibc
import Testing

/// A place of its own for the programs of one test: folder, home, runtime folder, display. Whatever was started in
/// it is ended with it, the bridge in order.
package final class Sandbox: Sendable {
    /// A temporary folder, removed at the end.
    package let folder: String
    /// What the programs get.
    package let environment: [String: String]

    /// Where the bridge keeps its sockets.
    package var runtimeFolder: String { "\(folder)/run" }

    private init(display: String?, changes: [String: String?]) throws {
        let name = String(UInt64.random(in: .min ... .max), radix: 36)
        // Short, since the path of a Unix socket has at most 107 bytes.
        folder = "/tmp/xpb-\(name)"
        var environment = Binaries.baseEnvironment
        environment["HOME"] = folder
        environment["TMPDIR"] = folder
        environment["XDG_RUNTIME_DIR"] = "\(folder)/run"
        environment["DISPLAY"] = display
        for (name, value) in changes { environment[name] = value }
        self.environment = environment
        for path in [folder, "\(folder)/run"] {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        }
    }

    /// Runs `body` in a new sandbox on the display of the suite, or on none where the suite has none.
    /// - Parameter changes: Variables set (or with nil removed) in the environment.
    package static func with<Result: Sendable>(
        display: String? = Xvfb.display, changes: [String: String?] = [:], _ body: (Sandbox) async throws -> Result
    ) async throws -> Result {
        let sandbox = try Sandbox(display: display, changes: changes)
        do {
            let result = try await body(sandbox)
            await sandbox.close()
            return result
        } catch {
            await sandbox.close()
            throw error
        }
    }

    /// The same sandbox seen with other variables in the environment.
    package func changing(_ changes: [String: String]) -> Sandbox {
        Sandbox(folder: folder, environment: environment.merging(changes) { $1 })
    }

    /// The same sandbox seen without a variable in the environment.
    package func removing(_ name: String) -> Sandbox {
        Sandbox(folder: folder, environment: environment.filter { $0.key != name })
    }

    private init(folder: String, environment: [String: String]) {
        self.folder = folder
        self.environment = environment
    }

    /// Ends the bridge in order, then all that is left, and removes the folder. It goes on in a test that was
    /// cancelled.
    private func close() async {
        await Task {
            for bridge in bridges() {
                // A bridge that does not end in order is no reason to leave it there.
                _ = try? await xpb("bridge", "stop", "--timeout", "5")
                await ProcessTable.end(bridge)
            }
            for process in processes() { await ProcessTable.end(process) }
            try? FileManager.default.removeItem(atPath: folder)
        }.value
    }

    /// The processes that run in this sandbox.
    package func processes() -> [Int32] { ProcessTable.processes(withEnvironmentContaining: folder) }

    /// The bridges that run in this sandbox.
    package func bridges() -> [Int32] { processes().filter { ProcessTable.executable(of: $0) == "xpbd" } }
}

extension Sandbox {
    /// A path in the folder.
    package func path(_ name: String) -> String { "\(folder)/\(name)" }

    /// Writes a file into the folder, and returns its path.
    @discardableResult
    package func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
        try Data(bytes).write(to: URL(filePath: path(name)))
        return path(name)
    }

    /// The bytes of a file in the folder.
    package func read(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: path(name))))
    }

    /// Runs a program to its end.
    package func run(_ command: [String], input: [UInt8] = []) async throws -> Outcome {
        try await TestSupport.run(command, environment: environment, in: folder, input: input)
    }

    /// Runs `xpb` to its end.
    package func xpb(_ arguments: String..., input: [UInt8] = []) async throws -> Outcome {
        try await run(["\(Binaries.folder)/xpb"] + arguments, input: input)
    }

    /// Runs a script by `/bin/sh` in the folder; `$1` and on are the arguments. Redirections and descriptors are best
    /// said in its language.
    package func shell(_ script: String, _ arguments: String..., input: [UInt8] = []) async throws -> Outcome {
        try await run(["/bin/sh", "-c", script, "sh"] + arguments, input: input)
    }

    /// Runs a program while `body` runs; see ``TestSupport/running(_:environment:_:)``.
    package func running<Result: Sendable>(
        _ command: [String], _ body: (Running) async throws -> Result
    ) async throws -> (result: Result, status: Int32) {
        try await TestSupport.running(command, environment: environment, body)
    }
}
