import Foundation
import Testing
import UniformTypes

@testable import TypeDatabase

/// Serialized: there is one database for the process.
@Suite(.serialized) struct TypeDatabaseTests {
    private let folder: TemporaryFolder
    private let types = "config/xpb/types.json"

    init() throws { folder = try TemporaryFolder() }

    private func install() {
        TypeDatabase.install(environment: [
            "XDG_CONFIG_HOME": "\(folder.path)/config", "XDG_DATA_HOME": "\(folder.path)/data",
            "XDG_DATA_DIRS": "/none",
        ])
    }

    @Test("Nothing is read before it is needed, and then once")
    func laziness() throws {
        install()
        try folder.write(types, "{ \"com.example.late\": { \"extensions\": \"late-1\" } }")
        #expect(TypeDatabase.user().declarations.map(\.identifier) == ["com.example.late"])
        try folder.write(types, "{}")
        #expect(TypeDatabase.user().declarations.map(\.identifier) == ["com.example.late"])
    }

    @Test("A file that was written is read again, and only then")
    func refresh() throws {
        install()
        #expect(!TypeDatabase.refresh())
        #expect(TypeDatabase.user().declarations == [])
        #expect(!TypeDatabase.refresh())
        try folder.write(types, "{ \"com.example.new\": {}, \"x\": 1 }")
        #expect(TypeDatabase.refresh())
        #expect(TypeDatabase.user().declarations.map(\.identifier) == ["com.example.new"])
        #expect(TypeDatabase.user().faults.count == 1)
        #expect(!TypeDatabase.refresh())
        try FileManager.default.removeItem(atPath: "\(folder.path)/\(types)")
        #expect(TypeDatabase.refresh())
        #expect(TypeDatabase.user().declarations == [] && TypeDatabase.user().faults == [])
        #expect(!TypeDatabase.refresh())
    }

    @Test("Lookups go by what the user declares")
    func lookups() throws {
        try folder.write(types, "{ \"com.example.looked-up\": { \"mime\": \"application/x-xpb-looked-up\" } }")
        install()
        #expect(UniformType(mimeType: "application/x-xpb-looked-up")?.identifier == "com.example.looked-up")
        try folder.write(types, "{ \"com.example.other\": { \"mime\": \"application/x-xpb-looked-up\" } }")
        #expect(TypeDatabase.refresh())
        #expect(UniformType(mimeType: "application/x-xpb-looked-up")?.identifier == "com.example.other")
    }

    @Test("Lookups go by the desktop's database where nobody declares anything")
    func desktop() throws {
        try folder.write("data/mime/aliases", "application/x-xpb-alias image/png\n")
        install()
        #expect(UniformType(mimeType: "application/x-xpb-alias") == .png)
        #expect(TypeDatabase.desktop.knows(mimeType: "application/x-xpb-alias"))
    }
}
