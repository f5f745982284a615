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

    @Test("The old contents stand until the new ones are whole")
    func commit() throws {
        _ = try folder.make("a", Array("old".utf8))
        let file = try ReplacementFile(replacing: folder.file("a"))
        try file.fileDescriptor.writeAll("new".utf8)
        #expect(try text("a") == "old")
        try file.commit()
        #expect(try text("a") == "new" && names == ["a"])
    }

    @Test("Given up, it leaves nothing behind")
    func givenUp() throws {
        _ = try folder.make("a", Array("old".utf8))
        var file: ReplacementFile? = try ReplacementFile(replacing: folder.file("a"))
        try file?.fileDescriptor.writeAll("half".utf8)
        file = nil
        #expect(try text("a") == "old" && names == ["a"])
        file = try ReplacementFile(replacing: folder.file("b"))
        file = nil
        #expect(try names == ["a"])
    }

    @Test("As long as it is not whole it has no name, so that nothing is left of a program that is killed")
    func nameless() throws {
        let file = try ReplacementFile(replacing: folder.file("a"))
        try file.fileDescriptor.writeAll("half".utf8)
        #expect(try names == [])
        try file.commit()
        #expect(try names == ["a"])
    }

    @Test("The permissions of what is replaced are kept")
    func permissions() throws {
        _ = try folder.make("a")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: folder.file("a"))
        let file = try ReplacementFile(replacing: folder.file("a"))
        try file.commit()
        #expect(try Stat(FilePath(folder.file("a"))).permissions.rawValue == 0o640)
    }

    @Test("A link stays a link, and what it leads to is replaced")
    func link() throws {
        _ = try folder.make("a", Array("old".utf8))
        try FileManager.default.createSymbolicLink(atPath: folder.file("b"), withDestinationPath: "a")
        let file = try ReplacementFile(replacing: folder.file("b"))
        try file.fileDescriptor.writeAll("new".utf8)
        try file.commit()
        #expect(try text("a") == "new")
        #expect(try Stat(FilePath(folder.file("b")), followTargetSymlink: false).type == .symbolicLink)
    }

    @Test("Several for one file do not disturb each other, and the last one put in place counts")
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

    @Test("A file cannot be made in a folder that is not there, and a long name is no obstacle")
    func places() throws {
        #expect(throws: Errno.noSuchFileOrDirectory) { try ReplacementFile(replacing: folder.file("none/a")) }
        for name in [String(repeating: "n", count: 255), String(repeating: "👩‍👩‍👧‍👧", count: 10)] {
            try ReplacementFile(replacing: folder.file(name)).commit()
            #expect(try names.contains(name) && names.allSatisfy { !$0.hasPrefix(".") })
        }
    }
}
