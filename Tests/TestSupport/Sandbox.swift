import FoundationEssentials
import Glibc
import Testing

/// A separate environment for the programs of one test: folder, home, runtime folder and display. At the end, the
/// bridge is shut down properly, and all other processes started in the sandbox are killed.
package final class Sandbox: Sendable {
    /// A temporary folder, which is removed at the end.
    package let folder: String
    /// The environment of the programs.
    package let environment: [String: String]

    /// The folder of the bridge's sockets.
    package var runtimeFolder: String { "\(folder)/run" }

    private init(display: String?, changes: [String: String?]) throws {
        let name = String(UInt64.random(in: .min ... .max), radix: 36)
        // The name is short because the path of a Unix socket is limited to 107 bytes.
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

    /// Runs `body` in a new sandbox with the display of the suite, if the suite has a display.
    /// - Parameter changes: Variables that are set in the environment, or removed if nil.
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

    /// Returns the same sandbox with changed variables in its environment.
    package func changing(_ changes: [String: String]) -> Sandbox {
        Sandbox(folder: folder, environment: environment.merging(changes) { $1 })
    }

    /// Returns the same sandbox without a variable in its environment.
    package func removing(_ name: String) -> Sandbox {
        Sandbox(folder: folder, environment: environment.filter { $0.key != name })
    }

    private init(folder: String, environment: [String: String]) {
        self.folder = folder
        self.environment = environment
    }

    /// Shuts down the bridge, kills all remaining processes, and removes the folder. This continues even if the test
    /// was cancelled.
    private func close() async {
        await Task {
            for bridge in bridges() {
                // If the bridge does not shut down, it is killed.
                _ = try? await xpb("bridge", "stop", "--timeout", "5")
                await ProcessTable.end(bridge)
            }
            for process in processes() { await ProcessTable.end(process) }
            reportCrashes()
            try? FileManager.default.removeItem(atPath: folder)
            // A watch in the sandbox may have started another bridge by now; without the folder, no further bridge can
            // start.
            for process in processes() { await ProcessTable.end(process) }
        }.value
    }

    /// Records an issue for each log of a bridge that Swift's runtime has aborted: the next command starts another
    /// bridge, so the test could pass in spite of the crash.
    private func reportCrashes() {
        for folder in [runtimeFolder, path("mutter")].map({ "\($0)/xpb" }) {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            for name in names where name.hasSuffix(".log") {
                let log = (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) ?? ""
                guard log.contains("Fatal error") || log.contains("Fatal access conflict") else { continue }
                Issue.record("a bridge has crashed:\n\(log)")
            }
        }
    }

    /// Returns the processes that are running in this sandbox.
    package func processes() -> [Int32] { ProcessTable.processes(withEnvironmentContaining: folder) }

    /// Returns the bridges that are running in this sandbox.
    package func bridges() -> [Int32] { processes().filter { ProcessTable.executable(of: $0) == "xpbd" } }

    /// Waits until at most `count` bridges are running, and returns them. A bridge that was stopped, or that found
    /// another bridge when it started, keeps running for a while after its last answer.
    package func awaitBridges(_ count: Int) async throws -> [Int32] {
        while true {
            let found = bridges()
            guard found.count > count else { return found }
            await withTaskGroup { group in
                for bridge in found { group.addTask { await ProcessTable.awaitEnd(of: bridge) } }
                await group.next()
                group.cancelAll()
            }
            try Task.checkCancellation()
        }
    }
}

extension Sandbox {
    /// Returns a path in the folder.
    package func path(_ name: String) -> String { "\(folder)/\(name)" }

    /// Writes a file into the folder, and returns its path.
    @discardableResult
    package func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
        try Data(bytes).write(to: URL(filePath: path(name)))
        return path(name)
    }

    /// Returns the bytes of a file in the folder.
    package func read(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: path(name))))
    }

    /// Runs a program to completion.
    package func run(_ command: [String], input: [UInt8] = []) async throws -> Outcome {
        try await TestSupport.run(command, environment: environment, in: folder, input: input)
    }

    /// Runs `xpb` to completion.
    package func xpb(_ arguments: String..., input: [UInt8] = []) async throws -> Outcome {
        try await run(["\(Binaries.folder)/xpb"] + arguments, input: input)
    }

    /// Runs a script with `/bin/sh` in the folder, with the arguments as `$1` and so on. A script is the simplest way
    /// to redirect descriptors.
    package func shell(_ script: String, _ arguments: String..., input: [UInt8] = []) async throws -> Outcome {
        try await run(["/bin/sh", "-c", script, "sh"] + arguments, input: input)
    }

    /// Runs a program during `body`; see ``TestSupport/running(_:environment:_:)``.
    package func running<Result: Sendable>(
        _ command: [String], _ body: (Running) async throws -> Result
    ) async throws -> (result: Result, status: Int32) {
        try await TestSupport.running(command, environment: environment, body)
    }
}

extension Sandbox {
    /// True if a test can mount a small file system, in its own namespace.
    package static let canMount =
        unsafe system(
            "unshare --map-root-user --mount mount -t tmpfs xpb /mnt 2>/dev/null") == 0
}
