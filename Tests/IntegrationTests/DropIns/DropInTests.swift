import CopyingSupport
import Foundation
import TestSupport
import Testing

extension Integration {
    /// Debian's programs and `xpb` under their names, side by side: the same lines on the same display.
    ///
    /// The results are the table of Documents/DropIns.md, which `XPB_WRITE_DROPINS=1` writes.
    @Suite("Drop-in names", .requiresXvfb)
    struct DropInTests {
        @Test("xpb as xclip does what xclip does, except where the table says so", .timeLimit(.minutes(8)))
        func xclip() async throws {
            try await compare(xclipRows, as: "xclip")
        }

        @Test("xpb as xsel does what xsel does, except where the table says so", .timeLimit(.minutes(8)))
        func xsel() async throws {
            try await compare(xselRows, as: "xsel")
        }

        @Test("xpb as pbcopy and pbpaste does what their manual says", .timeLimit(.minutes(8)))
        func pasteboards() async throws {
            try await check(
                pasteboardRows, as: "pbcopy and pbpaste",
                "by the manual of macOS, whose programs do not run here")
        }

        @Test(
            "xpb as wl-copy and wl-paste does what version 2.3 does, and Debian's under sway except where the table says so",
            .timeLimit(.minutes(12)))
        func wayland() async throws {
            try await check(
                waylandRows, as: "wl-copy and wl-paste",
                "by the manual and the messages of version 2.3, and beside Debian's version 2.1 under sway")
        }

        @Test("xpb as wl-copy and wl-paste refuses the lines that they refuse", .timeLimit(.minutes(8)))
        func waylandOptions() async throws {
            try await compare(waylandOptionRows, as: "options of wl-copy and wl-paste")
        }

        /// Runs each line with `xpb` alone.
        private func check(_ rows: [DocumentedRow], as program: String, _ source: String) async throws {
            try await Sandbox.with { sandbox in
                try await sandbox.linkDropIns()
                let folder = "\(sandbox.path("links")):\(Binaries.folder)"
                let results = try await sandbox.results(of: rows.map(\.row), in: folder, named: "xpb") {
                    try await sandbox.clearDropIns()
                }
                let originals = program.hasPrefix("wl-") ? try await waylandOriginals(of: rows, in: sandbox) : [:]
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
        }

        /// Runs the lines that Debian's wl-copy and wl-paste can run, and returns their results by the numbers of the
        /// rows.
        private func waylandOriginals(
            of rows: [DocumentedRow], in sandbox: Sandbox
        ) async throws -> [Int: DropInResult] {
            let comparable = rows.indices.filter { rows[$0].isForOriginal }
            let results = try await Sway.running(in: sandbox.path("wayland")) { variables in
                let session = sandbox.removing("DISPLAY").changing(variables)
                return try await session.results(of: comparable.map { rows[$0].row }, in: "/usr/bin", named: "original")
                {
                    _ = try await session.shell("/usr/bin/wl-copy --clear; /usr/bin/wl-copy --clear --primary")
                }
            }
            return Dictionary(uniqueKeysWithValues: zip(comparable, results))
        }

        /// Runs each line with the original and with `xpb`, and compares the results.
        private func compare(_ rows: [DropInRow], as program: String) async throws {
            try await Sandbox.with { sandbox in
                let originals = try await sandbox.results(of: rows, in: "/usr/bin", named: "original") {
                    _ = try await sandbox.shell("for s in p s b; do /usr/bin/xsel -c$s; done; xclip -sel b </dev/null")
                }
                try await sandbox.linkDropIns()
                let ours = try await sandbox.results(of: rows, in: sandbox.path("links"), named: "xpb") {
                    try await sandbox.clearDropIns()
                }
                var section = DropInSection(program: program, source: "beside Debian's programs")
                for (row, (original, ours)) in zip(rows, zip(originals, ours)) {
                    let difference = ours.difference(from: original, asks: row.asks)
                    #expect(
                        (difference == nil) == (row.reason == nil),
                        "\(row.line) [\(row.before)]: \(difference ?? "no difference")")
                    section.append(row.line, row.before, difference.map { "\($0): \(row.reason ?? "")" })
                }
                try section.check()
            }
        }
    }
}

extension Sandbox {
    /// Links the names to `xpb` in the folder `links`.
    func linkDropIns() async throws {
        let linked = try await shell(
            "mkdir -p links; for n in xclip xsel pbcopy pbpaste wl-copy wl-paste; do ln -sf \"$1\" links/$n; done",
            "\(Binaries.folder)/xpb")
        try #require(linked.status == 0, "\(linked)")
    }

    /// Empties the pasteboards and the cut buffer.
    func clearDropIns() async throws {
        try await require("clear", "-p", "general", "-p", "find", "-p", "secondary")
        _ = try await shell("/usr/bin/xclip -sel b </dev/null")
    }

    /// Runs the lines with the programs in a folder.
    /// - Parameter clear: Empties the selections before each.
    func results(
        of rows: [DropInRow], in folder: String, named name: String, clear: () async throws -> Void
    ) async throws -> [DropInResult] {
        let sandbox = changing(["PATH": "\(folder):/usr/bin:/bin"])
        var results: [DropInResult] = []
        for (number, row) in rows.enumerated() {
            try await clear()
            let place = path("\(name)-\(number)")
            let ran = try await sandbox.run(
                [Binaries.fixture("dropin_row.sh"), place, row.before, row.line] + row.asks)
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

    /// - Parameter isAlone: True if no original was there to compare with.
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
