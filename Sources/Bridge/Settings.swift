import Logging
import TypeDatabase

/// What the user set: how the bridge behaves, and the types that are declared. Both files may change at any time; they
/// are looked at before a call that needs them, which costs two calls of stat(2).
final class Settings {
    private let file: UserFile?
    private let logger: Logger
    private var stamp: FileStamp?
    private(set) var rules = Forms.Rules()

    init(environment: [String: String], logger: Logger) {
        self.logger = logger
        file = UserFile(named: "config.json", environment: environment)
        TypeDatabase.install(environment: environment)
        report(TypeDatabase.user().faults)
        read()
    }

    func refresh() {
        if let file, file.stamp != stamp { read() }
        if TypeDatabase.refresh() { report(TypeDatabase.user().faults) }
    }

    private func read() {
        guard let file else { return }
        let (configuration, faults, stamp) = Configuration.read(file)
        self.stamp = stamp
        rules = Forms.Rules(configuration)
        report(faults)
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
