import UniformTypes

/// Reads the members of a `config.json`.
struct ConfigurationReader {
    /// What can be set.
    private enum Key: String, CaseIterable {
        case derive, filters
        case filterTimeout = "filter-timeout"
        case filterLimit = "filter-limit"
    }

    private(set) var configuration = Configuration()
    private(set) var faults: [JSONObject.Fault] = []
    private let object: JSONObject

    init(_ object: JSONObject) { self.object = object }

    mutating func read() {
        var seen: Set<Key> = []
        for member in object.members where !member.isDamaged {
            guard let key = Key(rawValue: member.key) else {
                let known = Key.allCases.map(\.rawValue).joined(separator: ", ")
                add("\(member.quotedKey) is no key of the configuration; there are \(known)", member)
                continue
            }
            guard seen.insert(key).inserted else {
                add("\(member.quotedKey) is given already; the first one counts", member)
                continue
            }
            switch key {
            case .derive:
                set(\.derive, member, object.value(of: member, as: Bool.self), "true or false")
            case .filters: readFilters(member)
            case .filterTimeout:
                let seconds = object.value(of: member, as: Double.self).flatMap {
                    (0.001...86400).contains($0) ? $0 : nil
                }
                set(\.filterTimeout, member, seconds, "a number of seconds, at most 86400")
            case .filterLimit:
                let bytes =
                    object.value(of: member, as: Int.self)
                    ?? object.value(of: member, as: String.self).flatMap(ByteCount.parse)
                set(
                    \.filterLimit, member, bytes.flatMap { (1...Int(UInt32.max)).contains($0) ? $0 : nil },
                    "a number of bytes, or one with its unit like \"64 MiB\", at most 4 GiB less one byte")
            }
        }
    }

    private mutating func add(_ message: String, _ member: JSONObject.Member) {
        faults.append(JSONObject.Fault(line: member.line, message: message))
    }

    private mutating func set<Value>(
        _ path: WritableKeyPath<Configuration, Value>, _ member: JSONObject.Member, _ value: Value?, _ wanted: String
    ) {
        if let value {
            configuration[keyPath: path] = value
        } else {
            add("\(member.quotedKey) is to be \(wanted)", member)
        }
    }

    private mutating func readFilters(_ member: JSONObject.Member) {
        guard let filters = object.object(in: member) else {
            return add(
                "\(member.quotedKey) is to be an object of commands, keyed like \"public.svg-image -> public.png\"",
                member)
        }
        for fault in filters.faults {
            faults.append(JSONObject.Fault(line: fault.line, message: "\(member.quotedKey): \(fault.message)"))
        }
        for entry in filters.members where !entry.isDamaged {
            guard let (source, result) = Self.types(entry.key) else {
                add(
                    "filter \(entry.quotedKey): its key is to be two types with -> between, like "
                        + "\"public.svg-image -> public.png\"", entry)
                continue
            }
            guard let command = Self.command(entry, of: filters) else {
                add(
                    "filter \(entry.quotedKey) is to be a command: a string that is split at blanks, or an array of strings",
                    entry)
                continue
            }
            guard !configuration.filters.contains(where: { $0.source == source && $0.result == result }) else {
                add("filter \(entry.quotedKey) is given already; the first one counts", entry)
                continue
            }
            configuration.filters.append(Configuration.Filter(source: source, result: result, command: command))
        }
    }

    /// Two different types that bytes can have.
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
        // A NUL would end the word where the program is started.
        guard let words, words.first?.isEmpty == false, !words.contains(where: { $0.utf8.contains(0) }) else {
            return nil
        }
        return words
    }
}
