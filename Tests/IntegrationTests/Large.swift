import Foundation
import TestSupport
import Testing

/// Tests that take minutes or gigabytes run where `XPB_LARGE=1` is set, as Scripts/large does.
enum Large {
    static let isWanted = ProcessInfo.processInfo.environment["XPB_LARGE"] == "1"
}

extension Sandbox {
    /// Writes that many random bytes into a file of the folder.
    func writeRandom(_ size: Int, to name: String) async throws {
        let piece = 64 << 20
        if size <= piece {
            try write(Payload.random(size), to: name)
        } else {
            let written = try await shell("head -c \"$1\" /dev/urandom >\"$2\"", "\(size)", name)
            try #require(written.status == 0, "\(written)")
        }
    }
}
