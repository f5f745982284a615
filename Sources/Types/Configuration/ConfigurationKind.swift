import JSONC
import UniformTypes

/// The parsing of the values of some keys, and their conversion to JSON.
struct ConfigurationKind<Value: Sendable>: Sendable {
    /// The valid values, as messages name them after "must be".
    let wanted: String
    /// Parses a value; nil if it is invalid. The faults are those of parts that were left out.
    let read: @Sendable (ConfigurationValue) -> (value: Value, faults: [JSONObject.Fault])?
    let json: @Sendable (Value) -> String
    /// True for a number of bytes.
    private(set) var isSize = false

    init(
        _ wanted: String, json: @escaping @Sendable (Value) -> String,
        readingParts read: @escaping @Sendable (ConfigurationValue) -> (value: Value, faults: [JSONObject.Fault])?
    ) {
        self.wanted = wanted
        self.read = read
        self.json = json
    }

    init(
        _ wanted: String, json: @escaping @Sendable (Value) -> String,
        reading read: @escaping @Sendable (ConfigurationValue) -> Value?
    ) {
        self.init(wanted, json: json, readingParts: { given in read(given).map { ($0, []) } })
    }
}

extension ConfigurationKind<Bool> {
    static let flag = ConfigurationKind("true or false", json: { String($0) }) { given in
        if let value = given.json(as: Bool.self) { return value }
        switch given.words?.lowercased() {
        case "true", "yes", "on", "1": return true
        case "false", "no", "off", "0": return false
        default: return nil
        }
    }
}

extension ConfigurationKind where Value: RawRepresentable<String> & CaseIterable {
    /// One of the names of the cases.
    static var choice: ConfigurationKind {
        let names = Value.allCases.map(\.rawValue)
        return ConfigurationKind(
            names.dropLast().joined(separator: ", ") + " or " + (names.last ?? ""),
            json: { JSONObject.quoted($0.rawValue) }, reading: { $0.text.flatMap(Value.init(rawValue:)) })
    }
}

extension ConfigurationKind<Int> {
    static func number(_ range: ClosedRange<Int>) -> ConfigurationKind {
        ConfigurationKind("a number from \(range.lowerBound) to \(range.upperBound)", json: { String($0) }) { given in
            given.json(as: Int.self).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// - Parameter limit: The maximum as messages show it.
    static func bytes(atMost max: Int, _ limit: String) -> ConfigurationKind {
        bytes(1...max, "at most \(limit)")
    }

    /// - Parameter limits: The range as messages show it.
    static func bytes(_ range: ClosedRange<Int>, _ limits: String) -> ConfigurationKind {
        var kind = ConfigurationKind(
            "a number of bytes, or one with its unit like \"64 MiB\", \(limits)", json: { String($0) }
        ) { given in
            (given.json(as: Int.self) ?? given.text.flatMap(ByteCount.parse)).flatMap { range.contains($0) ? $0 : nil }
        }
        kind.isSize = true
        return kind
    }

    /// A number of bytes up to the maximum size of one representation.
    static let bytes = bytes(atMost: Int(UInt32.max), "4 GiB less one byte")
}

extension ConfigurationKind<Double> {
    static func seconds(_ range: ClosedRange<Double>) -> ConfigurationKind {
        let wanted = "a number of seconds, or one with its unit like \"5 min\", \(TimeSpan.text(range))"
        return ConfigurationKind(wanted, json: TimeSpan.json) { TimeSpan.read($0, in: range) }
    }
}

extension ConfigurationKind<Double?> {
    static func secondsOrNone(_ range: ClosedRange<Double>) -> ConfigurationKind {
        let wanted = "a number of seconds, or one with its unit like \"30 days\", \(TimeSpan.text(range)), or null"
        return ConfigurationKind(wanted, json: { $0.map(TimeSpan.json) ?? "null" }) { given -> Double?? in
            if given.json(as: Double?.self) == .some(.none) { return .some(nil) }
            return TimeSpan.read(given, in: range).map { .some($0) }
        }
    }
}

extension ConfigurationKind<[String]> {
    /// An array of names, or a single name without an array. In a variable, blanks or commas separate the names.
    static let names = ConfigurationKind(
        "an array of names", json: { "[\($0.map(JSONObject.quoted).joined(separator: ", "))]" }
    ) { given in
        let names =
            given.json(as: [String].self) ?? given.json(as: String.self).map { [$0] }
            ?? given.words.flatMap { words in
                // A malformed array must not be read as words.
                words.utf8.first == UInt8(ascii: "[")
                    ? nil : words.split { $0 == " " || $0 == "\t" || $0 == "," }.map(String.init)
            }
        return names.flatMap { $0.allSatisfy { !$0.isEmpty && !$0.utf8.contains(0) } ? $0 : nil }
    }
}

extension ConfigurationKind<[Configuration.Filter]> {
    /// Commands, keyed by the two types they convert between.
    static let filters = ConfigurationKind(
        "an object of commands, keyed like \"public.svg-image -> public.png\"", json: { Self.json($0) },
        readingParts: { given in given.object.map { Self.filters(in: $0) } })

    private static func json(_ filters: [Configuration.Filter]) -> String {
        let members = filters.map { filter in
            let key = JSONObject.quoted("\(filter.source.identifier) -> \(filter.result.identifier)")
            return "\(key): \(ConfigurationKind<[String]>.names.json(filter.command))"
        }
        return members.isEmpty ? "{}" : "{ \(members.joined(separator: ", ")) }"
    }

    private static func filters(in object: JSONObject) -> (value: [Configuration.Filter], faults: [JSONObject.Fault]) {
        var filters: [Configuration.Filter] = []
        var faults = object.faults.map { fault in
            JSONObject.Fault(line: fault.line, message: "\"filters\": \(fault.message)")
        }
        func add(_ message: String, _ entry: JSONObject.Member) {
            faults.append(JSONObject.Fault(line: entry.line, message: "filter \(entry.quotedKey)\(message)"))
        }
        for entry in object.members where !entry.isDamaged {
            guard let (source, result) = types(entry.key) else {
                add(
                    ": its key must be two types with -> between, like \"public.svg-image -> public.png\"", entry)
                continue
            }
            guard let command = command(entry, of: object) else {
                add(" must be a command: a string that is split at blanks, or an array of strings", entry)
                continue
            }
            guard !filters.contains(where: { $0.source == source && $0.result == result }) else {
                add(" is given already; the first one counts", entry)
                continue
            }
            filters.append(Configuration.Filter(source: source, result: result, command: command))
        }
        return (filters, faults)
    }

    /// Parses a key: two different concrete types with an arrow between them.
    private static func types(_ key: String) -> (UniformType, UniformType)? {
        let bytes = Array(key.utf8)
        guard let arrow = bytes.indices.first(where: { bytes[$0...].starts(with: "->".utf8) }) else { return nil }
        func type(_ name: ArraySlice<UInt8>) -> UniformType? {
            let words = name.split(separator: UInt8(ascii: " "))
            guard words.count == 1 else { return nil }
            return SourceType.concrete(named: String(decoding: words[0], as: UTF8.self))?.type
        }
        guard let source = type(bytes[..<arrow]), let result = type(bytes[(arrow + 2)...]), source != result else {
            return nil
        }
        return (source, result)
    }

    private static func command(_ entry: JSONObject.Member, of filters: JSONObject) -> [String]? {
        let words =
            filters.value(of: entry, as: [String].self)
            ?? filters.value(of: entry, as: String.self)?.split { $0 == " " || $0 == "\t" }.map(String.init)
        // The system call that starts the program would cut a word at a NUL.
        guard let words, words.first?.isEmpty == false, !words.contains(where: { $0.utf8.contains(0) }) else {
            return nil
        }
        return words
    }
}
