import Logging
import TypeDatabase

/// What the user set: how the bridge behaves, and the types that are declared. Both files may change at any time; they
/// are looked at before a call that needs them, which costs a few calls of stat(2).
final class Settings {
    private let file: UserFile?
    private let logger: Logger
    private var stamp: FileStamp?
    private var faults: [FileFault] = []
    private(set) var rules = Forms.Rules()
    var configuration = Configuration()

    /// To be made once the types are installed, which the configuration names.
    init(environment: [String: String], logger: Logger) {
        self.logger = logger
        file = UserFile(named: "config.json", environment: environment)
        read()
    }

    /// Logs what is wrong in both files, once there is a log.
    func reportFaults() { report(faults + TypeDatabase.user().faults) }

    /// - Returns: Whether the rules are others than before.
    func refresh() -> Bool {
        let before = rules
        if let file, file.stamp != stamp {
            read()
            report(faults)
        }
        if TypeDatabase.refresh() { report(TypeDatabase.user().faults) }
        return rules != before
    }

    private func read() {
        guard let file else { return }
        let (configuration, faults, stamp) = Configuration.read(file)
        self.stamp = stamp
        rules = Forms.Rules(configuration)
        self.configuration = configuration
        self.faults = faults
    }

    private func report(_ faults: [FileFault]) {
        for fault in faults { logger.warning("\(fault)") }
    }
}

extension Forms.Rules {
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
