import JSONC
import UniformTypes

extension ConfigurationKind<[Configuration.Filter]> {
    /// Commands by the types they go between.
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
                    ": its key is to be two types with -> between, like \"public.svg-image -> public.png\"", entry)
                continue
            }
            guard let command = command(entry, of: object) else {
                add(" is to be a command: a string that is split at blanks, or an array of strings", entry)
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
