import LinuxSystem
import PasteboardWire
import SystemPackage

/// Starts the daemon, `xpbd`, with nothing of the caller's but its environment.
package struct BridgeLauncher: Sendable {
    /// Where the daemon may be, the likeliest first.
    package let candidates: [String]
    private let environment: [String: String]

    /// The daemon is `$XPB_XPBD` if that is set, else `xpbd` beside the running program, else in PATH.
    package init(environment: [String: String]) {
        self.environment = environment
        if let chosen = environment["XPB_XPBD"], !chosen.isEmpty {
            candidates = [chosen]
            return
        }
        var folders: [String] = []
        if let program = try? ThisProcess.executablePath() {
            folders.append(Folder.containing(program))
        }
        folders += (environment["PATH"] ?? "").split(separator: ":").map(String.init)
        candidates = folders.filter { $0.hasPrefix("/") }.map { FilePath($0).appending("xpbd").string }
    }

    /// Starts it for a display, or for none, and waits for its report.
    ///
    /// - Throws: ``PasteboardError`` with code `unavailable` when there is no daemon to start, it cannot be started or
    ///   says nothing until `deadline`.
    package func start(
        display: String?, until deadline: ContinuousClock.Instant
    ) throws(PasteboardError) -> LauncherReport {
        do {
            let (reading, writing) = try FileDescriptor.pipe(options: .closeOnExec)
            let output = Descriptor(adopting: reading)
            do {
                // Closed here when the daemon has its own, so that its end is the end of the pipe.
                let input = Descriptor(adopting: writing)
                try spawn(display: display, readyThrough: input.fileDescriptor)
            }
            return LauncherReport(try Self.readLine(output.fileDescriptor, until: deadline))
        } catch let error as PasteboardError {
            throw error
        } catch {
            throw PasteboardError(code: .unavailable, message: "the bridge cannot be started: \(error)")
        }
    }

    private func spawn(display: String?, readyThrough pipe: FileDescriptor) throws {
        let line = LaunchLine(display: display, readyDescriptor: 3)
        var variables = environment
        variables["DISPLAY"] = display
        var denied: String?
        for candidate in candidates {
            do {
                try ChildProcess.spawnDetached(
                    executable: candidate, arguments: [candidate] + line.arguments, environment: variables,
                    passing: [(pipe, line.readyDescriptor)])
                return
            } catch Errno.noSuchFileOrDirectory, Errno.notDirectory {
                continue
            } catch {
                denied = denied ?? "\(candidate): \(error)"
            }
        }
        throw PasteboardError(
            code: .unavailable,
            message: denied.map { "the bridge cannot be started: \($0)" }
                ?? "the bridge's program xpbd was not found beside xpb nor in PATH; install it, or set XPB_XPBD to its path"
        )
    }

    private static func readLine(
        _ output: FileDescriptor, until deadline: ContinuousClock.Instant
    ) throws -> String {
        // The longest report is a message of a few hundred bytes.
        var bytes: [UInt8] = []
        while bytes.count < 4096, bytes.last != UInt8(ascii: "\n") {
            guard try waitReadable(output, until: deadline) else {
                throw PasteboardError(
                    code: .unavailable,
                    message: "the bridge was started and does not become ready; try again, or a longer --timeout")
            }
            let piece = try output.readBytes(atMost: 4096)
            if piece.isEmpty { break }
            bytes += piece
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
