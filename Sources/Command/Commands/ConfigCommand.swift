import ArgumentParser
import BridgeClient
import CommandCore
import Configuration
import FoundationEssentials
import PasteboardWire
import UserFiles

struct ConfigCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Show the settings in force and the origin of each, or change one.",
        discussion: """
            Each line is KEY: VALUE<TAB>ORIGIN, or on a terminal a row of a table. The value is JSON; the origin is \
            'default', the file with its line, or the variable. With KEY, only its value is written. Starts no \
            bridge: if none is running, shows the settings that a new bridge would read.

            The settings are in a file of JSON with comments (see --path). A variable in the environment in which the \
            bridge was started takes precedence. The bridge reads the file again at the next call, or on 'kill -HUP'. \
            Errors in the file are reported on standard error with their lines; without KEY, the exit status is then 2.

            With KEY and VALUE, the setting is written to the file, whose other text and comments stay as they are, and \
            a running bridge applies it. \
            VALUE is JSON, or as in a variable: words without quotes, and sizes and times with their units.

            \(keyList)

              xpb config history-limit
              xpb config history-age '30 days'
              xpb config capture-except gimp inkscape
              xpb config history-age --default
              xpb config | grep limit
              $EDITOR "$(xpb config --path)"
            """)

    @Flag(help: "Write the path of the file, even if it does not exist.")
    var path = false

    @Flag(name: .customLong("default"), help: "Remove KEY from the file, so that the setting has its default.")
    var removes = false

    @Argument(
        help: ArgumentHelp("A setting, such as history-limit.", valueName: "KEY"),
        completion: .list(ConfigurationKey.all.map(\.name)))
    var key: String?

    @Argument(
        help: ArgumentHelp("The new value of KEY; several words for a setting with several names.", valueName: "VALUE"))
    var words: [String] = []

    @OptionGroup(title: CommonFlags.title) var common: CommonFlags

    private static let keyList = ConfigurationKey.all.map { key in
        "\(key.name) (\(key.variable)): \(key.purpose); \(key.wanted)"
    }.joined(separator: "\n\n")

    func perform(in session: Session) throws {
        let file = UserFile(named: Configuration.fileName, environment: session.environment)
        if path {
            guard key == nil else { throw Failure.usage("--path and KEY exclude each other") }
            return try writePath(file, session)
        }
        let known = try key.map { (key) throws(Failure) in try Self.key(key) }
        if removes || !words.isEmpty { return try change(known, file, session) }
        session.installTypes()
        let own = EffectiveConfiguration(file, environment: session.environment)
        let (settings, faults) = try inForce(own, session)
        if let key {
            guard let setting = settings.first(where: { $0.key == key }) else {
                throw Failure(.unavailable, "the running bridge is older and has no setting '\(key)'")
            }
            // The value in force, which differs from the faulty value, is written too.
            for fault in own.faults where fault.key == nil || fault.key == key { session.console.say("\(fault)") }
            return try session.common.json
                ? session.output.write(json: ConfigJSON(path: file?.path, settings: [setting]))
                : session.output.write(setting.json + "\n")
        }
        if session.common.json {
            try session.output.write(json: ConfigJSON(path: file?.path, settings: settings))
        } else if session.output.isTerminal {
            let rows = settings.map { [$0.key, $0.origin, $0.readable] }
            try session.output.write(table: rows, header: ["SETTING", "ORIGIN", "VALUE"])
        } else {
            try session.output.write(rows: settings.map { ["\($0.key): \($0.json)", $0.origin] })
        }
        guard let last = faults.last else { return }
        for fault in faults.dropLast() { session.console.say(fault) }
        throw Failure(.usage, last)
    }

    private func writePath(_ file: UserFile?, _ session: Session) throws {
        guard let file else { throw Self.noFolder }
        try session.common.json
            ? session.output.write(json: ConfigJSON(path: file.path, settings: nil))
            : session.output.write(file.path + "\n")
    }

    private static func key(_ name: String) throws(Failure) -> ConfigurationKey {
        if let key = ConfigurationKey.named(name) { return key }
        let meant = ConfigurationKey.nearest(to: name).map { "; did you mean '\($0.name)'?" }
        throw .usage("there is no setting '\(name)'\(meant ?? "")")
    }

    /// Writes a setting to the file, or removes it.
    private func change(_ key: ConfigurationKey?, _ file: UserFile?, _ session: Session) throws(Failure) {
        guard let key else { throw .usage("--default needs the KEY of a setting") }
        guard !removes || words.isEmpty else { throw .usage("a VALUE and --default exclude each other") }
        guard let file else { throw Self.noFolder }
        let value = removes ? nil : value(of: key)
        guard removes || value != nil else { throw .usage("\(key.name) must be \(key.wanted)") }
        do throws(UserFile.ChangeFailure) {
            let isChanged = try file.changeConfiguration { (editor) throws(FileFault) in
                if let value { try editor.setting(key, to: value) } else { try editor.removing(key) }
            }
            if !isChanged { session.console.say("\(key.name) is not in \(file.path), and has its default") }
        } catch {
            throw Failure(error)
        }
        // The bridge reads the file before it answers.
        if let client = try? session.connect(start: .never) { _ = try? client.call(Methods.Settings.self, .init()) }
        if let value = session.environment[key.variable], !value.isEmpty {
            session.console.say("\(key.variable) takes precedence over the file")
        }
    }

    /// Returns the value as JSON; nil if it is invalid. Several words are the names of a setting with several names, or
    /// a value with blanks.
    private func value(of key: ConfigurationKey) -> String? {
        let names = words.count > 1 ? key.json(of: ConfigurationKey.json(ofNames: words)) : nil
        return names ?? key.json(of: words.joined(separator: " "))
    }

    private static var noFolder: Failure {
        Failure(.nothing, "settings need a folder; set HOME or XDG_CONFIG_HOME to an absolute path")
    }

    /// Returns the settings of the running bridge, or `own` if no bridge is running, and the errors in both.
    private func inForce(
        _ own: EffectiveConfiguration, _ session: Session
    ) throws(Failure) -> (settings: [SettingInForce], faults: [String]) {
        let faults = own.faults.map(\.description)
        let client: BridgeClient
        do {
            client = try session.connect(start: .never)
        } catch  where error.status == .unavailable {
            session.console.say("no bridge is running; a new bridge would read these settings")
            return (own.settings.map(SettingInForce.init), faults)
        }
        let reply: Methods.Settings.Reply
        do {
            reply = try client.call(Methods.Settings.self, .init()).reply
        } catch {
            throw Failure(reporting: error)
        }
        let settings = reply.settings.map(SettingInForce.init)
        for setting in own.settings.map(SettingInForce.init) {
            if let variable = setting.variable, let other = settings.first(where: { $0.key == setting.key }),
                other.variable == nil || other.json != setting.json
            {
                session.console.say(
                    "\(variable) was different when the bridge started; 'xpb bridge restart' applies it")
            }
        }
        // The bridge may have faulty variables that this program does not have.
        let others = (reply.faults ?? []).filter { !faults.contains($0) }
        return (settings, others.map { "in the running bridge: \($0)" } + faults)
    }
}

/// A setting in force, with its origin.
struct SettingInForce: Equatable {
    let key: String
    let json: String
    let kind: WireSetting.Origin
    let source: String?

    init(_ setting: WireSetting) {
        (key, json, kind, source) = (setting.key, setting.value, setting.origin, setting.source)
    }

    init(_ setting: EffectiveConfiguration.Setting) {
        (key, json) = (setting.key, setting.json)
        (kind, source) =
            switch setting.origin {
            case .default: (.default, nil)
            case .file(let path, let line): (.file, "\(path):\(line)")
            case .environment(let variable): (.environment, variable)
            }
    }

    /// The value for a person: a size with its unit, anything else as JSON.
    var readable: String {
        guard ConfigurationKey.named(key)?.isSize == true, let size = Int(json) else { return json }
        return ByteSize.text(size)
    }

    /// The origin as the lines show it.
    var origin: String { source ?? kind.rawValue }

    /// The variable that sets the value; nil if no variable does.
    var variable: String? { kind == .environment ? source : nil }
}

/// The output of `config --json`: the settings by key, each value as JSON.
struct ConfigJSON: Encodable {
    let path: String?
    /// The settings; nil if only the path was requested.
    let settings: [SettingInForce]?

    private enum Keys: String, CodingKey { case path, settings }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(path, forKey: .path)
        var members: [String: Member] = [:]
        for setting in settings ?? [] { members[setting.key] = try Member(setting) }
        if settings != nil { try container.encode(members, forKey: .settings) }
    }

    private struct Member: Encodable {
        let value: JSONValue
        let origin: String
        let source: String?

        init(_ setting: SettingInForce) throws {
            value = try JSONDecoder().decode(JSONValue.self, from: Data(setting.json.utf8))
            origin = setting.kind.rawValue
            source = setting.source
        }
    }
}

/// A JSON value of any kind.
indirect enum JSONValue: Codable, Equatable {
    case null
    case flag(Bool)
    case integer(Int)
    case number(Double)
    case text(String)
    case array([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self =
            if container.decodeNil() {
                .null
            } else if let flag = try? container.decode(Bool.self) {
                .flag(flag)
            } else if let integer = try? container.decode(Int.self) {
                .integer(integer)
            } else if let number = try? container.decode(Double.self) {
                .number(number)
            } else if let text = try? container.decode(String.self) {
                .text(text)
            } else if let array = try? container.decode([JSONValue].self) {
                .array(array)
            } else {
                .object(try container.decode([String: JSONValue].self))
            }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .flag(let flag): try container.encode(flag)
        case .integer(let integer): try container.encode(integer)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .array(let array): try container.encode(array)
        case .object(let object): try container.encode(object)
        }
    }
}
