import Configuration
import FormatConversion
import Logging
import PasteboardWire
import TypeDatabase
import UserFiles

/// What the user set: how the bridge behaves, and the types that are declared. Both files may change at any time; they
/// are looked at before a call that needs them, which costs a few calls of stat(2).
final class Settings {
    /// What a look at the files may have changed.
    struct Changes {
        /// What is made of contents.
        var rules = false
        var configuration = false
    }

    private let file: UserFile?
    /// The bridge's own never changes.
    private let environment: [String: String]
    private let logger: Logger
    private var effective: EffectiveConfiguration
    private(set) var rules: FormatCatalog.Rules

    var configuration: Configuration {
        get { effective.configuration }
        set { effective.configuration = newValue }
    }

    /// To be made once the types are installed, which the configuration names.
    init(environment: [String: String], logger: Logger) {
        self.environment = environment
        self.logger = logger
        file = UserFile(named: Configuration.fileName, environment: environment)
        effective = EffectiveConfiguration(file, environment: environment)
        rules = FormatCatalog.Rules(effective.configuration)
    }

    /// Logs what is wrong in both files, once there is a log.
    func reportFaults() { report(effective.faults + TypeDatabase.user().faults) }

    /// - Parameter always: Read the configuration's file even if it looks the same.
    func refresh(always: Bool = false) -> Changes {
        let (formerRules, former) = (rules, configuration)
        if let file, always || file.stamp != effective.stamp {
            effective = EffectiveConfiguration(file, environment: environment)
            rules = FormatCatalog.Rules(configuration)
            report(effective.faults)
        }
        if TypeDatabase.refresh() { report(TypeDatabase.user().faults) }
        return Changes(rules: rules != formerRules, configuration: configuration != former)
    }

    /// Those in force, each with where it came from.
    var all: [WireSetting] { effective.settings.map(WireSetting.init) }

    private func report(_ faults: [FileFault]) {
        for fault in faults { logger.warning("\(fault)") }
    }
}

extension WireSetting {
    fileprivate init(_ setting: EffectiveConfiguration.Setting) {
        switch setting.origin {
        case .default: self.init(key: setting.key, value: setting.json, origin: .default)
        case .file(let path, let line):
            self.init(key: setting.key, value: setting.json, origin: .file, source: "\(path):\(line)")
        case .environment(let variable):
            self.init(key: setting.key, value: setting.json, origin: .environment, source: variable)
        }
    }
}

extension FormatCatalog.Rules {
    fileprivate init(_ configuration: Configuration) {
        self.init(
            derives: configuration.derive,
            filters: configuration.filters.map { filter in
                Filter(
                    input: filter.source, output: filter.result, command: filter.command,
                    deadline: .seconds(configuration.filterTimeout), limit: configuration.filterLimit)
            })
    }
}
