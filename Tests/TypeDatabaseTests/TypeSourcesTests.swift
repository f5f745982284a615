import Foundation
import Testing
import TypeDatabase
import UniformTypes
import UserFiles

@Suite struct TypeSourcesTests {
    private let folder: TemporaryFolder
    private let sources: TypeSources
    private let types = "config/xpb/types.json"

    init() throws {
        folder = try TemporaryFolder()
        sources = TypeSources(environment: [
            "XDG_CONFIG_HOME": "\(folder.path)/config", "XDG_DATA_HOME": "\(folder.path)/data",
            "XDG_DATA_DIRS": "/none",
        ])
    }

    @Test("Each file is read on demand, and only once")
    func laziness() throws {
        try folder.write(types, "{ \"com.example.late\": {} }")
        try folder.write("data/mime/aliases", "a/late a/name\n")
        #expect(sources.user().declarations.map(\.identifier) == ["com.example.late"])
        #expect(sources.canonicalName(ofMIMEType: "a/late") == "a/name")
        try folder.write(types, "{}")
        try folder.write("data/mime/aliases", "")
        #expect(sources.user().declarations.map(\.identifier) == ["com.example.late"])
        #expect(sources.canonicalName(ofMIMEType: "a/late") == "a/name")
    }

    @Test("The desktop's database is read again after it was rewritten", arguments: ["version", "globs2"])
    func desktop(stamp: String) throws {
        try folder.write("data/mime/\(stamp)", "1\n")
        try folder.write("data/mime/aliases", "a/late a/name\n")
        #expect(sources.canonicalName(ofMIMEType: "a/late") == "a/name")
        try folder.write("data/mime/aliases", "a/late a/other\n")
        #expect(!sources.refresh())
        #expect(sources.canonicalName(ofMIMEType: "a/late") == "a/name")
        try folder.write("data/mime/\(stamp)", "a new one\n")
        #expect(sources.canonicalName(ofMIMEType: "a/late") == "a/name")
        #expect(!sources.refresh())
        #expect(sources.canonicalName(ofMIMEType: "a/late") == "a/other")
    }

    @Test("A database that appears later is read")
    func newDesktop() throws {
        #expect(sources.mimeType(ofExtension: "new") == nil)
        try folder.write("data/mime/globs2", "50:a/new:*.new\n")
        #expect(!sources.refresh())
        #expect(sources.mimeType(ofExtension: "new") == "a/new")
    }

    @Test("The user's file is read again only after it was changed")
    func refresh() throws {
        #expect(!sources.refresh())
        #expect(sources.user().declarations == [])
        #expect(!sources.refresh())
        try folder.write(types, "{ \"com.example.new\": {}, \"x\": 1 }")
        #expect(sources.refresh())
        #expect(sources.user().declarations.map(\.identifier) == ["com.example.new"])
        #expect(sources.user().faults.count == 1)
        #expect(!sources.refresh())
        try FileManager.default.removeItem(atPath: "\(folder.path)/\(types)")
        #expect(sources.refresh())
        #expect(sources.user().declarations == [] && sources.user().faults == [])
        #expect(!sources.refresh())
    }
}
