package import Configuration
package import FormatConversion
package import Logging
package import PasteboardWire
import PictureConversion
import TypeDatabase
import UserFiles

/// The user's settings and declared types. Both files may change at any time, so they are checked before each call that
/// needs them, which costs a few calls of stat(2).
package final class Settings {
    /// The changes found in the files.
    package struct Changes {
        /// True if the rules of conversion have changed.
        package var rules = false
        /// True if other settings have changed.
        package var configuration = false
    }

    private let file: UserFile?
    /// The environment of the bridge, which never changes.
    private let environment: [String: String]
    private let logger: Logger
    /// The command that converts a picture, without the name of the format; nil if there is none.
    private let pictureCommand: [String]?
    private var effective: EffectiveConfiguration
    package private(set) var rules: FormatCatalog.Rules

    package var configuration: Configuration {
        get { effective.configuration }
        set { effective.configuration = newValue }
    }

    /// Reads the settings. The types that the settings name must already be installed.
    ///
    /// - Parameter pictureCommand: The command that converts a picture, without the name of the format; nil for none.
    package init(environment: [String: String], pictureCommand: [String]? = nil, logger: Logger) {
        self.environment = environment
        self.pictureCommand = pictureCommand
        self.logger = logger
        file = UserFile(named: Configuration.fileName, environment: environment)
        effective = EffectiveConfiguration(file, environment: environment)
        rules = FormatCatalog.Rules(effective.configuration, pictureCommand)
    }

    package func reportFaults() { report(effective.faults + TypeDatabase.user().faults) }

    /// Checks both files for changes. `always` is true to read the settings' file even if it looks the same.
    package func refresh(always: Bool = false) -> Changes {
        let (formerRules, former) = (rules, configuration)
        if let file, always || file.stamp != effective.stamp {
            effective = EffectiveConfiguration(file, environment: environment)
            rules = FormatCatalog.Rules(configuration, pictureCommand)
            report(effective.faults)
        }
        if TypeDatabase.refresh() { report(TypeDatabase.user().faults) }
        return Changes(rules: rules != formerRules, configuration: configuration != former)
    }

    /// The settings in force, each with its origin.
    package var all: [WireSetting] { effective.settings.map(WireSetting.init) }

    /// The errors in the file and in the variables.
    package var faults: [String] { effective.faults.map(\.description) }

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
    fileprivate init(_ configuration: Configuration, _ pictureCommand: [String]?) {
        let deadline = Duration.seconds(configuration.filterTimeout)
        let filters = configuration.filters.map { filter in
            Filter(
                input: filter.source, output: filter.result, command: filter.command, deadline: deadline,
                limit: configuration.filterLimit)
        }
        let pictures = PictureFormat.conversions.compactMap { (source, result) in
            pictureCommand.map { command in
                Filter(
                    input: source.type, output: result.type, command: command + [result.rawValue],
                    isOfPictures: true, deadline: deadline, limit: configuration.filterLimit)
            }
        }
        // The user's filters take precedence.
        self.init(derives: configuration.derive, filters: filters + pictures)
    }
}
