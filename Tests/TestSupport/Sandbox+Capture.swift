/// Waiting for a bridge that takes over the contents of programs that end.
extension Sandbox {
    package struct Failed: Error, CustomStringConvertible {
        package let description: String
    }

    /// Waits until `xpb status` reports a state such as `captured` for a count of a pasteboard, and returns that line.
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

    /// Runs `body`, which ends the owner of CLIPBOARD, and returns once the bridge owns it.
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
