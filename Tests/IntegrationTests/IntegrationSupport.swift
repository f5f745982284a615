import CopyingSupport
import Foundation
import Glibc
import TestSupport
import Testing

/// Tests of the built programs with a real X server and real peers.
///
/// The tests run one after another, because the programs of one test are enough load for two cores. A test that exceeds
/// its time limit is cancelled, and its programs end with it.
@Suite(.serialized, .timeLimit(.minutes(3)))
enum Integration {}

/// The condition of tests that take minutes or gigabytes: `XPB_LARGE=1`, which Scripts/try large sets.
enum Large {
    static let isWanted = ProcessInfo.processInfo.environment["XPB_LARGE"] == "1"
}

/// The file of X11 authority, as libXau writes it.
enum Authority {
    /// Returns a file with one entry for any host: family 0xFFFF, then address, display number, name and data, each
    /// with its length.
    static func file(number: String = "", cookie: [UInt8]) -> [UInt8] {
        let fields = [[], Array(number.utf8), Array("MIT-MAGIC-COOKIE-1".utf8), cookie]
        return [0xFF, 0xFF] + fields.flatMap { [0, UInt8($0.count)] + $0 }
    }
}

extension Xvfb {
    /// Returns the command of a server that writes its display's number to standard output once it is ready.
    static func command(_ arguments: String...) -> [String] { command(arguments) }

    static func command(_ arguments: [String]) -> [String] {
        ["Xvfb"] + arguments + ["-displayfd", "1", "-noreset", "-nolisten", "tcp"]
    }
}

extension Running {
    /// Reads lines until one contains the text.
    func line(with text: String) async throws {
        while try await !line().contains(text) {}
    }
}

extension Sandbox {
    /// Returns the path of the only socket in the runtime folder.
    func socket() async throws -> String {
        let found = try await shell("find run -type s")
        try #require(found.lines.count == 1, "\(found)")
        return path(found.lines[0])
    }

    /// Writes a configuration file, and returns its path.
    @discardableResult
    func writeConfiguration(_ text: String, to name: String = "config.json") throws -> String {
        try FileManager.default.createDirectory(atPath: path(".config/xpb"), withIntermediateDirectories: true)
        return try write(text.utf8, to: ".config/xpb/\(name)")
    }

    /// Ends the bridge, with SIGKILL or in an orderly way, and returns once it has exited.
    func endBridge(killing: Bool) async throws {
        let bridges = bridges()
        #expect(!bridges.isEmpty)
        for bridge in bridges {
            if killing { await ProcessTable.end(bridge) } else { try await require("bridge", "stop") }
        }
    }

    /// Writes `size` random bytes to a file in the folder.
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
