import Foundation
import PasteboardModel
import PasteboardStore
import TestRandom
import TestSupport
import Testing

/// Tests that everything that a killed process acknowledged is still stored.
@Suite(.timeLimit(.minutes(10)))
struct CrashTests {
    private static let writer = "\(Binaries.built)/StoreWriter"

    /// The writer's line about an entry.
    private struct Acknowledged {
        let number: Int
        let count: Int
        let isListed: Bool

        init(_ line: String) throws {
            let words = line.split(separator: " ")
            try #require(words.count == 3, "\(line)")
            number = try #require(Int(words[0]))
            count = try #require(Int(words[1]))
            isListed = words[2] == "true"
        }
    }

    @Test(
        "After a kill at any moment, all acknowledged entries are stored, no count is lower, and no file is left over")
    func killed() async throws {
        var random = SeededGenerator(seed: 11)
        let fixture = StoreFixture()
        var known: [Int: Acknowledged] = [:]
        var highest = 0
        for round in 0..<30 {
            let lines = Int.random(in: 0...40, using: &random)
            let entries = try await acknowledged(fixture, round: round, killedAfter: lines)
            for entry in entries {
                #expect(entry.count > highest)
                highest = entry.count
                known[entry.number] = entry
            }
            let store = try fixture.open()
            let pasteboard = try #require(
                store.opening.pasteboards.first ?? (known.isEmpty ? StoredPasteboard(name: .general, count: 0) : nil))
            #expect(pasteboard.count >= highest)
            let last = known.keys.max() ?? 0
            // The process may have been killed after it wrote one more entry and before it acknowledged the entry.
            #expect((last...last + 1).contains(pasteboard.entry?.number ?? 0))
            #expect(store.opening.nextEntry.number > last)
            for entry in known.values where entry.isListed || pasteboard.undo.contains(.init(EntryID(entry.number))) {
                #expect(try store.text(of: entry.number) == Self.text(of: entry.number), "\(entry.number)")
            }
            try store.performAllMaintenance()
            let files = try store.database.rows("SELECT id FROM content ORDER BY id") { $0.integer(0) }
            #expect(files == fixture.files)
            #expect(!fixture.hasUnfinishedFiles)
        }
        #expect(known.count > 100)
    }

    private func acknowledged(
        _ fixture: StoreFixture, round: Int, killedAfter count: Int
    ) async throws -> [Acknowledged] {
        let command = [Self.writer, "write", fixture.folder, String(round)]
        return try await running(command, environment: Binaries.baseEnvironment) { process in
            var lines: [String] = []
            for _ in 0..<count { lines.append(try await process.line()) }
            try await process.kill()
            // The process wrote these lines before the signal arrived.
            while let line = try? await process.line() { lines.append(line) }
            return try lines.map(Acknowledged.init)
        }.result
    }

    /// Returns the text that the writer gives to an entry.
    private static func text(of number: Int) -> String {
        let source = number % 10 == 0 ? number - 9 : number
        return "entry \(source) " + String(repeating: "abcdefg ", count: source * 7_919 % 4_001)
    }

    // MARK: A full disk

    @Test("With files at their maximum size, nothing is lost, and all entries can be read")
    func longestFile() async throws {
        let fixture = StoreFixture()
        let outcome = try await run(
            [Self.writer, "fill", fixture.folder, "1000000"], environment: Binaries.baseEnvironment)
        #expect(outcome.status == 0, "\(String(decoding: outcome.output, as: UTF8.self)) \(outcome.error)")
    }

    @Test(
        "On a full disk, nothing is lost, and reading and deleting work",
        .enabled(if: Self.canMount, "a small file system cannot be mounted here"), arguments: [6, 16])
    func fullDisk(megabytes: Int) async throws {
        let fixture = StoreFixture()
        try FileManager.default.createDirectory(atPath: fixture.folder, withIntermediateDirectories: false)
        let outcome = try await run(
            Self.mounting(megabytes: megabytes, on: fixture.folder) + [Self.writer, "fill", "\(fixture.folder)/store"],
            environment: Binaries.baseEnvironment)
        #expect(outcome.status == 0, "\(String(decoding: outcome.output, as: UTF8.self)) \(outcome.error)")
    }

    /// Returns a command that runs another command with its own file system, which is unmounted at the end.
    private static func mounting(megabytes: Int, on folder: String) -> [String] {
        let script = "mount -t tmpfs -o size=\(megabytes)m xpb \"$0\" && exec \"$@\""
        return ["unshare", "--map-root-user", "--mount", "sh", "-c", script, folder]
    }

    private static let canMount: Bool = {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", "exec unshare --map-root-user --mount mount -t tmpfs xpb /mnt 2>/dev/null"]
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()
}
