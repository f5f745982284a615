import Foundation
import LinuxSystem
import SystemPackage
import Testing

struct ReplacementFolderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func names(_ path: String = ".") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.file(path)).sorted()
    }

    private func make(_ path: String, _ files: [String] = []) throws {
        try FileManager.default.createDirectory(atPath: folder.file(path), withIntermediateDirectories: false)
        for file in files { _ = try folder.make("\(path)/\(file)") }
    }

    private func write(_ new: ReplacementFolder, _ name: String) throws {
        let file = try new.makeFile(name)
        try file.fileDescriptor.writeBytes(Array(name.utf8))
        withExtendedLifetime(file) {}
    }

    @Test(
        "A new folder is there once it is whole, with a trailing slash in its path or without", arguments: ["a", "a/"])
    func new(path: String) throws {
        let new = try ReplacementFolder(path: folder.file(path))
        for name in ["x", "y"] { try write(new, name) }
        #expect(try !names().contains("a"))
        try new.commit(last: "y")
        #expect(try names() == ["a"])
        #expect(try names("a") == ["x", "y"])
        #expect(try String(contentsOfFile: folder.file("a/x"), encoding: .utf8) == "x")
    }

    @Test("An empty folder is filled and stays the one it is")
    func empty() throws {
        try make("a")
        let before = try Stat(FilePath(folder.file("a"))).inode
        let new = try ReplacementFolder(path: folder.file("a"))
        for name in ["x", "y"] { try write(new, name) }
        #expect(try names("a").allSatisfy { $0.hasPrefix(".") })
        try new.commit(last: "y")
        #expect(try names("a") == ["x", "y"])
        #expect(try Stat(FilePath(folder.file("a"))).inode == before)
    }

    @Test("Given up, it leaves nothing behind", arguments: [false, true])
    func givenUp(isThere: Bool) throws {
        if isThere { try make("a") }
        do {
            let new = try ReplacementFolder(path: folder.file("a"))
            try write(new, "x")
        }
        #expect(try names() == (isThere ? ["a"] : []))
        if isThere { #expect(try names("a") == []) }
    }

    @Test("A folder with something in it, a file and a missing parent are refused")
    func refused() throws {
        try make("a", [".hidden"])
        _ = try folder.make("file")
        #expect(throws: Errno.directoryNotEmpty) { try ReplacementFolder(path: folder.file("a")) }
        #expect(throws: Errno.notDirectory) { try ReplacementFolder(path: folder.file("file")) }
        #expect(throws: Errno.noSuchFileOrDirectory) { try ReplacementFolder(path: folder.file("no/a")) }
        #expect(try names() == ["a", "file"])
    }

    @Test("A folder that somebody filled meanwhile is not replaced")
    func taken() throws {
        do {
            let new = try ReplacementFolder(path: folder.file("a"))
            try write(new, "x")
            try make("a", ["theirs"])
            #expect(throws: Errno.self) { try new.commit(last: "x") }
        }
        #expect(try names() == ["a"])
        #expect(try names("a") == ["theirs"])
    }

    @Test("A name stands once")
    func twice() throws {
        let new = try ReplacementFolder(path: folder.file("a"))
        try write(new, "x")
        #expect(throws: Errno.fileExists) { try new.makeFile("x") }
    }
}
