import TestSupport
import Testing

/// What goes through, the same at each run.
enum Contents {
    static let text = "naïve café, 日本語, 𝄞\n\tan indented line\nthe last one"
    static let html = "<p>naïve &amp; <b>日本語</b>, 𝄞</p>"
    static let fileNames = [
        "plain.txt", "with space", "100%.txt", "%20", "a#b?c", "naïve 日本語.txt", "a;b&c=d+e", "[brackets]",
    ]

    /// Nearly that many bytes of characters of up to three bytes. Those of four are ``fourByteText``.
    static func longText(_ count: Int) -> [UInt8] {
        let line = "naïve café, 日本語, and plain words\n"
        return Array(String(repeating: line, count: count / line.utf8.count).utf8)
    }

    /// A border at any multiple of four bytes cuts a character after its third.
    static var fourByteText: [UInt8] { Array(("." + String(repeating: "𝄞", count: 200_000)).utf8) }
}

extension Sandbox {
    /// Writes what is copied into the file `in`, as the programs of the toolkits take it.
    func prepare(_ kind: Kind) async throws {
        switch kind {
        case .text, .absent: try write(Contents.text.utf8, to: "in")
        case .emptyText: try write([], to: "in")
        case .html: try write(Contents.html.utf8, to: "in")
        case .image:
            let made = try await run([Binaries.fixture("Toolkits/image.py"), "make", path("in")])
            try #require(made.status == 0, "\(made)")
        case .files: try makeFiles(listedIn: "in")
        case .undecodableFiles: try write(path("latin-1 ").utf8 + [0xE9, 0xFF, 0x00], to: "in")
        case .fileList:
            try makeFiles(listedIn: "paths")
            let lines = ["cut"] + FileURIs.lines(of: try read("paths"))
            try write(lines.joined(separator: "\n").utf8, to: "in")
        case .note, .reverseDNS: try write(Payload.random(5_000), to: "in")
        case .fourByteText: try write(Contents.fourByteText, to: "in")
        case .largeText: try write(Contents.longText(20 << 20), to: "in")
        case .largeNote: try write(Payload.random(20 << 20), to: "in")
        }
    }

    private func makeFiles(listedIn name: String) throws {
        for name in Contents.fileNames { try write([], to: name) }
        try write(Contents.fileNames.map { path($0) + "\0" }.joined().utf8, to: name)
    }

    /// Copies by xpb what was prepared.
    func xpbCopies(_ kind: Kind) async throws {
        switch kind {
        case .files, .fileList:
            let list = kind == .files ? "in" : "paths"
            let copied = try await shell("xargs -0 xpb set --timeout 60 --files <\"$1\"", list)
            try #require(copied.status == 0, "\(copied)")
        case .undecodableFiles:
            let lines = FileURIs.lines(of: try read("in"))
            try await require("set", "-t", kind.type, "--text", lines.map { $0 + "\r\n" }.joined())
        case .absent: try await require("set", "-t", "text", "-f", "in")
        default: try await require("set", "-t", kind.type, "-f", "in")
        }
    }

    /// What is wrong with the file `out`, which was pasted; nil where it is what was copied.
    /// - Parameter isToolkits: Whether a toolkit's program wrote it.
    func differenceOfPasted(_ kind: Kind, isToolkits: Bool) async throws -> String? {
        let (found, expected) = (try read("out"), try read("in"))
        switch kind {
        case .image:
            let compared = try await run([Binaries.fixture("Toolkits/image.py"), "same", path("out"), path("in")])
            return compared.status == 0 ? nil : "\(compared)"
        case .files, .undecodableFiles:
            return Payload.difference(isToolkits ? found : FileURIs.paths(in: found), expected)
        case .fileList where isToolkits:
            let verb = Array("copy\n".utf8)
            guard found.starts(with: verb) else { return "a copy is to begin with the line “copy”" }
            return Payload.difference(FileURIs.paths(in: found.dropFirst(verb.count)), try read("paths"))
        default: return Payload.difference(found, expected)
        }
    }
}
