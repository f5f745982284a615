import JSONC

/// What a user gave for a key of the configuration: a member of the file, or a variable's text.
struct ConfigurationValue {
    private enum Place {
        case member(JSONObject, JSONObject.Member)
        case variable([UInt8])
    }

    private let place: Place

    init(_ member: JSONObject.Member, of object: JSONObject) { place = .member(object, member) }

    init(variable text: String) { place = .variable(Array(text.utf8)) }

    /// Of the key.
    var line: Int? {
        if case .member(_, let member) = place { member.line } else { nil }
    }

    /// Nil when it is not of the type.
    func json<Value: Decodable>(as _: Value.Type) -> Value? {
        switch place {
        case .member(let object, let member): object.value(of: member, as: Value.self)
        case .variable(let bytes): JSONObject.decode(Value.self, bytes[...])
        }
    }

    /// A string; in a variable it may stand without quotes.
    var text: String? {
        json(as: String.self) ?? words
    }

    /// What stands in a variable, without the blanks around it.
    var words: String? {
        guard case .variable(let bytes) = place else { return nil }
        let text = bytes.drop { $0 == 0x20 }
        let end = text.lastIndex { $0 != 0x20 }
        return end.map { String(decoding: text[...$0], as: UTF8.self) }
    }

    /// An object, with the lines of its members.
    var object: JSONObject? {
        switch place {
        case .member(let object, let member): object.object(in: member)
        case .variable(let bytes):
            bytes.first { $0 != 0x20 } == UInt8(ascii: "{")
                ? JSONObject(file: bytes, limit: Configuration.fileLimit) : nil
        }
    }
}
