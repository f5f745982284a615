public import FoundationEssentials

/// The settings of the bridge that the window shows.
public struct HistorySettings: Equatable, Sendable {
    /// The maximum number of entries in the history.
    public let limit: Int
    /// The maximum age of an entry, in seconds; nil for no limit.
    public let age: Int?
    /// The process names of programs whose copies are not stored.
    public let excluded: [String]
    /// The name of the directions in which the clipboard and the selected text are copied to each other.
    public let sync: String

    /// The keys that a variable of the environment sets, whatever the file says.
    public let overridden: Set<String>

    /// The keys of the settings.
    public enum Key {
        public static let limit = "history-limit", age = "history-age", excluded = "capture-except", sync = "sync"
    }

    /// The ages that the window offers, in seconds; nil for no limit.
    public static let ages: [Int?] = [nil, 86_400, 7 * 86_400, 30 * 86_400, 365 * 86_400]
    /// The directions that the window offers.
    public static let directions = ["off", "find-to-general", "general-to-find", "both"]

    /// Reads the output of `xpb config --json`; nil if it lacks one of the settings.
    public init?(json: Data) {
        guard let output = try? JSONDecoder().decode(Output.self, from: json) else { return nil }
        (limit, age) = (output.settings.limit.value, output.settings.age.value.map { Int($0) })
        (excluded, sync) = (output.settings.excluded.value, output.settings.sync.value)
        let origins = [
            Key.limit: output.settings.limit.origin, Key.age: output.settings.age.origin,
            Key.excluded: output.settings.excluded.origin, Key.sync: output.settings.sync.origin,
        ]
        overridden = Set(origins.filter { $0.value == "environment" }.keys)
    }

    private struct Output: Decodable {
        let settings: Settings
    }

    private struct Settings: Decodable {
        let limit: Value<Int>
        let age: Value<Double?>
        let excluded: Value<[String]>
        let sync: Value<String>

        private enum CodingKeys: String, CodingKey {
            case limit = "history-limit"
            case age = "history-age"
            case excluded = "capture-except"
            case sync
        }
    }

    private struct Value<Contents: Decodable>: Decodable {
        let value: Contents
        let origin: String
    }
}
