import Bridge
import BridgeState
import Configuration
import FormatConversion
import Foundation
import PasteboardWire
import Testing

@Suite struct SettingsTests {
    /// A service with a settings file.
    private final class Fixture {
        let fixture: ServiceFixture
        private let folder: URL
        private let host = TestHost()
        private(set) var changes = 0

        init(environment: [String: String] = [:]) throws {
            folder = FileManager.default.temporaryDirectory.appending(path: "xpb-\(UUID().uuidString)")
            try FileManager.default.createDirectory(
                at: folder.appending(path: "xpb"), withIntermediateDirectories: true)
            let environment = environment.merging(["XDG_CONFIG_HOME": folder.path]) { $1 }
            fixture = try ServiceFixture(environment: environment)
            host.onSettingsChange = { [unowned self] in changes += 1 }
            fixture.service.host = host
        }

        deinit {
            try? FileManager.default.removeItem(at: folder)
        }

        var service: Service { fixture.service }

        func write(_ text: String) throws {
            try Data(text.utf8).write(to: folder.appending(path: "xpb/config.json"), options: .atomic)
        }
    }

    @Test("A changed file applies at the next check, and is reported once")
    func changes() throws {
        let fixture = try Fixture()
        fixture.service.refreshSettings()
        #expect(fixture.changes == 0 && fixture.service.settings.configuration.undoLevels == 20)
        try fixture.write("{ \"undo-levels\": 3 }")
        for _ in 0..<2 { fixture.service.refreshSettings() }
        #expect(fixture.changes == 1 && fixture.service.settings.configuration.undoLevels == 3)
        #expect(fixture.service.settings.rules.derives)
    }

    @Test("A file with the same settings is not a change")
    func same() throws {
        let fixture = try Fixture()
        try fixture.write("{ \"undo-levels\": 20 } // as it was")
        for always in [false, true] { fixture.service.refreshSettings(always: always) }
        #expect(fixture.changes == 0)
    }

    @Test("A variable of the bridge's environment stays in force when the file changes")
    func environment() throws {
        let fixture = try Fixture(environment: ["XPB_UNDO_LEVELS": "5"])
        try fixture.write("{ \"undo-levels\": 3, \"derive\": false }")
        fixture.service.refreshSettings()
        #expect(fixture.service.settings.configuration.undoLevels == 5)
        #expect(fixture.changes == 1 && !fixture.service.settings.rules.derives)
    }

    @Test("A client gets the settings in force, each with its origin")
    func origins() throws {
        let fixture = try Fixture(environment: ["XPB_CAPTURE": "no"])
        try fixture.write("{\n \"undo-levels\": 3 }")
        let client = try fixture.fixture.client()
        try client.call(Methods.Settings.self, .init())
        let settings = try #require(try client.reply(to: Methods.Settings.self)).settings
        let listed = Dictionary(uniqueKeysWithValues: settings.map { ($0.key, $0) })
        #expect(listed["capture"]?.value == "false" && listed["capture"]?.origin == .environment)
        #expect(listed["capture"]?.source == "XPB_CAPTURE")
        #expect(listed["undo-levels"]?.value == "3" && listed["undo-levels"]?.origin == .file)
        #expect(listed["undo-levels"]?.source?.hasSuffix("/xpb/config.json:2") == true)
        #expect(listed["history"]?.value == "true" && listed["history"]?.origin == .default)
        #expect(listed["history"]?.source == nil)
    }
}
