package import LinuxSystem
import PasteboardWire
import SystemPackage

/// A launcher of the daemon, `xpbd`, which inherits only the environment from the caller.
package struct BridgeLauncher: Sendable {
    /// The paths where the daemon may be, likeliest first.
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

    /// Starts the daemon for a display, or for none, and waits for its report.
    ///
    /// - Throws: ``BridgeClientError`` with code `unavailable` if there is no daemon, it cannot be started, or it
    ///   reports nothing until `deadline`.
    package func start(
        display: String?, wayland: WaylandName? = nil, until deadline: ContinuousClock.Instant
    ) throws(BridgeClientError) -> LauncherReport {
        do {
            let (output, input) = try Descriptor.pipe()
            try spawn(display: display, wayland: wayland, readyThrough: input.fileDescriptor)
            // The daemon has its own copy of this end, so the pipe closes when the daemon ends.
            _ = consume input
            return LauncherReport(try Self.readLine(output.fileDescriptor, until: deadline))
        } catch let error as BridgeClientError {
            throw error
        } catch {
            throw BridgeClientError(code: .unavailable, message: "the bridge cannot be started: \(error)")
        }
    }

    /// Returns the reason why the daemon cannot run, such as a library that the dynamic loader does not find: the last
    /// line that the daemon writes to standard error, if it fails even for `--version`. Nil if it does not fail by
    /// `deadline`.
    package func fault(until deadline: ContinuousClock.Instant) -> String? {
        guard let program else { return nil }
        let (end, text): (ChildProcess.Termination, String)
        do {
            (end, text) = try outcome(of: [program, "--version"], until: deadline)
        } catch Errno.noSuchFileOrDirectory {
            return Self.loaderFault
        } catch {
            return nil
        }
        guard case .exited(let status) = end, status != 0 else { return nil }
        return text.split(separator: "\n").last.map(String.init) ?? "\(program) --version ends with status \(status)"
    }

    /// Runs a program, kills it at the deadline, and returns how it ended and the beginning of its standard error.
    private func outcome(
        of command: [String], until deadline: ContinuousClock.Instant
    ) throws -> (ChildProcess.Termination, String) {
        let null = try Descriptor.null()
        let (errors, output) = try Descriptor.pipe()
        let process = try ChildProcess.spawn(
            command: command, environment: environment, standardInput: null.fileDescriptor,
            standardOutput: null.fileDescriptor, standardError: output.fileDescriptor)
        let end = try ChildProcess.terminationDescriptor(of: process)
        if try !waitReadable(end.fileDescriptor, until: deadline) { ChildProcess.send(.kill, to: process) }
        let termination = try ChildProcess.wait(for: process)
        guard try waitReadable(errors.fileDescriptor, until: .now) else { return (termination, "") }
        return (termination, String(decoding: try errors.fileDescriptor.readBytes(atMost: 4_096), as: UTF8.self))
    }

    private func spawn(display: String?, wayland: WaylandName?, readyThrough pipe: FileDescriptor) throws {
        let line = LaunchLine(display: display, wayland: wayland?.canonical, readyDescriptor: 3)
        var variables = environment
        variables["DISPLAY"] = display
        var denied: String?
        for candidate in candidates {
            do {
                try ChildProcess.spawnDetached(
                    executable: candidate, arguments: [candidate] + line.arguments, environment: variables,
                    passing: [(pipe, line.readyDescriptor)])
                return
            } catch Errno.noSuchFileOrDirectory where Self.exists(candidate) {
                denied = denied ?? "\(candidate): \(Self.loaderFault)"
            } catch Errno.noSuchFileOrDirectory, Errno.notDirectory {
                continue
            } catch {
                denied = denied ?? "\(candidate): \(error)"
            }
        }
        let missing =
            if let chosen = environment["XPB_XPBD"], !chosen.isEmpty {
                "XPB_XPBD is '\(chosen)', which does not exist; correct it, or unset it"
            } else {
                "the bridge's program xpbd was not found beside xpb nor in PATH; install it, or set XPB_XPBD to its "
                    + "path"
            }
        if let denied {
            throw BridgeClientError(code: .unavailable, message: "the bridge cannot be started: \(denied)")
        }
        throw BridgeClientError(code: .unavailable, message: missing, context: .init(cause: .noProgram))
    }

    /// The fault of a program that exists although execve(2) does not find it.
    private static let loaderFault = "its loader is missing; xpbd needs the GNU C library"

    private static func exists(_ path: String) -> Bool { (try? FileStatus(ofPath: path, followsSymlink: true)) != nil }

    /// The path of the daemon's program; nil if it is at none of the candidates.
    package var program: String? { candidates.first(where: Self.exists) }

    private static func readLine(
        _ output: FileDescriptor, until deadline: ContinuousClock.Instant
    ) throws -> String {
        // The longest report is a message of a few hundred bytes.
        var bytes: [UInt8] = []
        while bytes.count < 4096, bytes.last != UInt8(ascii: "\n") {
            guard try waitReadable(output, until: deadline) else {
                throw BridgeClientError(
                    code: .unavailable,
                    message: "the bridge was started but did not become ready",
                    context: .init(cause: .notReady))
            }
            let piece = try output.readBytes(atMost: 4096)
            if piece.isEmpty { break }
            bytes += piece
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The report of a starting bridge: one line on the pipe that the bridge was given and then closes.
package enum LauncherReport: Equatable, Sendable {
    /// The bridge answers on its socket.
    case ready
    /// Another bridge holds the lock.
    case busy
    /// Another bridge serves the display.
    case served(process: Int32, message: String)
    /// The bridge gave up, with an exit status and a message.
    case failed(status: Int, message: String)
    /// The bridge ended without a report.
    case none

    /// - Parameter text: All bytes that came through the pipe.
    package init(_ text: String) {
        let line = text.prefix { $0 != "\n" }
        let words = line.split(separator: " ", maxSplits: 2)
        switch words.first {
        case "ready": self = .ready
        case "busy": self = .busy
        case "served" where words.count == 3:
            self = Int32(words[1]).map { .served(process: $0, message: String(words[2])) } ?? .none
        case "error" where words.count == 3:
            self = Int(words[1]).map { .failed(status: $0, message: String(words[2])) } ?? .none
        default: self = .none
        }
    }
}
