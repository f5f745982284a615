import CopyingSupport
import FoundationEssentials
import TestSupport
import Testing

extension Integration {
    /// Four writers at the same time, two of them X11 programs.
    @Suite("Ten thousand changes", .requiresXvfb)
    struct StormTests {
        private struct Truth: Decodable {
            /// The number of owner changes that the X server reported.
            let owners: Int
            /// True if the writers saw only rising counts.
            let rose: Bool
        }

        @Test("Three watchers, one of them in the library, see each change exactly once and in the same order")
        func watch() async throws {
            // The test reads the watchers' output only after the last change.
            let room = ["XPB_LIMIT_WATCH_QUEUE": "\(32 << 20)"]
            try await VarlinkTests.withClient(changes: room) { sandbox, client in
                let before = try await sandbox.count()
                let storm = ["/usr/bin/python3", Binaries.fixture("storm.py"), client[2], "2500"]
                try await Self.withWatchers(in: sandbox) { first, second, library in
                    try await Self.expectEachStep(of: storm, after: before, in: sandbox) {
                        [
                            Self.count(of: try await first.line()), Self.count(of: try await second.line()),
                            Self.first(of: try await library.line()),
                        ]
                    }
                }
            }
        }

        private static func withWatchers(
            in sandbox: Sandbox, _ body: (Running, Running, _ library: Running) async throws -> Void
        ) async throws {
            let watch = ["xpb", "watch", "--initial", "--timeout", "0.2"]
            _ = try await sandbox.running(watch) { first in
                _ = try await sandbox.running(watch) { second in
                    // Examples/clipboard-log, which prints the elements of `Pasteboard.changes`.
                    _ = try await sandbox.running(["\(Binaries.built)/clipboard-log"]) { library in
                        try await body(first, second, library)
                    }
                }
            }
        }

        /// Runs the storm, and expects that each watcher reports the current count and then each change.
        ///
        /// - Parameter next: Returns the count in the next report of each watcher.
        private static func expectEachStep(
            of storm: [String], after before: Int, in sandbox: Sandbox, _ next: () async throws -> [Int?]
        ) async throws {
            #expect(try await next() == [before, before, before])
            _ = try await sandbox.running(storm) { storm in
                let line = try await storm.line()
                let truth = try JSONDecoder().decode(Truth.self, from: Data(line.utf8))
                #expect(truth.rose)
                #expect(truth.owners >= 10_000)
                #expect(try await sandbox.count() == before + truth.owners)
                for expected in (before + 1)...(before + truth.owners) {
                    let counts = try await next()
                    try #require(counts == [expected, expected, expected])
                }
            }
        }

        private static func first(of line: String) -> Int? {
            line.split(separator: "\t").first.flatMap { Int($0) }
        }

        private static func count(of line: String) -> Int? {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            return fields.count == 3 ? Int(fields[1]) : nil
        }
    }
}
