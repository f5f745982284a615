import JSONC

/// A key of the configuration, with its purpose and the parsing of its value.
package struct ConfigurationKey: Sendable {
    /// The name in the file.
    package let name: String
    /// A one-line description without a full stop.
    package let purpose: String
    /// The valid values, as messages name them after "is to be".
    package let wanted: String
    /// Sets the field of a configuration, and returns the faults of parts that were left out; nil if the value is
    /// invalid.
    let set: @Sendable (ConfigurationValue, inout Configuration) -> [JSONObject.Fault]?
    /// Returns the value of the field as JSON.
    package let json: @Sendable (Configuration) -> String

    /// The environment variable that takes precedence over the file.
    package var variable: String {
        Self.prefix + name.uppercased().replacing("-", with: "_")
    }

    static let prefix = "XPB_"

    private init<Value>(
        _ name: String, _ field: any WritableKeyPath<Configuration, Value> & Sendable, _ kind: ConfigurationKind<Value>,
        _ purpose: String
    ) {
        self.name = name
        self.purpose = purpose
        wanted = kind.wanted
        set = { given, configuration in
            guard let (value, faults) = kind.read(given) else { return nil }
            configuration[keyPath: field] = value
            return faults
        }
        json = { kind.json($0[keyPath: field]) }
    }

    package static func named(_ name: String) -> ConfigurationKey? { all.first { $0.name == name } }

    /// Returns the key that a misspelt name probably means.
    package static func nearest(to name: String) -> ConfigurationKey? {
        Suggestion.nearest(to: name, among: all.map(\.name)).flatMap(named)
    }

    /// The keys of ``Configuration/Limits``.
    private static let limits: [ConfigurationKey] = [
        ConfigurationKey(
            "limit-transfers", \.limits.transfers, .number(1...100_000),
            "the most transfers with programs of X11 at once"),
        ConfigurationKey(
            "limit-program-transfers", \.limits.programTransfers, .number(1...100_000),
            "the most of them with one program"),
        ConfigurationKey(
            "limit-transfer-bytes", \.limits.transferBytes, .bytes(atMost: 1 << 40, "1 TiB"),
            "the most bytes that are held for transfers alone"),
        ConfigurationKey(
            "limit-program-bytes", \.limits.programBytes, .bytes(atMost: 1 << 40, "1 TiB"),
            "the most of them for one program"),
        ConfigurationKey(
            "limit-drip-age", \.limits.dripAge, .seconds(0...86_400),
            "how old a transfer is, in seconds, before it can end as one that drips, where a limit is reached"),
        ConfigurationKey(
            "limit-drip-rate", \.limits.dripRate, .bytes, "how many bytes a second a transfer so old has to have moved"),
        ConfigurationKey(
            "limit-type-name", \.limits.typeName, .number(64...65_535), "the longest name of a type on X11, in bytes"),
        ConfigurationKey(
            "limit-atoms", \.limits.atoms, .number(0...10_000_000),
            "the most names that the X server is told on behalf of others; it keeps them"),
        ConfigurationKey(
            "limit-clients", \.limits.clients, .number(1...100_000),
            "the most clients at once; then an idle one of who has most ends, or the newcomer is refused"),
        ConfigurationKey(
            "limit-program-clients", \.limits.programClients, .number(1...100_000), "the most of them of one process"),
        ConfigurationKey(
            "limit-message", \.limits.message, .bytes(65_536...(256 << 20), "from 64 KiB to 256 MiB"),
            "the longest message of a client"),
        ConfigurationKey(
            "limit-incoming", \.limits.incoming, .bytes(atMost: 1 << 40, "1 TiB"),
            "the most bytes of clients' messages that are not whole, or wait; beyond, who has most loses connections"),
        ConfigurationKey(
            "limit-program-incoming", \.limits.programIncoming, .bytes(atMost: 1 << 40, "1 TiB"),
            "the most of them of one process"),
        ConfigurationKey(
            "limit-handles", \.limits.handles, .number(1...100_000),
            "the most uploads and downloads of a client at once"),
        ConfigurationKey(
            "limit-program-handles", \.limits.programHandles, .number(1...1_000_000),
            "the most of them of one process"),
        ConfigurationKey(
            "limit-watch-queue", \.limits.watchQueue, .bytes(atMost: 1 << 30, "1 GiB"),
            "the most bytes that wait for a watcher; one that is slower is told that it missed changes"),
    ]

    /// All keys, in the order in which they are shown.
    package static let all: [ConfigurationKey] =
        [
            ConfigurationKey(
                "derive", \.derive, .flag, "types that can be made of those on a pasteboard are on offer, too"),
            ConfigurationKey("filters", \.filters, .filters, "programs that make one type of another"),
            ConfigurationKey(
                "filter-timeout", \.filterTimeout, .seconds(0.001...86_400), "how long a filter may take, in seconds"),
            ConfigurationKey("filter-limit", \.filterLimit, .bytes, "the most bytes a filter may make"),
            ConfigurationKey("persist", \.persist, .flag, "contents outlive the bridge, on disk"),
            ConfigurationKey("capture", \.capture, .flag, "contents of other programs are captured, and outlive these"),
            ConfigurationKey(
                "capture-delay", \.captureDelay, .seconds(0...3600),
                "how long contents are there before they are captured, in seconds"),
            ConfigurationKey("capture-limit", \.captureLimit, .bytes, "the most bytes of one captured representation"),
            ConfigurationKey("capture-total", \.captureTotal, .bytes, "the most captured bytes of one copy"),
            ConfigurationKey(
                "capture-count", \.captureCount, .number(1...1000), "the most captured representations of one copy"),
            ConfigurationKey("capture-images", \.captureImages, .flag, "images are captured, in one format"),
            ConfigurationKey(
                "capture-gtk4", \.captureGTK4, .flag,
                "programs of GTK 4 are captured as well; over 256 KiB this can freeze them"),
            ConfigurationKey("capture-primary", \.capturePrimary, .flag, "the selection PRIMARY is captured as well"),
            ConfigurationKey(
                "capture-except", \.captureExcept, .names, "programs that are not captured, by their processes' names"),
            ConfigurationKey(
                "manager", \.manager, .flag, "the bridge is the display's clipboard manager where there is none"),
            ConfigurationKey(
                "managers", \.managers, .names,
                "programs that are clipboard managers, by their processes' names: what they read is no paste"),
            ConfigurationKey(
                "undo-levels", \.undoLevels, .number(0...1000), "how many earlier contents can be gone back to"),
            ConfigurationKey("history", \.history, .flag, "contents go to the history"),
            ConfigurationKey(
                "history-limit", \.historyLimit, .number(1...10_000_000), "the most entries of the history"),
            ConfigurationKey(
                "history-age", \.historyAge, .secondsOrNone(1...3_155_760_000),
                "how long an entry stays in the history, in seconds; null for no limit of time"),
            ConfigurationKey(
                "history-bytes", \.historyBytes, .bytes(atMost: 1 << 40, "1 TiB"), "the most bytes of the history"),
        ] + limits
}
