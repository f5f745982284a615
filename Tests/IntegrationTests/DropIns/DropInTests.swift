import CopyingSupport
import Foundation
import TestSupport
import Testing

/// Debian's programs and `xpb` under their names run the same lines, each on its own display and in its own sandbox.
///
/// The results are the tables of Documents/DropIns.md, which a run with `XPB_WRITE_DROPINS=1` writes.
extension Integration {
    @Suite("Drop-in names: xclip")
    struct XclipRows {
        @Test("xpb as xclip behaves like xclip, except where the table says otherwise", .timeLimit(.minutes(8)))
        func xclip() async throws {
            try await DropInSection.compare(xclipRows, as: "xclip")
        }
    }

    @Suite("Drop-in names: xsel")
    struct XselRows {
        @Test("xpb as xsel behaves like xsel, except where the table says otherwise", .timeLimit(.minutes(8)))
        func xsel() async throws {
            try await DropInSection.compare(xselRows, as: "xsel")
        }
    }

    @Suite("Drop-in names: pbcopy and pbpaste")
    struct PasteboardRows {
        @Test("xpb as pbcopy and pbpaste behaves as their manual says", .timeLimit(.minutes(8)))
        func pasteboards() async throws {
            let results = try await DropInResult.ofXPB(pasteboardRows.map(\.row))
            try DropInSection.check(
                pasteboardRows, results, [:], as: "pbcopy and pbpaste",
                "compared with the manual of macOS, whose programs do not run here")
        }
    }

    @Suite("Drop-in names: wl-copy and wl-paste")
    struct WaylandRows {
        @Test(
            "xpb as wl-copy and wl-paste behaves like version 2.3, and like Debian's version except as the table says",
            .timeLimit(.minutes(12)))
        func wayland() async throws {
            async let results = DropInResult.ofXPB(waylandRows.map(\.row))
            async let originals = DropInResult.ofWaylandOriginals(waylandRows)
            try await DropInSection.check(
                waylandRows, results, originals, as: "wl-copy and wl-paste",
                "compared with the manual and messages of version 2.3, and with Debian's version 2.1 under sway")
        }

        @Test("xpb as wl-copy and wl-paste refuses the lines that the originals refuse", .timeLimit(.minutes(8)))
        func options() async throws {
            try await DropInSection.compare(waylandOptionRows, as: "options of wl-copy and wl-paste")
        }
    }
}

extension DropInSection {
    /// Compares documented results with the results of `xpb` and of the originals. The originals' results are keyed by
    /// the numbers of the rows.
    static func check(
        _ rows: [DocumentedRow], _ results: [DropInResult], _ originals: [Int: DropInResult], as program: String,
        _ source: String
    ) throws {
        var section = DropInSection(program: program, source: source)
        for (number, (row, result)) in zip(rows, results).enumerated() {
            #expect(row.matches(result), "\(row.row.line) [\(row.row.before)]: \(result)")
            let difference = originals[number].flatMap { result.difference(from: $0, asks: row.row.asks) }
            #expect(
                (difference == nil) == (row.row.reason == nil),
                "\(row.row.line) [\(row.row.before)]: \(difference ?? "no difference")")
            section.append(
                row.row.line, row.row.before, difference.map { "\($0): \(row.row.reason ?? "")" },
                isAlone: originals[number] == nil)
        }
        try section.check()
    }

    /// Runs each line with the original and with `xpb`, and compares the results.
    static func compare(_ rows: [DropInRow], as program: String) async throws {
        async let originals = DropInResult.ofOriginals(rows)
        async let ours = DropInResult.ofXPB(rows)
        let results = try await zip(originals, ours)
        var section = DropInSection(program: program, source: "compared with Debian's programs")
        for (row, (original, ours)) in zip(rows, results) {
            let difference = ours.difference(from: original, asks: row.asks)
            #expect(
                (difference == nil) == (row.reason == nil),
                "\(row.line) [\(row.before)]: \(difference ?? "no difference")")
            section.append(row.line, row.before, difference.map { "\($0): \(row.reason ?? "")" })
        }
        try section.check()
    }
}

extension DropInResult {
    /// Returns the results of Debian's programs on a display.
    static func ofOriginals(_ rows: [DropInRow]) async throws -> [DropInResult] {
        try await Xvfb.running { _ in
            try await Sandbox.with { sandbox in
                try await sandbox.withRows { try await $0.results(of: rows, in: "/usr/bin") {} }
            }
        }
    }

    /// Returns the results of Debian's wl-copy and wl-paste under sway, keyed by the numbers of the rows that they can
    /// run.
    static func ofWaylandOriginals(_ rows: [DocumentedRow]) async throws -> [Int: DropInResult] {
        let comparable = rows.indices.filter { rows[$0].isForOriginal }
        let results = try await Sandbox.with(display: nil) { sandbox in
            try await Sway.running(in: sandbox.path("wayland")) { variables in
                let session = sandbox.changing(variables)
                return try await session.results(of: comparable.map { rows[$0].row }, in: "/usr/bin") {
                    _ = try await session.shell("/usr/bin/wl-copy --clear; /usr/bin/wl-copy --clear --primary")
                }
            }
        }
        return Dictionary(uniqueKeysWithValues: zip(comparable, results))
    }

    /// Returns the results of `xpb` under the names of the originals.
    static func ofXPB(_ rows: [DropInRow]) async throws -> [DropInResult] {
        // xpb exits even where the original never does.
        let ending = rows.map { row in
            var row = row
            row.hangs = false
            return row
        }
        return try await Xvfb.running { _ in
            try await Sandbox.with { sandbox in
                try await sandbox.linkDropIns()
                return try await sandbox.withRows { sandbox in
                    try await sandbox.results(of: ending, in: "\(sandbox.path("links")):\(Binaries.folder)") {
                        try await sandbox.require("clear", "-p", "general", "-p", "find", "-p", "secondary")
                    }
                }
            }
        }
    }
}

extension Sandbox {
    /// Links the names of the originals to `xpb`, in the folder `links`.
    func linkDropIns() async throws {
        let linked = try await shell(
            "mkdir -p links; for n in xclip xsel pbcopy pbpaste wl-copy wl-paste; do ln -sf \"$1\" links/$n; done",
            "\(Binaries.folder)/xpb")
        try #require(linked.status == 0, "\(linked)")
    }

    /// Runs `body` with the peer of Tests/Fixtures/dropin_row.sh.
    func withRows<Result: Sendable>(_ body: (Sandbox) async throws -> Result) async throws -> Result {
        let made = try await shell("mkfifo rows")
        try #require(made.status == 0, "\(made)")
        return try await withPeer(["rows", path("rows")]) { peer in
            _ = try await peer.await("ready")
            return try await body(changing(["PEER": path("rows")]))
        }
    }

    /// Runs the lines with the programs in a folder.
    /// - Parameter clear: Empties the selections that the peer cannot empty, before each line.
    func results(
        of rows: [DropInRow], in folder: String, clear: () async throws -> Void
    ) async throws -> [DropInResult] {
        let sandbox = changing(["PATH": "\(folder):/usr/bin:/bin"])
        var results: [DropInResult] = []
        for (number, row) in rows.enumerated() {
            try await clear()
            let place = path("row-\(number)")
            let limit = row.hangs ? "2" : "60"
            let ran = try await sandbox.run(
                [Binaries.fixture("dropin_row.sh"), place, limit, row.before, row.line] + row.asks)
            try #require(ran.status == 0, "\(row.line): \(ran)")
            results.append(try DropInResult(at: place, asks: row.asks.count))
        }
        return results
    }
}

extension DropInResult {
    /// Reads the files that Tests/Fixtures/dropin_row.sh wrote.
    init(at folder: String, asks: Int) throws {
        func bytes(_ name: String) throws -> [UInt8] {
            Array(try Data(contentsOf: URL(filePath: "\(folder)/\(name)")))
        }
        func line(_ name: String) throws -> String {
            String(decoding: try bytes(name).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        }
        let status = try line("status")
        self.init(
            output: try bytes("stdout"), status: status, error: status == "0" ? "" : try line("stderr"),
            reads: try (0..<asks).map { Read(bytes: try bytes("read\($0)"), status: try line("read\($0).status")) })
    }
}

/// A part of Documents/DropIns.md: a table of lines, between two marks.
struct DropInSection {
    let program: String
    let source: String
    private var rows: [String] = []
    private var differences = 0

    init(program: String, source: String) {
        self.program = program
        self.source = source
    }

    /// - Parameter isAlone: True if there is no original to compare with.
    mutating func append(_ line: String, _ before: String, _ difference: String?, isAlone: Bool = false) {
        if difference != nil { differences += 1 }
        let given = before.isEmpty ? "" : "`\(Self.cell(before))`"
        rows.append(
            "| `\(Self.cell(line))` | \(given) | \(difference.map(Self.cell) ?? (isAlone ? "as its manual says" : "same")) |"
        )
    }

    private static func cell(_ text: String) -> String {
        text.replacing("|", with: "\\|").replacing("\n", with: "↵")
    }

    /// Compares the table with the document, or writes it there.
    func check() throws {
        let path = "\(Binaries.package)/Documents/DropIns.md"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let (start, end) = ("<!-- \(program) -->\n", "<!-- end of \(program) -->")
        guard let from = text.range(of: start), let to = text.range(of: end) else {
            Issue.record("Documents/DropIns.md has no table of \(program)")
            return
        }
        let table =
            "\(rows.count) lines, \(source); \(differences) differ.\n\n"
            + "| line | before | result |\n|---|---|---|\n" + rows.joined(separator: "\n") + "\n"
        if ProcessInfo.processInfo.environment["XPB_WRITE_DROPINS"] == "1" {
            let changed = text.replacingCharacters(in: from.upperBound..<to.lowerBound, with: table)
            try changed.write(toFile: path, atomically: true, encoding: .utf8)
        } else {
            #expect(
                text[from.upperBound..<to.lowerBound] == table,
                "Documents/DropIns.md is not up to date; run this test with XPB_WRITE_DROPINS=1")
        }
    }
}
