import FoundationEssentials

/// Functions that wait for a state of the bridge, or for its takeover of the contents of a program that exits.
extension Sandbox {
    package struct Failed: Error, CustomStringConvertible {
        package let description: String
    }

    /// The setting with which a bridge logs changes and captures.
    package static let logging: [String: String?] = ["XPB_LOG_LEVEL": "debug"]

    /// Reads the log of the only bridge that `xpb` has started, from its start, until a line contains all of these
    /// words. The log has at most 200 lines at once and ten per second.
    package func awaitLog(_ words: String...) async throws {
        let folder = "\(environment["XDG_RUNTIME_DIR"] ?? runtimeFolder)/xpb"
        let logs = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".log") }
        guard logs.count == 1 else { throw Failed(description: "there are \(logs.count) logs in \(folder)") }
        // tail(1) waits for the next line with inotify(7).
        _ = try await running(["tail", "--lines=+1", "--follow", "\(folder)/\(logs[0])"]) { log in
            while case let line = try await log.line(), !words.allSatisfy({ line.contains($0) }) {}
        }
    }

    /// Asks for the status until `isWanted` returns true, and returns the status. Some states cause no event: the
    /// number of the bridge's clients, its open files, a refused capture, the end of a transfer. Each answer comes from
    /// a new round of the bridge's loop.
    @discardableResult
    package func awaitStatus(where isWanted: (Outcome) async throws -> Bool) async throws -> Outcome {
        while true {
            let status = try await xpb("status", "--timeout", "60")
            guard status.status == 0 else { throw Failed(description: "\(status)") }
            if try await isWanted(status) { return status }
            try Task.checkCancellation()
        }
    }

    /// Waits until `xpb status` reports a state such as `captured` for a count of a pasteboard, and returns that line.
    ///
    /// With ``logging``, this function awaits the end of a capture in the log.
    package func awaitStatus(_ wanted: String, _ pasteboard: String = "general", count: Int) async throws -> String {
        if wanted == "captured", environment["XPB_LOG_LEVEL"] == "debug" {
            try await awaitLog(" \(pasteboard) captured", " count=\(count) ")
        }
        func line(of status: Outcome) -> String? {
            status.lines.first { $0.hasPrefix("\(wanted): \(pasteboard) \(count)") }
        }
        let status = try await awaitStatus { line(of: $0) != nil }
        return line(of: status) ?? ""
    }

    /// Runs `body`, which ends the owner of CLIPBOARD, and returns once the bridge owns CLIPBOARD.
    package func awaitingTakeover(_ body: () async throws -> Void) async throws {
        // The server assigns each client a range of ids, which differ in the high bits.
        let bridge = try await bridgeWindow() & ~0x1f_ffff
        try await withPeer(["watch"]) { watch in
            _ = try await watch.await("watching")
            try await body()
            while try await watch.await("owner").window.map({ $0 & ~0x1f_ffff }) != bridge {}
        }
    }

    /// Returns a window of the bridge.
    private func bridgeWindow() async throws -> Int {
        try await withPeer(["watch", "--selection", "SECONDARY"]) { watch in
            _ = try await watch.await("watching")
            let set = try await xpb("set", "-p", "secondary", "--timeout", "60", "text")
            guard set.status == 0, let window = try await watch.await("owner").window else {
                throw Failed(description: "\(set)")
            }
            return window
        }
    }
}
