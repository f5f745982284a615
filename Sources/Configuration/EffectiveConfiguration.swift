import JSONC
package import UserFiles

/// The configuration that is in force: what the file says, over it what the environment says, and where each value came
/// from.
package struct EffectiveConfiguration: Sendable {
    package enum Origin: Equatable, Sendable {
        case `default`
        case file(path: String, line: Int)
        case environment(variable: String)
    }

    /// A value in force.
    package struct Setting: Equatable, Sendable {
        package let key: String
        package let json: String
        package let origin: Origin
    }

    package var configuration: Configuration
    /// What is wrong, in the file first; in place of it the file's value counts, or the default.
    package private(set) var faults: [FileFault]
    /// Of the file as it was read; nil where there was none.
    package let stamp: FileStamp?
    private var origins: [String: Origin] = [:]

    /// - Parameter file: Nil where there is no place for one.
    package init(_ file: UserFile?, environment: [String: String]) {
        let contents = file?.read(limit: Configuration.fileLimit)
        self.init(contents?.bytes ?? [], file: file?.path ?? "", stamp: contents?.stamp, environment: environment)
        if let fault = contents?.fault { faults.insert(fault, at: 0) }
    }

    /// - Parameter path: What faults and origins call the file.
    package init(_ bytes: [UInt8], file path: String, stamp: FileStamp? = nil, environment: [String: String]) {
        let object = JSONObject(file: bytes, limit: Configuration.fileLimit)
        let reader = ConfigurationReader(object)
        configuration = reader.configuration
        let told = (object.faults + reader.faults).sorted { $0.line < $1.line }.prefix(JSONObject.maxFaults)
        faults = told.map { FileFault(file: path, line: $0.line, message: $0.message, key: $0.key) }
        self.stamp = stamp
        for (key, line) in reader.lines { origins[key] = .file(path: path, line: line) }
        read(environment)
    }

    /// Every key's, in their order.
    package var settings: [Setting] {
        ConfigurationKey.all.map { key in
            Setting(key: key.name, json: key.json(configuration), origin: origins[key.name] ?? .default)
        }
    }

    // MARK: The environment

    /// Variables of ours that are no settings.
    private static let others: Set = [
        "XPB_XPBD", "XPB_PASTEBOARD", "XPB_COUNT", "XPB_TYPES", "XPB_OWNER", "XPB_LOG_LEVEL",
    ]

    /// Those of swift-log.
    private static let logLevels = ["trace", "debug", "info", "notice", "warning", "error", "critical"]

    /// A variable that is empty counts as unset.
    private mutating func read(_ environment: [String: String]) {
        // Mostly there is none, and to look for that of each setting is a tenth of what the bridge does at its start.
        let environment = environment.filter { $0.key.hasPrefix(ConfigurationKey.prefix) }
        guard !environment.isEmpty else { return }
        for key in ConfigurationKey.all {
            guard let text = environment[key.variable], !text.isEmpty else { continue }
            guard let parts = key.take(ConfigurationValue(variable: text), &configuration) else {
                add("\"\(key.name)\" is to be \(key.wanted)", key.variable, key.name)
                continue
            }
            for part in parts { add(part.message, key.variable, key.name) }
            origins[key.name] = .environment(variable: key.variable)
        }
        if let level = environment["XPB_LOG_LEVEL"], !level.isEmpty, !Self.logLevels.contains(level) {
            add("it is to be one of \(Self.logLevels.joined(separator: ", "))", "XPB_LOG_LEVEL", "XPB_LOG_LEVEL")
        }
        let known = Set(ConfigurationKey.all.map(\.variable)).union(Self.others)
        for name in environment.keys.sorted() where !known.contains(name) {
            // Others may have variables that begin so: only what is nearly one of these is told.
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
