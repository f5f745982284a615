/// What a bridge takes over from programs that die.
extension Sandbox {
    package struct Failed: Error, CustomStringConvertible {
        package let description: String
    }

    /// Returns what `xpb status` says of that count of a pasteboard, once it begins with that: `captured`.
    package func awaitStatus(_ wanted: String, _ pasteboard: String = "general", count: Int) async throws -> String {
        while true {
            let status = try await xpb("status", "--timeout", "60")
            guard status.status == 0 else { throw Failed(description: "\(status)") }
            if let line = status.lines.first(where: { $0.hasPrefix("\(wanted): \(pasteboard) \(count)") }) {
                return line
            }
            try Task.checkCancellation()
        }
    }

    /// Runs `body`, which ends the owner of CLIPBOARD, and returns once the bridge owns that.
    package func awaitingTakeOver(_ body: () async throws -> Void) async throws {
        // The server gives each client a range of ids, which the high bits tell apart.
        let bridge = try await bridgeWindow() & ~0x1f_ffff
        try await withPeer(["watch"]) { watch in
            _ = try await watch.await("watching")
            try await body()
            while try await watch.await("owner").window.map({ $0 & ~0x1f_ffff }) != bridge {}
        }
    }

    /// A window of the bridge's.
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
