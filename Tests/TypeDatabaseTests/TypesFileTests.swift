import Foundation
import LinuxSystem
import SystemPackage
import Testing
import TypeDatabase
import UniformTypes
import UserFiles

@Suite struct TypesFileTests {
    private let folder: TemporaryFolder
    private let file: TypesFile

    init() throws {
        folder = try TemporaryFolder()
        file = try #require(TypesFile(environment: ["XDG_CONFIG_HOME": "\(folder.path)/config"]))
    }

    private var path: String { "\(folder.path)/config/xpb/types.json" }

    private func text() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    @discardableResult
    private func declare(_ identifier: String) throws -> Bool {
        try file.change { editor throws(FileFault) in try editor.setting(TypeDeclaration(identifier: identifier)) }
    }

    @Test("Without HOME there is no file, and an absent file has no declarations")
    func absent() {
        #expect(TypesFile(environment: [:]) == nil)
        #expect(TypesFile(environment: ["HOME": "/h"])?.file.path == "/h/.config/xpb/types.json")
        let contents = file.read()
        #expect(contents.declarations == [] && contents.faults == [] && contents.stamp == nil)
    }

    @Test("Faults name the file by its path")
    func faults() throws {
        try folder.write("config/xpb/types.json", "{\n\"a.b\": 5 }")
        #expect(file.read().faults.map(\.description) == ["\(path):2: \"a.b\": an object in braces is expected here"])
    }

    @Test("An unreadable file is a fault, and is not taken for an empty file")
    func unreadable() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        #expect(file.read().faults.map(\.message) == ["it is not a regular file"])
        #expect(throws: UserFile.ChangeFailure.self) { try declare("a.b") }
        try FileManager.default.removeItem(atPath: path)
        try folder.write("config/xpb/types.json", Array(repeating: 0x20, count: UserTypes.maxFileSize + 1))
        #expect(file.read().faults.map(\.message) == ["the file has more than 1048576 bytes"])
        #expect(throws: UserFile.ChangeFailure.self) { try declare("a.b") }
    }

    @Test("The first change makes the folders, accessible to the owner only")
    func folders() throws {
        #expect(try declare("a.b"))
        #expect(try text() == "{\n  \"a.b\": {}\n}\n")
        for folder in ["config", "config/xpb"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(self.folder.path)/\(folder)")
            #expect(attributes[.posixPermissions] as? Int == 0o700)
        }
        #expect(try declare("c.d"))
        #expect(file.read().declarations.map(\.identifier) == ["a.b", "c.d"])
    }

    @Test("The folders may have names that are not UTF-8")
    func bytes() throws {
        let home = "\(folder.path)/" + LosslessText.string(of: [0xE9])
        let file = try #require(TypesFile(environment: ["HOME": home]))
        #expect(try file.change { editor throws(FileFault) in try editor.setting(TypeDeclaration(identifier: "a.b")) })
        #expect(file.read().declarations.map(\.identifier) == ["a.b"])
        #expect(try Stat(FilePath(lossless: "\(home)/.config/xpb/types.json")).type == .regular)
    }

    @Test("A symbolic link stays a link, and a dangling link is not replaced")
    func links() throws {
        let real = try folder.write("dotfiles/types.json", "{}\n")
        try folder.write("config/xpb/other", "")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: real)
        #expect(try declare("a.b"))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == real)
        #expect(try String(contentsOfFile: real, encoding: .utf8) == "{\n  \"a.b\": {}\n}\n")

        try FileManager.default.removeItem(atPath: real)
        #expect(throws: UserFile.ChangeFailure.self) { try declare("c.d") }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == real)
    }

    @Test("A refused change leaves the file unchanged, and leaves no other file next to it")
    func refusal() throws {
        try folder.write("config/xpb/types.json", "{ \"a.b\": {")
        let fault = FileFault(file: path, line: 1, message: "the '{' is not closed")
        #expect(throws: UserFile.ChangeFailure.refused(fault)) { try declare("c.d") }
        #expect(try text() == "{ \"a.b\": {")
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/config/xpb") == ["types.json"])
    }

    @Test("A change that another program makes at the same time is not lost")
    func concurrency() throws {
        try declare("a.b")
        var isFirst = true
        let isChanged = try file.change { editor throws(FileFault) in
            if isFirst {
                isFirst = false
                _ = try? declare("other.one")
            }
            return try editor.setting(TypeDeclaration(identifier: "c.d"))
        }
        #expect(isChanged)
        #expect(file.read().declarations.map(\.identifier) == ["a.b", "other.one", "c.d"])
    }

    @Test("Of many simultaneous changes, none is lost")
    func simultaneity() async throws {
        let file = file
        try await withThrowingTaskGroup { group in
            for number in 0..<20 {
                group.addTask {
                    try file.change { editor throws(FileFault) in
                        try editor.setting(TypeDeclaration(identifier: "com.example.n\(number)"))
                    }
                }
            }
            for try await isChanged in group { #expect(isChanged) }
        }
        #expect(file.read().declarations.count == 20)
    }

    @Test("An edit without a change does not write the file")
    func nothing() throws {
        #expect(try !file.change { editor throws(FileFault) in try editor.removing("a.b") })
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/config"))
    }

    @Test("The stamp of a file changes when it is written")
    func stamps() throws {
        #expect(file.file.stamp == nil)
        try declare("a.b")
        let stamp = file.read().stamp
        #expect(stamp != nil && stamp == file.file.stamp)
        try declare("c.d")
        #expect(stamp != file.file.stamp)
    }
}
