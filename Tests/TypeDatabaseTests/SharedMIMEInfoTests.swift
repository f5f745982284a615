import Foundation
import TestRandom
import Testing
import TypeDatabase

@Suite struct SharedMIMEInfoTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var database: SharedMIMEInfo {
        SharedMIMEInfo(folders: ["\(folder.path)/own", "\(folder.path)/local", "\(folder.path)/system"])
    }

    @Test("Aliases, subclasses and patterns are converted to lower case")
    func questions() throws {
        try folder.write("system/mime/aliases", "application/X-PDF application/pdf\n")
        try folder.write(
            "system/mime/subclasses", "application/x-note application/xml\napplication/x-note application/zip\n")
        try folder.write("system/mime/globs2", "50:application/x-note:*.Note\n60:application/x-note:*.nt\n")
        let database = database
        #expect(database.canonicalName(ofMIMEType: "application/x-pdf") == "application/pdf")
        #expect(database.canonicalName(ofMIMEType: "application/pdf") == nil)
        #expect(database.parents(ofMIMEType: "application/x-note") == ["application/xml", "application/zip"])
        #expect(database.extensions(ofMIMEType: "application/x-note") == ["nt", "note"])
        #expect(database.mimeType(ofExtension: "note") == "application/x-note")
        #expect(database.mimeType(ofExtension: "pdf") == nil)
    }

    @Test("The user's folder takes precedence, and all folders are used")
    func precedence() throws {
        try folder.write("own/mime/aliases", "a/x a/own\n")
        try folder.write("system/mime/aliases", "a/x a/system\na/y a/system\n")
        try folder.write("own/mime/subclasses", "a/own b/one\n")
        try folder.write("system/mime/subclasses", "a/own b/two\na/own b/one\n")
        try folder.write("own/mime/globs2", "50:a/own:*.e\n10:a/light:*.f\n")
        try folder.write("system/mime/globs2", "50:a/system:*.e\n50:a/system:*.f\n")
        let database = database
        #expect(database.canonicalName(ofMIMEType: "a/x") == "a/own")
        #expect(database.canonicalName(ofMIMEType: "a/y") == "a/system")
        #expect(database.parents(ofMIMEType: "a/own") == ["b/one", "b/two"])
        // With equal weights, the folder decides. A heavier pattern wins from any folder.
        #expect(database.mimeType(ofExtension: "e") == "a/own")
        #expect(database.mimeType(ofExtension: "f") == "a/system")
    }

    @Test("__NOGLOBS__ removes only the patterns of a type in later folders")
    func withdrawn() throws {
        try folder.write("own/mime/globs2", "0:text/x-diff:__NOGLOBS__\n50:text/x-diff:*.diff\n")
        try folder.write(
            "system/mime/globs2", "50:text/x-diff:*.patch\n50:text/x-diff:*.diff\n50:text/x-other:*.other\n")
        let database = database
        #expect(database.extensions(ofMIMEType: "text/x-diff") == ["diff"])
        #expect(database.mimeType(ofExtension: "patch") == nil)
        #expect(database.mimeType(ofExtension: "other") == "text/x-other")
    }

    @Test("Only plain extensions are used, and case-sensitive extensions only in lower case")
    func patterns() throws {
        try folder.write(
            "system/mime/globs2",
            """
            # a comment
            50:a/tar:*.tar.gz
            50:a/make:Makefile
            50:a/make:Makefile.*
            50:a/any:*.[ch]
            50:a/star:*.*
            50:a/cplusplus:*.C:cs
            50:a/csource:*.c:newflag,cs:anything:else
            50:a/umlaut:*.ÄX
            50:a/long:*.\(String(repeating: "x", count: 65))
            50:a/empty:*.

            """)
        let database = database
        for absent in ["gz", "tar.gz", "*", "[ch]", "h", "", "C", String(repeating: "x", count: 65)] {
            #expect(database.mimeType(ofExtension: absent) == nil, "\(absent)")
        }
        #expect(database.mimeType(ofExtension: "c") == "a/csource")
        #expect(database.mimeType(ofExtension: "Äx") == "a/umlaut")
        #expect(database.extensions(ofMIMEType: "a/cplusplus") == [])
    }

    @Test("Malformed lines are ignored, and the lines around them are used")
    func damage() throws {
        let damaged: [[UInt8]] = [
            Array("a/x\n a/b a/c a/d\nnoslash a/b\na//b a/b\n\n#a/b a/c\n/ /\n".utf8), [0, 0xFF, 0x0A],
            Array(repeating: UInt8(ascii: "a"), count: 5000), Array("\na/ä a/b\n".utf8),
        ]
        try folder.write("system/mime/aliases", damaged.flatMap(\.self) + Array("a/last\ta/good".utf8))
        try folder.write(
            "system/mime/globs2",
            "50\n50:\n50:a/x\n:a/x:*.one\nx:a/x:*.one\n-1:a/x:*.one\n999:a/x:*.one\n50:ax:*.one\n7:a/good:*.two")
        let database = database
        #expect(database.canonicalName(ofMIMEType: "a/last") == "a/good")
        #expect(database.canonicalName(ofMIMEType: "a/b") == nil)
        #expect(database.mimeType(ofExtension: "one") == nil)
        #expect(database.mimeType(ofExtension: "two") == "a/good")
    }

    @Test("A text type in the database conforms to plain text, but an unknown text type does not")
    func implicitParents() throws {
        try folder.write("system/mime/types", "text/x-known\ntext/plain\nimage/x-known\n")
        try folder.write("system/mime/subclasses", "text/x-script text/plain\n")
        let database = database
        #expect(database.parents(ofMIMEType: "text/x-known") == ["text/plain"])
        #expect(database.parents(ofMIMEType: "text/x-script") == ["text/plain"])
        #expect(database.parents(ofMIMEType: "text/plain") == [])
        #expect(database.parents(ofMIMEType: "text/_unknown") == [])
        #expect(database.parents(ofMIMEType: "image/x-known") == [])
        #expect(database.knows(mimeType: "image/x-known") && !database.knows(mimeType: "text/_unknown"))
    }

    @Test("An alias has the parents and extensions of its type")
    func alias() throws {
        try folder.write("system/mime/aliases", "a/other a/name\na/self a/self\n")
        try folder.write("system/mime/subclasses", "a/name a/parent\na/self a/self\n")
        try folder.write("system/mime/globs2", "50:a/name:*.name\n")
        let database = database
        #expect(database.parents(ofMIMEType: "a/other") == ["a/parent"])
        #expect(database.extensions(ofMIMEType: "a/other") == ["name"])
        #expect(database.canonicalName(ofMIMEType: "a/self") == nil && database.parents(ofMIMEType: "a/self") == [])
    }

    @Test("Without files, no type is known, and a file that is too large is not read")
    func absent() throws {
        #expect(database.mimeType(ofExtension: "png") == nil && !database.knows(mimeType: "image/png"))
        let line = Array("50:a/x:*.x\n".utf8)
        // The filling is one comment, since each line takes time.
        let filling = Array(repeating: UInt8(ascii: "#"), count: SharedMIMEInfo.maxFileSize - line.count - 1) + [0x0A]
        try folder.write("system/mime/globs2", line + filling + line)
        try folder.write("local/mime/globs2", Array("50:a/y:*.y\n".utf8))
        #expect(database.mimeType(ofExtension: "x") == nil)
        #expect(database.mimeType(ofExtension: "y") == "a/y")
        try folder.write("system/mime/globs2", line + filling)
        #expect(database.mimeType(ofExtension: "x") == "a/x")
    }

    @Test("A folder or a pipe in a file's place is ignored and does not block")
    func otherKinds() throws {
        try FileManager.default.createDirectory(
            atPath: "\(folder.path)/system/mime/aliases", withIntermediateDirectories: true)
        #expect(unsafe mkfifo("\(folder.path)/system/mime/subclasses", 0o600) == 0)
        #expect(database.canonicalName(ofMIMEType: "a/x") == nil && database.parents(ofMIMEType: "a/x") == [])
    }

    @Test("A file is read once, by the first lookup that needs it")
    func laziness() throws {
        let database = database
        try folder.write("system/mime/globs2", "50:a/first:*.x\n")
        #expect(database.mimeType(ofExtension: "x") == "a/first")
        try folder.write("system/mime/globs2", "50:a/second:*.x\n")
        try folder.write("system/mime/aliases", "a/alias a/first\n")
        #expect(database.mimeType(ofExtension: "x") == "a/first")
        #expect(database.canonicalName(ofMIMEType: "a/alias") == "a/first")
    }

    @Test("Many threads can look up types at once")
    func threads() async throws {
        try folder.write("system/mime/globs2", (0..<500).map { "50:a/t\($0):*.e\($0)\n" }.joined())
        let database = database
        let answers = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<64 {
                group.addTask { database.mimeType(ofExtension: "e\(number)") == "a/t\(number)" }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(answers == 64)
    }

    @Test("Random bytes never break the parser", arguments: 0..<UInt64(40))
    func garbage(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let pieces = ["50:", "a/b", ":*.x", "\n", " ", ":", "__NOGLOBS__", "cs", "\0", "\u{FF}", "#", "/", "*."]
        var bytes: [UInt8] = []
        for _ in 0..<300 {
            if Bool.random(using: &generator) {
                bytes.append(UInt8.random(in: 0...255, using: &generator))
            } else {
                bytes += pieces.randomElement(using: &generator)?.utf8 ?? "".utf8
            }
        }
        for file in ["aliases", "subclasses", "globs2", "types"] { try folder.write("own/mime/\(file)", bytes) }
        try folder.write("system/mime/globs2", "50:good/type:*.good\n")
        #expect(database.mimeType(ofExtension: "good") == "good/type", "seed \(seed)")
        #expect(!database.parents(ofMIMEType: "a/b").contains("a/b"), "seed \(seed)")
    }
}
