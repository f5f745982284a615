import CommandCore
import Commands
import Formats
import Foundation
import LinuxSystem
import PasteboardWire
import SystemPackage
import Testing
import XPBCommand

@Suite final class SourceLoaderTests {
    private let place = FileManager.default.temporaryDirectory.appending(path: "xpb-\(UUID().uuidString)")

    deinit { try? FileManager.default.removeItem(at: place) }

    /// Writes a file in a new folder, and returns its path.
    private func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let folder = place.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: name)
        try Data(bytes).write(to: file)
        return file.path
    }

    private func load(
        _ items: [[Source]], trim: Bool = false, exact: Bool = false, limit: Int = 1 << 20
    ) throws -> LoadedSources {
        var options = SetOptions()
        options.items = items
        options.trim = trim
        options.exact = exact
        return try SourceLoader(console: Console(isQuiet: true, isVerbose: false), limit: limit).load(options)
    }

    private func concealed(_ items: Source.Origin..., trim: Bool = false) throws -> LoadedSources {
        var options = SetOptions()
        options.items = [items.map { Source(origin: $0, types: []) }]
        options.concealed = true
        options.trim = trim
        return try SourceLoader(console: Console(isQuiet: true, isVerbose: false)).load(options)
    }

    private func failure(_ origin: Source.Origin, _ types: String..., limit: Int = 1 << 20) -> Failure? {
        #expect(throws: Failure.self) { _ = try load([[Source(origin: origin, types: types)]], limit: limit) }
    }

    @Test(
        "A misspelled type is refused with the intended type",
        arguments: [("htlm", "html"), ("colour", "color"), ("imgae", nil), ("UTF8_STRING", nil), ("zebra", nil)])
    func misspelt(type: String, meant: String?) throws {
        func load(exact: Bool) throws {
            _ = try self.load([[Source(origin: .text("x"), types: [type])]], exact: exact)
        }
        if let meant {
            let failure = #expect(throws: Failure.self) { try load(exact: false) }
            #expect(failure?.message.contains("did you mean '\(meant)'?") == true)
        } else {
            try load(exact: false)
        }
        try load(exact: true)
    }

    private func bytes(_ loaded: LoadedSources, _ item: Int, _ representation: Int) throws -> String {
        let place = try #require(loaded.items[item].representations[representation].bytes)
        return String(
            decoding: try loaded.blobs[place.descriptor ?? 0].bytes(in: place.offset..<place.offset + place.length),
            as: UTF8.self)
    }

    @Test("Each source of a secret has its own locked memory, and its type depends on whether it is text")
    func secrets() throws {
        let (text, other) = (try file("a", Array("s3cret\n".utf8)), try file("b", [0xFF, 0x00]))
        let loaded = try concealed(.file(text), .file(other), trim: true)
        #expect(loaded.blobs.count == 2 && loaded.blobs.allSatisfy { $0.secret != nil })
        #expect(loaded.items[0].representations.map(\.type) == ["public.utf8-plain-text", "public.data"])
        #expect(try bytes(loaded, 0, 0) == "s3cret")
        #expect(loaded.items[0].representations[1].bytes == WireBytes(descriptor: 1, offset: 0, length: 2))
    }

    @Test("A secret is refused if its sources together are too long")
    func longSecret() throws {
        let (longest, short) = (try file("a", .init(repeating: 0x61, count: 65_536)), try file("b", [0x61]))
        #expect(try concealed(.file(longest)).blobs.map(\.length) == [65_536])
        let failure = #expect(throws: Failure.self) { try concealed(.file(longest), .file(short)) }
        #expect(failure?.status == .refused && failure?.message.contains("65536") == true)
    }

    @Test("Two sources of one item with equal types are refused, since only the first could be pasted")
    func equalTypes() throws {
        let (text, picture) = (try file("a.txt", Array("a".utf8)), try file("b.png", [0xFF]))
        let pairs: [(Source, Source)] = [
            (Source(origin: .text("a"), types: []), Source(origin: .file(text), types: [])),
            (Source(origin: .text("a"), types: []), Source(origin: .command("date"), types: ["text"])),
            (Source(origin: .file(picture), types: []), Source(origin: .text("b"), types: ["html", ".png"])),
            (Source(origin: .text("a"), types: ["text/html"]), Source(origin: .text("b"), types: ["text/html"])),
        ]
        for (first, second) in pairs {
            let failure = #expect(throws: Failure.self) { try load([[first, second]]) }
            #expect(failure?.status == .usage && failure?.message.contains("--next") == true, "\(first) \(second)")
            #expect(try load([[first], [second]]).items.count == 2)
        }
    }

    @Test("Names of a type with and without a target, or a name given twice for one source, do not conflict")
    func distinctTypes() throws {
        let names = [
            Source(origin: .text("a"), types: ["text/html", "text/html"]), Source(origin: .text("b"), types: ["html"]),
        ]
        #expect(try load([names]).items[0].representations.map(\.type) == ["text/html", "text/html", "html"])
    }

    @Test("All sources are ranges of one file, and all names of a source have the same range")
    func ranges() throws {
        let path = try file("a.txt", Array("from a file\n".utf8))
        let loaded = try load([
            [Source(origin: .text("one"), types: ["rtf", "html"]), Source(origin: .file(path), types: [])],
            [Source(origin: .text(""), types: [])],
        ])
        #expect(loaded.items.map(\.representations.count) == [3, 1])
        #expect(loaded.items[0].representations.map(\.type) == ["rtf", "html", "public.utf8-plain-text"])
        #expect(loaded.items[0].representations[0].bytes == loaded.items[0].representations[1].bytes)
        #expect(try bytes(loaded, 0, 0) == "one" && bytes(loaded, 0, 2) == "from a file\n" && bytes(loaded, 1, 0) == "")
        #expect(loaded.firstSource == 0..<3 && !loaded.isEmpty)
    }

    @Test("A command is a promise under all its names, and has no bytes yet")
    func commands() throws {
        let loaded = try load([
            [Source(origin: .command("one"), types: ["png", "x/y"]), Source(origin: .text("b"), types: [])],
            [Source(origin: .command("two"), types: [])],
        ])
        #expect(loaded.items.map { $0.representations.map(\.promise) } == [["0", "0", nil], ["1"]])
        #expect(loaded.items[0].representations.map { $0.bytes == nil } == [true, true, false])
        #expect(loaded.items[1].representations[0].type == "public.utf8-plain-text")
        #expect(
            loaded.commands == [
                PromisedCommand(text: "one", mustBeText: false), PromisedCommand(text: "two", mustBeText: true),
            ])
        #expect(!loaded.isEmpty)
        #expect(try !load([[Source(origin: .command("x"), types: [])]]).isEmpty)
        #expect(failure(.command("x"), "image")?.status == .usage)
    }

    @Test("One newline is removed from the end of each source")
    func trim() throws {
        let loaded = try load(
            ["a\n", "b\r\n", "c\n\n", "\n", ""].map { [Source(origin: .text($0), types: [])] }, trim: true)
        #expect(try (0..<5).map { try bytes(loaded, $0, 0) } == ["a", "b", "c\n", "", ""])
        #expect(loaded.firstSource == 0..<2)
        #expect(try load([[Source(origin: .text("\n"), types: [])]], trim: true).isEmpty)
    }

    @Test("The bytes themselves determine a type that is not given")
    func sniffing() throws {
        for (name, bytes, type) in [
            ("a.png", Array("text".utf8), "public.utf8-plain-text"), ("a.png", [0, 1], "public.png"),
            ("a", [0xFF, 0xD8, 0xFF, 0], "public.jpeg"), ("a.kaya", [0xFF], "public.plain-text"),
            ("a", [0xFF, 1], "public.data"),
            ("a.txt", Array("a\0b".utf8), "public.plain-text"),
        ] as [(String, [UInt8], String)] {
            let loaded = try load([[Source(origin: .file(try file(name, bytes)), types: [])]])
            #expect(loaded.items[0].representations[0].type == type, "\(name) \(bytes)")
        }
    }

    @Test("--exact applies to every representation")
    func exact() throws {
        #expect(
            try load([[Source(origin: .text("a"), types: [])]], exact: true).items[0].representations[0].exact == true)
        #expect(try load([[Source(origin: .text("a"), types: [])]]).items[0].representations[0].exact == nil)
    }

    @Test("A pipe is read to its end")
    func pipe() throws {
        let pipe = try FileDescriptor.pipe()
        try pipe.writeEnd.closeAfter { _ = try pipe.writeEnd.writeAll(Array("piped".utf8)) }
        defer { try? pipe.readEnd.close() }
        var loader = SourceLoader(console: Console(isQuiet: true, isVerbose: false))
        loader.standardInput = pipe.readEnd
        var options = SetOptions()
        options.items = [[Source(origin: .standardInput, types: [])]]
        #expect(try bytes(try loader.load(options), 0, 0) == "piped")
    }

    @Test("The message for an unreadable source names the source and the reason")
    func unreadable() {
        let missing = failure(.file("/nonexistent/file"))
        #expect(missing?.status == .usage && missing?.message.contains("/nonexistent/file") == true)
        let folder = failure(.file("/"))
        #expect(folder?.status == .usage && folder?.message.contains("folder") == true)
        #expect(failure(.fileURL("/nonexistent/file"))?.status == .usage)
    }

    @Test("More bytes than the limit are refused")
    func limit() {
        #expect(failure(.text("four"), limit: 3)?.status == .refused)
        #expect(failure(.file("/dev/zero"), limit: 1 << 16)?.status == .refused)
    }

    @Test(
        "An ambiguous type is an error before anything is read", arguments: ["image", "text/*", "TARGETS", ""])
    func badType(type: String) {
        #expect(failure(.file("/nonexistent/file"), type)?.message.contains("'\(type)'") == true)
    }
}

@Suite struct SourceFileTests {
    @Test("A relative path starts at the working folder, and a missing file has no URL")
    func relative() throws {
        let url = try SourceFile.url(forPath: ".").string
        #expect(url.hasPrefix("file:///") && !url.hasSuffix("."))
        #expect(throws: Failure.self) { try SourceFile.url(forPath: "not/here") }
    }
}
