import ArgumentParser
import CommandCore
import Commands
import FastPath
import PasteboardModel
import TestRandom
import Testing
import UniformTypes
import XPBCommand

/// The fast path may decline a line, and must not read it differently from the argument library.
@Suite struct FastLineTests {
    private static let common = [
        "-p", "--pasteboard", "--pasteboard=find", "find", "-p=general", "primary", "com.example.scratch", "Find",
        "a_b",
        "-q", "--quiet", "-v", "--json", "--timeout", "5", "--display", ":1", "-qv", "", "-", "--", "word", "-1", "-x",
        "--unknown", "a=b", "-p=", "--pasteboard=",
    ]
    private static let getting =
        common + [
            "-t", "--type", "text", "--type=image/png", "-t=text/html", "--typ", "-tq", "image/*", ".png",
            "UTF8_STRING",
            "text/plain;charset=utf-8", "-t=", "--exact", "--exac", "--exact=1", "--newline", "--trim", "-o", "--item",
        ]
    private static let setting =
        common + [
            "-t", "--type", "text", "html", "png", "-t=html", "--type=image/png", "application/vnd.a+json",
            "public.png",
            "UTF8_STRING", "TARGETS", "-f", "--file", "--file=x", "-f=-", "--file=", "--text", "--text=", "--text=-n",
            "--text=--next", "-n", "--trim", "-nq", "-nf", "--next", "--exact", "two words", "-c", "--files", "--tee",
        ]

    /// Draws `count` random lines, and returns the distinct ones, each with its frequency. Short lines are drawn often,
    /// and the argument library takes tens of milliseconds for a line in a debug build.
    private func lines(of vocabulary: [String], seed: UInt64, _ count: Int) -> [(line: [String], times: Int)] {
        var generator = SeededGenerator(seed: seed)
        var times: [[String]: Int] = [:]
        var distinct: [[String]] = []
        for _ in 0..<count {
            let line = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
                vocabulary.randomElement(using: &generator) ?? ""
            }
            if times[line] == nil { distinct.append(line) }
            times[line, default: 0] += 1
        }
        return distinct.map { ($0, times[$0] ?? 0) }
    }

    private func plain(_ name: String, _ line: [String]) -> FastLine? {
        FastLine(([name] + line).map { Array($0.utf8) })
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// Parses a line with the argument library.
    private func parsed(_ line: [String]) -> (any ParsableCommand)? {
        try? XPB.parseAsRoot(Invocation.normalized(line))
    }

    private func common(_ line: FastLine) throws -> CommonOptions { try common(CommonOptions(line)) }

    /// Returns the options with the pasteboard in its canonical name.
    private func common(_ options: CommonOptions) throws -> CommonOptions {
        var options = options
        options.pasteboards = [try Session(options, environment: [:]).pasteboard()]
        return options
    }

    @Test("Lines of get mean the same to the fast path and to the argument library")
    func get() throws {
        var understood = 0
        for (line, times) in lines(of: Self.getting, seed: 11, 3_000) {
            let understoodLines = ["get", "paste"].compactMap { plain($0, line) }
            if understoodLines.isEmpty { continue }
            let expected = try #require(parsed(["get"] + line) as? GetCommand, "\(line)")
            let expectedCommon = try common(expected.commonOptions)
            #expect(understoodLines.count == 2, "\(line)")
            for plain in understoodLines {
                #expect(plain.command == .get)
                #expect(GetOptions(plain) == expected.options, "\(line)")
                #expect(try common(plain) == expectedCommon, "\(line)")
                #expect(plain.types.map(text).allSatisfy { TypeQuery.parse($0) != nil }, "\(line)")
            }
            understood += times
        }
        #expect(understood > 300)
    }

    @Test("Lines of set and add mean the same to the fast path and to the argument library", arguments: ["set", "add"])
    func set(name: String) throws {
        var understood = 0
        for (line, times) in lines(of: Self.setting, seed: 12, 3_000) {
            guard let plain = plain(name, line) else { continue }
            let (expected, options) = try sourceCommand([name] + line)
            #expect(plain.command == (name == "set" ? .set : .add))
            #expect(SetOptions(plain) == options, "\(line)")
            #expect(try common(plain) == common(expected.common.options(on: expected.pasteboards.names)), "\(line)")
            #expect(plain.types.map(text).allSatisfy { SourceType.concrete(named: $0) != nil }, "\(line)")
            understood += times
        }
        #expect(understood > 300)
    }

    @Test("Lines of count mean the same to the fast path and to the argument library")
    func count() throws {
        var understood = 0
        for (line, times) in lines(of: Self.common, seed: 13, 2_000) {
            guard let plain = plain("count", line) else { continue }
            let expected = try #require(parsed(["count"] + line) as? any Subcommand, "\(line)")
            #expect(try common(plain) == common(expected.commonOptions), "\(line)")
            understood += times
        }
        #expect(understood > 100)
    }

    @Test("The fast path accepts only canonical names of pasteboards")
    func names() throws {
        for name in [
            "general", "clipboard", "find", "primary", "secondary", "General", "com.example.a", "a.b", "a..b", ".a",
            "a.",
            "ab", "", "WM_S0", "_NET.a", "a_b.c", "CLIPBOARD_MANAGER", "ä.b", "a b.c", "a.b-c", "1.2",
            String(repeating: "a", count: 254) + ".b", String(repeating: "a", count: 253) + ".b",
        ] {
            guard let plain = plain("get", ["-p", name]) else { continue }
            #expect(text(plain.pasteboard) == (try PasteboardName(validating: name)).string)
        }
        #expect(plain("get", ["-p", "com.example.a"])?.pasteboard == Array("com.example.a".utf8))
        #expect(plain("get", ["-p", "a_b.c"]) == nil)
    }

    @Test(
        "The fast path accepts the lines of scripts",
        arguments: [
            ["get"], ["paste"], ["get", "-t", "text/html"], ["get", "-p", "primary"], ["get", "-t", "image/png", "-q"],
            ["get", "-t", "UTF8_STRING"], ["set"], ["copy"], ["set", "hello", "world"], ["set", "--", "-x"],
            ["set", "-n"],
            ["set", "-f", "file"], ["set", "-t", "image/png"], ["set", "-t", "text/html", "-f", "page.html"],
            ["set", "--text", "x"], ["set", "-p", "find", "needle"], ["add", "x"], ["count"], ["count", "-p", "find"],
        ])
    func plain(line: [String]) {
        #expect(FastLine(line.map { Array($0.utf8) }) != nil)
    }

    @Test("Invalid UTF-8 is kept as it is")
    func bytes() {
        let line = [Array("set".utf8), [0xFF, 0xC3], [0x80]]
        #expect(FastLine(line)?.source == .text([0xFF, 0xC3, 0x20, 0x80]))
    }
}
