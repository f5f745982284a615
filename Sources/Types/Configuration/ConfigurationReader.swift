import JSONC

/// The settings that the members of a `config.json` make.
struct ConfigurationReader {
    private(set) var configuration = Configuration()
    private(set) var faults: [JSONObject.Fault] = []
    private(set) var lines: [String: Int] = [:]

    init(_ object: JSONObject) {
        var seen: Set<String> = []
        for member in object.members where !member.isDamaged {
            guard let key = ConfigurationKey.named(member.key) else {
                let meant = ConfigurationKey.nearest(to: member.key)?.name
                add(
                    "\(member.quotedKey) is not a key of the configuration"
                        + (meant.map { "; did you mean \"\($0)\"?" } ?? "; 'xpb help config' lists the keys"),
                    member, about: meant)
                continue
            }
            guard seen.insert(key.name).inserted else {
                add("\(member.quotedKey) is given already; the first one counts", member)
                continue
            }
            guard let parts = key.set(ConfigurationValue(member, of: object), &configuration) else {
                add("\(member.quotedKey) must be \(key.wanted)", member)
                continue
            }
            faults += parts.map { part in
                var part = part
                part.key = key.name
                return part
            }
            lines[key.name] = member.line
        }
    }

    /// - Parameter key: The key that the fault concerns, if it is not the member's own.
    private mutating func add(_ message: String, _ member: JSONObject.Member, about key: String? = nil) {
        faults.append(JSONObject.Fault(line: member.line, message: message, key: key ?? member.key))
    }
}

/// The text that a user gave for a key of the configuration: a member of the file, or a variable.
struct ConfigurationValue {
    private enum Place {
        case member(JSONObject, JSONObject.Member)
        case variable([UInt8])
    }

    private let place: Place

    init(_ member: JSONObject.Member, of object: JSONObject) { place = .member(object, member) }

    init(variable text: String) { place = .variable(Array(text.utf8)) }

    /// Decodes the value from JSON; nil if it is not of the type.
    func json<Value: Decodable>(as _: Value.Type) -> Value? {
        switch place {
        case .member(let object, let member): object.value(of: member, as: Value.self)
        case .variable(let bytes): JSONObject.decode(Value.self, bytes[...])
        }
    }

    /// The value as a string, which needs no quotes in a variable.
    var text: String? {
        json(as: String.self) ?? words
    }

    /// The text of a variable without the blanks around it; nil for a member of the file.
    var words: String? {
        guard case .variable(let bytes) = place else { return nil }
        let text = bytes.drop { $0 == 0x20 }
        let end = text.lastIndex { $0 != 0x20 }
        return end.map { String(decoding: text[...$0], as: UTF8.self) }
    }

    /// The value as an object, with the lines of its members.
    var object: JSONObject? {
        switch place {
        case .member(let object, let member): object.object(in: member)
        case .variable(let bytes):
            bytes.first { $0 != 0x20 } == UInt8(ascii: "{")
                ? JSONObject(file: bytes, limit: Configuration.maxFileSize) : nil
        }
    }
}
