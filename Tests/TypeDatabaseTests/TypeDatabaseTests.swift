import Testing
import TypeDatabase
import UniformTypes

/// Each test runs in a process of its own, since a process has one database and other tests look up types.
@Suite struct TypeDatabaseTests {
    private static func install(_ folder: TemporaryFolder) {
        TypeDatabase.install(environment: [
            "XDG_CONFIG_HOME": "\(folder.path)/config", "XDG_DATA_HOME": "\(folder.path)/data",
            "XDG_DATA_DIRS": "/none",
        ])
    }

    private static let types = "config/xpb/types.json"

    @Test("Lookups use the user's declarations, and use changed declarations after a refresh")
    func user() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            try folder.write(Self.types, "{ \"com.example.one\": { \"mime\": \"application/x-one\" } }")
            Self.install(folder)
            #expect(UniformType(mimeType: "application/x-one")?.identifier == "com.example.one")
            #expect(TypeDatabase.user().declarations.count == 1)
            #expect(!TypeDatabase.refresh())
            try folder.write(Self.types, "{ \"com.example.other\": { \"mime\": \"application/x-one\" } }")
            #expect(UniformType(mimeType: "application/x-one")?.identifier == "com.example.one")
            #expect(TypeDatabase.refresh())
            #expect(UniformType(mimeType: "application/x-one")?.identifier == "com.example.other")
        }
    }

    @Test("Lookups use the desktop's database for types that nobody declares")
    func desktop() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            try folder.write("data/mime/aliases", "application/x-alias image/png\n")
            try folder.write("data/mime/globs2", "50:application/x-desk:*.desk\n")
            Self.install(folder)
            #expect(UniformType(mimeType: "application/x-alias") == .png)
            #expect(UniformType(filenameExtension: "desk")?.preferredMIMEType == "application/x-desk")
            #expect(TypeDatabase.desktop.knows(mimeType: "application/x-alias"))
        }
    }
}
