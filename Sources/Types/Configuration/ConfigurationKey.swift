import JSONC

/// A key of the configuration, with its purpose and the parsing of its value.
package struct ConfigurationKey: Sendable {
    /// The name in the file.
    package let name: String
    /// A one-line description without a final period.
    package let purpose: String
    /// The valid values, as messages name them after "must be".
    package let wanted: String
    /// True if the value is a number of bytes.
    package let isSize: Bool
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
        isSize = kind.isSize
        set = { given, configuration in
            guard let (value, faults) = kind.read(given) else { return nil }
            configuration[keyPath: field] = value
            return faults
        }
        json = { kind.json($0[keyPath: field]) }
    }

    package static func named(_ name: String) -> ConfigurationKey? { all.first { $0.name == name } }

    /// Returns the key that a misspelled name probably means.
    package static func nearest(to name: String) -> ConfigurationKey? {
        Suggestion.nearest(to: name, among: all.map(\.name)).flatMap(named)
    }

    private static let limits: [ConfigurationKey] = [
        ConfigurationKey(
            "limit-transfers", \.limits.transfers, .number(1...100_000),
            """
            maximum number of transfers at the same time: with X11 programs, from Wayland programs, and to Wayland \
            programs
            """
        ),
        ConfigurationKey(
            "limit-program-transfers", \.limits.programTransfers, .number(1...100_000),
            "maximum number of transfers with one program"),
        ConfigurationKey(
            "limit-transfer-bytes", \.limits.transferBytes, .bytes(atMost: 1 << 40, "1 TiB"),
            "maximum memory for transfers, in bytes"),
        ConfigurationKey(
            "limit-program-bytes", \.limits.programBytes, .bytes(atMost: 1 << 40, "1 TiB"),
            "maximum memory for the transfers of one program, in bytes"),
        ConfigurationKey(
            "limit-drip-age", \.limits.dripAge, .seconds(0...86_400),
            "age in seconds after which a slow transfer can be ended, if a limit is reached"),
        ConfigurationKey(
            "limit-drip-rate", \.limits.dripRate, .bytes,
            "minimum rate of a transfer of that age, in bytes per second"),
        ConfigurationKey(
            "limit-type-name", \.limits.typeName, .number(64...65_535), "maximum length of a type name on X11, in bytes"
        ),
        ConfigurationKey(
            "limit-atoms", \.limits.atoms, .number(0...10_000_000),
            "maximum number of atoms interned for others; the X server keeps them"),
        ConfigurationKey(
            "limit-clients", \.limits.clients, .number(1...100_000),
            """
            maximum number of clients; beyond it, an idle client of the process with the most clients is closed, or \
            the new client is refused
            """
        ),
        ConfigurationKey(
            "limit-program-clients", \.limits.programClients, .number(1...100_000),
            "maximum number of clients of one process"),
        ConfigurationKey(
            "limit-message", \.limits.message, .bytes(65_536...(256 << 20), "from 64 KiB to 256 MiB"),
            "maximum length of a client's message, in bytes"),
        ConfigurationKey(
            "limit-incoming", \.limits.incoming, .bytes(atMost: 1 << 40, "1 TiB"),
            "maximum size of incomplete and queued messages, in bytes; beyond it, the largest connections are closed"),
        ConfigurationKey(
            "limit-program-incoming", \.limits.programIncoming, .bytes(atMost: 1 << 40, "1 TiB"),
            "maximum size of incomplete and queued messages of one process, in bytes"),
        ConfigurationKey(
            "limit-handles", \.limits.handles, .number(1...100_000),
            "maximum number of uploads and downloads of a client at the same time"),
        ConfigurationKey(
            "limit-program-handles", \.limits.programHandles, .number(1...1_000_000),
            "maximum number of uploads and downloads of one process"),
        ConfigurationKey(
            "limit-watch-queue", \.limits.watchQueue, .bytes(atMost: 1 << 30, "1 GiB"),
            "maximum size of the unread changes of a watcher, in bytes; a slower watcher is informed that it missed changes"
        ),
    ]

    /// All keys, in the order in which they are shown.
    package static let all: [ConfigurationKey] =
        [
            ConfigurationKey(
                "derive", \.derive, .flag, "offers conversions of the types on a pasteboard"),
            ConfigurationKey("filters", \.filters, .filters, "programs that convert one type into another"),
            ConfigurationKey(
                "filter-timeout", \.filterTimeout, .seconds(0.001...86_400), "time limit of a filter, in seconds"),
            ConfigurationKey("filter-limit", \.filterLimit, .bytes, "maximum output of a filter, in bytes"),
            ConfigurationKey("persist", \.persist, .flag, "stores contents on disk, so that they survive the bridge"),
            ConfigurationKey(
                "capture", \.capture, .flag, "captures contents of other programs, so that they survive these programs"),
            ConfigurationKey(
                "capture-delay", \.captureDelay, .seconds(0...3600),
                "delay between a copy and its capture, in seconds"),
            ConfigurationKey(
                "capture-limit", \.captureLimit, .bytes, "maximum size of a captured representation, in bytes"),
            ConfigurationKey(
                "capture-total", \.captureTotal, .bytes,
                "maximum size of all captured representations of a copy, in bytes"),
            ConfigurationKey(
                "capture-count", \.captureCount, .number(1...1000),
                "maximum number of captured representations of a copy"),
            ConfigurationKey("capture-images", \.captureImages, .flag, "captures images, in one format"),
            ConfigurationKey(
                "capture-gtk4", \.captureGTK4, .flag,
                "captures contents of GTK 4 programs; contents over 256 KiB can freeze them"),
            ConfigurationKey("capture-primary", \.capturePrimary, .flag, "captures PRIMARY"),
            ConfigurationKey(
                "sync", \.sync, .choice,
                """
                copies new contents from CLIPBOARD to PRIMARY (general-to-find), from PRIMARY to CLIPBOARD \
                (find-to-general), or both, within the limits of captures
                """
            ),
            ConfigurationKey(
                "capture-except", \.captureExcept, .names, "process names of programs whose copies are not stored"),
            ConfigurationKey(
                "forget-emptied", \.forgetEmptied, .seconds(0...3600),
                """
                time in seconds within which a program's short text is removed from the history and undo if empty \
                text replaces it, as password tools do; 0 for never
                """
            ),
            ConfigurationKey(
                "manager", \.manager, .flag, "makes the bridge the display's clipboard manager if there is none"),
            ConfigurationKey(
                "managers", \.managers, .names,
                """
                process names of clipboard managers: a read by a manager is not a paste, and contents that it \
                puts back after a program exits are not a copy
                """
            ),
            ConfigurationKey(
                "undo-levels", \.undoLevels, .number(0...1000), "maximum number of earlier contents for undo"),
            ConfigurationKey("history", \.history, .flag, "records contents in the history"),
            ConfigurationKey(
                "history-limit", \.historyLimit, .number(1...10_000_000), "maximum number of entries in the history"),
            ConfigurationKey(
                "history-age", \.historyAge, .secondsOrNone(1...3_155_760_000),
                "maximum age of an entry, in seconds; null for no limit"),
            ConfigurationKey(
                "history-bytes", \.historyBytes, .bytes(atMost: 1 << 40, "1 TiB"),
                "maximum size of the history in bytes, without contents that pasteboards have or undo can restore"),
            ConfigurationKey(
                "osc52", \.osc52, .flag,
                "makes xpb set send text to the terminal if there is neither a display nor a bridge"),
        ] + limits
}
