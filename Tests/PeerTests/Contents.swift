import TestSupport
import Testing

/// The test contents, which are the same in each run.
enum Contents {
    static let text = "naïve café, 日本語, 𝄞\n\tan indented line\nthe last one"
    static let html = "<p>naïve &amp; <b>日本語</b>, 𝄞</p>"
    static let fileNames = [
        "plain.txt", "with space", "100%.txt", "%20", "a#b?c", "naïve 日本語.txt", "a;b&c=d+e", "[brackets]",
    ]

    /// Returns nearly the given number of bytes, with characters of up to three bytes. Characters of four bytes are in
    /// ``fourByteText``.
    static func longText(_ count: Int) -> [UInt8] {
        let line = "naïve café, 日本語, and plain words\n"
        return Array(String(repeating: line, count: count / line.utf8.count).utf8)
    }

    /// Text in which every boundary at a multiple of four bytes cuts a character after its third byte.
    static var fourByteText: [UInt8] { Array(("." + String(repeating: "𝄞", count: 200_000)).utf8) }
}

extension Sandbox {
    /// Writes the contents into the file `in`, in the form that the toolkits' programs read.
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

    /// Copies the prepared contents with xpb.
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

    /// Returns the difference between the pasted file `out` and the copied contents; nil if there is none.
    /// - Parameter isToolkits: True if a toolkit's program wrote the file.
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
            guard found.starts(with: verb) else { return "a copy does not begin with the line “copy”" }
            return Payload.difference(FileURIs.paths(in: found.dropFirst(verb.count)), try read("paths"))
        default: return Payload.difference(found, expected)
        }
    }
}

/// Conversions between paths that end with NUL, as the toolkits' programs and xargs(1) read them, and URIs (RFC 8089).
/// Paths are bytes and need not be UTF-8.
enum FileURIs {
    /// Returns the paths of a list whose lines are URIs or comments (RFC 2483, section 5).
    static func paths(in list: some Collection<UInt8>) -> [UInt8] {
        list.split { $0 == 0x0A || $0 == 0x0D }
            .filter { $0.first != UInt8(ascii: "#") }
            .flatMap { path(of: Array($0)) + [0] }
    }

    /// Returns a URI for each path.
    static func lines(of paths: [UInt8]) -> [String] {
        paths.split(separator: 0).map { "file://" + $0.map(escaped).joined() }
    }

    /// Returns the path of a file URI. Other lines are returned unchanged, so that a test detects them.
    private static func path(of uri: [UInt8]) -> [UInt8] {
        let scheme = Array("file://".utf8)
        guard uri.starts(with: scheme) else { return uri }
        var rest = uri.dropFirst(scheme.count)
        var path: [UInt8] = []
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), let value = UInt8(digits, radix: 16) {
                path.append(value)
                rest.removeFirst(2)
            } else {
                path.append(byte)
            }
        }
        return path
    }

    private static func escaped(_ byte: UInt8) -> String {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"):
            String(UnicodeScalar(byte))
        default: (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
        }
    }
}
