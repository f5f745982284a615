import JSONC

/// Reads the members of a `config.json`.
struct ConfigurationReader {
    private(set) var configuration = Configuration()
    private(set) var faults: [JSONObject.Fault] = []
    /// The lines of the keys that were set.
    private(set) var lines: [String: Int] = [:]

    init(_ object: JSONObject) {
        var seen: Set<String> = []
        for member in object.members where !member.isDamaged {
            guard let key = ConfigurationKey.named(member.key) else {
                let meant = ConfigurationKey.nearest(to: member.key)?.name
                add(
                    "\(member.quotedKey) is no key of the configuration"
                        + (meant.map { "; did you mean \"\($0)\"?" } ?? "; 'xpb help config' tells which there are"),
                    member, about: meant)
                continue
            }
            guard seen.insert(key.name).inserted else {
                add("\(member.quotedKey) is given already; the first one counts", member)
                continue
            }
            guard let parts = key.take(ConfigurationValue(member, of: object), &configuration) else {
                add("\(member.quotedKey) is to be \(key.wanted)", member)
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

    /// - Parameter key: Nil for the member's own.
    private mutating func add(_ message: String, _ member: JSONObject.Member, about key: String? = nil) {
        faults.append(JSONObject.Fault(line: member.line, message: message, key: key ?? member.key))
    }
}
