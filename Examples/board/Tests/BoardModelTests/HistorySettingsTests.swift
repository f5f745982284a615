import BoardModel
import FoundationEssentials
import Testing

@Suite struct HistorySettingsTests {
    private static func json(age: String, limit: String = "100000") -> Data {
        Data(
            """
            {"v": 1, "path": "/c", "settings": {
                "history-limit": {"value": \(limit), "origin": "environment", "source": "XPB_HISTORY_LIMIT"},
                "history-age": {"value": \(age), "origin": "file", "source": "/c:1"},
                "capture-except": {"value": ["gimp"], "origin": "default"},
                "sync": {"value": "both", "origin": "default"}, "later": {"value": {}, "origin": "default"}
            }}
            """.utf8)
    }

    @Test("The settings are read from the output of the command", arguments: [("null", nil), ("86400", 86_400)])
    func settings(age: String, seconds: Int?) throws {
        let settings = try #require(HistorySettings(json: Self.json(age: age)))
        #expect(settings.limit == 100_000 && settings.age == seconds)
        #expect(settings.excluded == ["gimp"] && settings.sync == "both" && settings.overridden == ["history-limit"])
        #expect(HistorySettings.directions.contains(settings.sync) && HistorySettings.ages.contains(settings.age))
    }

    @Test("Output without one of the settings is refused")
    func older() {
        #expect(HistorySettings(json: Self.json(age: "null", limit: "\"many\"")) == nil)
        #expect(HistorySettings(json: Data("{\"settings\": {}}".utf8)) == nil)
    }
}
