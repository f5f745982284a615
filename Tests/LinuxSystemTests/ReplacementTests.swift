import Foundation
import LinuxSystem
import SystemPackage
import Testing

struct ReplacementFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: folder.file(name), encoding: .utf8)
    }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    @Test("The old contents stay until the new contents are complete")
    func commit() throws {
        _ = try folder.make("a", Array("old".utf8))
        let file = try ReplacementFile(replacing: folder.file("a"))
        try file.fileDescriptor.writeAll("new".utf8)
        #expect(try text("a") == "old")
        try file.commit()
        #expect(try text("a") == "new" && names == ["a"])
    }

    @Test("A file that is not committed leaves nothing behind")
    func uncommittedFile() throws {
        _ = try folder.make("a", Array("old".utf8))
        var file: ReplacementFile? = try ReplacementFile(replacing: folder.file("a"))
        try file?.fileDescriptor.writeAll("half".utf8)
        file = nil
        #expect(try text("a") == "old" && names == ["a"])
        file = try ReplacementFile(replacing: folder.file("b"))
        file = nil
        #expect(try names == ["a"])
    }

    @Test("The file has no name until it is committed, so that a killed program leaves nothing behind")
    func nameless() throws {
        let file = try ReplacementFile(replacing: folder.file("a"))
        try file.fileDescriptor.writeAll("half".utf8)
        #expect(try names == [])
        try file.commit()
        #expect(try names == ["a"])
    }

    @Test("The permissions of the replaced file are kept")
    func permissions() throws {
        _ = try folder.make("a")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: folder.file("a"))
        let file = try ReplacementFile(replacing: folder.file("a"))
        try file.commit()
        #expect(try Stat(FilePath(folder.file("a"))).permissions.rawValue == 0o640)
    }

    @Test("A link stays a link, and its target is replaced")
    func link() throws {
        _ = try folder.make("a", Array("old".utf8))
        try FileManager.default.createSymbolicLink(atPath: folder.file("b"), withDestinationPath: "a")
        let file = try ReplacementFile(replacing: folder.file("b"))
        try file.fileDescriptor.writeAll("new".utf8)
        try file.commit()
        #expect(try text("a") == "new")
        #expect(try Stat(FilePath(folder.file("b")), followTargetSymlink: false).type == .symbolicLink)
    }

    @Test("Several replacements of one file do not interfere, and the last commit counts")
    func several() throws {
        let first = try ReplacementFile(replacing: folder.file("a"))
        let second = try ReplacementFile(replacing: folder.file("a"))
        try first.fileDescriptor.writeAll("first".utf8)
        try second.fileDescriptor.writeAll("second".utf8)
        try second.commit()
        #expect(try text("a") == "second")
        try first.commit()
        #expect(try text("a") == "first" && names == ["a"])
    }

    @Test("The folder must exist, and long names are supported")
    func places() throws {
        #expect(throws: Errno.noSuchFileOrDirectory) { try ReplacementFile(replacing: folder.file("none/a")) }
        for name in [String(repeating: "n", count: 255), String(repeating: "👩‍👩‍👧‍👧", count: 10)] {
            try ReplacementFile(replacing: folder.file(name)).commit()
            #expect(try names.contains(name) && names.allSatisfy { !$0.hasPrefix(".") })
        }
    }
}

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
        "A new folder appears when it is complete, whether its path ends with a slash or not", arguments: ["a", "a/"])
    func new(path: String) throws {
        let new = try ReplacementFolder(path: folder.file(path))
        for name in ["x", "y"] { try write(new, name) }
        #expect(try !names().contains("a"))
        try new.commit(last: "y")
        #expect(try names() == ["a"])
        #expect(try names("a") == ["x", "y"])
        #expect(try String(contentsOfFile: folder.file("a/x"), encoding: .utf8) == "x")
    }

    @Test("An empty folder is filled in place")
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

    @Test("A folder that is not committed leaves nothing behind", arguments: [false, true])
    func uncommittedFolder(isThere: Bool) throws {
        if isThere { try make("a") }
        do {
            let new = try ReplacementFolder(path: folder.file("a"))
            try write(new, "x")
        }
        #expect(try names() == (isThere ? ["a"] : []))
        if isThere { #expect(try names("a") == []) }
    }

    @Test("A folder that is not empty, a file and a missing parent are refused")
    func refused() throws {
        try make("a", [".hidden"])
        _ = try folder.make("file")
        #expect(throws: Errno.directoryNotEmpty) { try ReplacementFolder(path: folder.file("a")) }
        #expect(throws: Errno.notDirectory) { try ReplacementFolder(path: folder.file("file")) }
        #expect(throws: Errno.noSuchFileOrDirectory) { try ReplacementFolder(path: folder.file("no/a")) }
        #expect(try names() == ["a", "file"])
    }

    @Test("A folder that another program has filled in the meantime is not replaced")
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

    @Test("A file that another program has meanwhile created in the folder is kept, and no other file is added")
    func takenInside() throws {
        try make("a")
        do {
            let new = try ReplacementFolder(path: folder.file("a"))
            try write(new, "x")
            try write(new, "y")
            _ = try folder.make("a/y")
            let theirs = try Stat(FilePath(folder.file("a/y"))).inode
            #expect(throws: Errno.fileExists) { try new.commit(last: "y") }
            #expect(try Stat(FilePath(folder.file("a/y"))).inode == theirs)
        }
        #expect(try names("a") == ["y"])
    }

    @Test("Each name can be used only once")
    func twice() throws {
        let new = try ReplacementFolder(path: folder.file("a"))
        try write(new, "x")
        #expect(throws: Errno.fileExists) { try new.makeFile("x") }
    }
}
