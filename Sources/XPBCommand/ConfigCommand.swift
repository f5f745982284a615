import ArgumentParser
import BridgeClient
import Configuration
import FoundationEssentials
import PasteboardWire
import UserFiles

/// `xpb config`.
struct ConfigCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Tell the settings in force, and where each came from.",
        discussion: """
            Writes 'key: value' lines, then a TAB and the origin: 'default', the file with its line, or the variable. A \
            value is JSON. With KEY, that value alone, and on stderr what is wrong about it. Starts no bridge: where none runs, it tells what one started now \
            would read.

            The settings stand in a file of JSON with comments (see --path); a variable of the environment that the \
            bridge was started with wins over it. 'kill -HUP' has the bridge read the file again; so does the next call. \
            What is wrong in the file is told on stderr, with its line; without KEY the exit status is 2 then.

            \(keyList)
            """)

    @OptionGroup var common: CommonFlags

    @Flag(help: "Write the path of the file, whether it is there or not.")
    var path = false

    @Argument(
        help: ArgumentHelp("A setting, such as history-limit.", valueName: "KEY"),
        completion: .list(ConfigurationKey.all.map(\.name)))
    var key: String?

    private static let keyList = ConfigurationKey.all.map { key in
        "\(key.name) (\(key.variable)): \(key.purpose); \(key.wanted)"
    }.joined(separator: "\n\n")

    func perform(in session: Session) throws {
        guard session.common.pasteboards.isEmpty else {
            throw Failure.usage("config is about no pasteboard; leave -p out")
        }
        let file = UserFile(named: Configuration.fileName, environment: session.environment)
        if path {
            guard key == nil else { throw Failure.usage("--path is the path of the file, whatever the key is") }
            return try writePath(file, session)
        }
        if let key { try Self.check(key) }
        session.lookTypesUp()
        let own = EffectiveConfiguration(file, environment: session.environment)
        let settings = try inForce(own, session)
        if let key {
            guard let setting = settings.first(where: { $0.key == key }) else {
                throw Failure(.unavailable, "the bridge that runs is older and has no setting '\(key)'")
            }
            // The value in force is told all the same: another than the one that stands there.
            for fault in own.faults where fault.key == nil || fault.key == key { session.console.say("\(fault)") }
            return try session.common.json
                ? session.output.write(json: ConfigJSON(path: file?.path, settings: [setting]))
                : session.output.write(setting.json + "\n")
        }
        try session.common.json
            ? session.output.write(json: ConfigJSON(path: file?.path, settings: settings))
            : session.output.write(rows: settings.map { ["\($0.key): \($0.json)", $0.origin] })
        guard let last = own.faults.last else { return }
        for fault in own.faults.dropLast() { session.console.say("\(fault)") }
        throw Failure(.usage, "\(last)")
    }

    private func writePath(_ file: UserFile?, _ session: Session) throws {
        guard let file else {
            throw Failure(.nothing, "there is no place for settings; set HOME or XDG_CONFIG_HOME to an absolute path")
        }
        try session.common.json
            ? session.output.write(json: ConfigJSON(path: file.path, settings: nil))
            : session.output.write(file.path + "\n")
    }

    private static func check(_ key: String) throws(Failure) {
        guard ConfigurationKey.named(key) == nil else { return }
        let meant = ConfigurationKey.nearest(to: key).map { "; did you mean '\($0.name)'?" }
        throw .usage("there is no setting '\(key)'\(meant ?? "")")
    }

    /// Those of the bridge that runs, or else `own`.
    private func inForce(_ own: EffectiveConfiguration, _ session: Session) throws(Failure) -> [InForce] {
        let client: BridgeClient
        do {
            client = try session.connect(start: .never)
        } catch  where error.status == .unavailable {
            session.console.say("no bridge runs that could be asked; this is what one started now would read")
            return own.settings.map(InForce.init)
        }
        let settings: [InForce]
        do {
            settings = try client.call(Methods.Settings.self, .init()).reply.settings.map(InForce.init)
        } catch {
            throw Failure(reporting: error)
        }
        for setting in own.settings.map(InForce.init) {
            if let variable = setting.variable, let other = settings.first(where: { $0.key == setting.key }),
                other.variable == nil || other.json != setting.json
            {
                session.console.say(
                    "\(variable) was set otherwise when the bridge started; 'xpb bridge restart' has it count")
            }
        }
        return settings
    }
}

/// A setting as it is told.
struct InForce: Equatable {
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

    /// What the lines tell.
    var origin: String { source ?? kind.rawValue }

    /// Set in the environment.
    var variable: String? { kind == .environment ? source : nil }
}

/// What `config --json` writes: the settings by their keys, each value as it is.
struct ConfigJSON: Encodable {
    let path: String?
    /// Nil where only the path is wanted.
    let settings: [InForce]?

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

        init(_ setting: InForce) throws {
            value = try JSONDecoder().decode(JSONValue.self, from: Data(setting.json.utf8))
            origin = setting.kind.rawValue
            source = setting.source
        }
    }
}

/// Any value of JSON.
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
