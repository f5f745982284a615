import JSONC
package import UserFiles

/// The configuration in force, with the origin of each value: the environment takes precedence over the file, and the
/// file over the defaults.
package struct EffectiveConfiguration: Sendable {
    package enum Origin: Equatable, Sendable {
        case `default`
        case file(path: String, line: Int)
        case environment(variable: String)
    }

    /// A value in force, with its origin.
    package struct Setting: Equatable, Sendable {
        package let key: String
        package let json: String
        package let origin: Origin
    }

    package var configuration: Configuration
    /// The faults, those of the file first. A variable with a fault is ignored, and a setting with a fault in the file
    /// has its default.
    package private(set) var faults: [FileFault]
    /// The state of the file as it was read; nil if there was none.
    package let stamp: FileStamp?
    private var origins: [String: Origin] = [:]

    /// Reads the user's file.
    package init(environment: [String: String]) {
        self.init(UserFile(named: Configuration.fileName, environment: environment), environment: environment)
    }

    /// - Parameter file: The file; nil if there is no folder for settings.
    package init(_ file: UserFile?, environment: [String: String]) {
        let contents = file?.read(limit: Configuration.maxFileSize)
        self.init(contents?.bytes ?? [], file: file?.path ?? "", stamp: contents?.stamp, environment: environment)
        if let fault = contents?.fault { faults.insert(fault, at: 0) }
    }

    /// - Parameter path: The name of the file in faults and origins.
    package init(_ bytes: [UInt8], file path: String, stamp: FileStamp? = nil, environment: [String: String]) {
        let object = JSONObject(file: bytes, limit: Configuration.maxFileSize)
        let reader = ConfigurationReader(object)
        configuration = reader.configuration
        let reported = (object.faults + reader.faults).sorted { $0.line < $1.line }.prefix(JSONObject.maxFaults)
        faults = reported.map { FileFault(file: path, line: $0.line, message: $0.message, key: $0.key) }
        self.stamp = stamp
        for (key, line) in reader.lines { origins[key] = .file(path: path, line: line) }
        read(environment)
    }

    /// The setting of every key, in the order of ``ConfigurationKey/all``.
    package var settings: [Setting] {
        ConfigurationKey.all.map { key in
            Setting(key: key.name, json: key.json(configuration), origin: origins[key.name] ?? .default)
        }
    }

    // MARK: The environment

    /// The variables of xpb that are not settings.
    private static let others: Set = [
        "XPB_XPBD", "XPB_LINK", "XPB_MACHINE", "XPB_PASTEBOARD", "XPB_COUNT", "XPB_TYPES", "XPB_OWNER", "XPB_WATCH",
        "XPB_LOG_LEVEL",
    ]

    /// The log levels of swift-log.
    private static let logLevels = ["trace", "debug", "info", "notice", "warning", "error", "critical"]

    /// Applies the variables. An empty variable counts as unset.
    private mutating func read(_ environment: [String: String]) {
        // Usually there are no such variables. Looking up the variable of each setting would take a tenth of the
        // bridge's start.
        let environment = environment.filter { $0.key.hasPrefix(ConfigurationKey.prefix) }
        guard !environment.isEmpty else { return }
        for key in ConfigurationKey.all {
            guard let text = environment[key.variable], !text.isEmpty else { continue }
            guard let parts = key.set(ConfigurationValue(variable: text), &configuration) else {
                add("\"\(key.name)\" must be \(key.wanted)", key.variable, key.name)
                continue
            }
            for part in parts { add(part.message, key.variable, key.name) }
            origins[key.name] = .environment(variable: key.variable)
        }
        if let level = environment["XPB_LOG_LEVEL"], !level.isEmpty, !Self.logLevels.contains(level) {
            add("it must be one of \(Self.logLevels.joined(separator: ", "))", "XPB_LOG_LEVEL", "XPB_LOG_LEVEL")
        }
        let known = Set(ConfigurationKey.all.map(\.variable)).union(Self.others)
        for name in environment.keys.sorted() where !known.contains(name) {
            // Other programs may have variables with this prefix, so only probable misspellings are reported.
            let key = name.dropFirst(ConfigurationKey.prefix.count).lowercased().replacing("_", with: "-")
            if let meant = ConfigurationKey.nearest(to: key) {
                add("there is no such setting; did you mean \(meant.variable)?", name, meant.name)
            }
        }
    }

    private mutating func add(_ message: String, _ variable: String, _ key: String) {
        faults.append(FileFault(file: variable, line: nil, message: message, key: key))
    }
}
