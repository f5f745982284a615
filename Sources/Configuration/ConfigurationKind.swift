import JSONC

/// How the values of some keys are read, and written as JSON.
struct ConfigurationKind<Value: Sendable>: Sendable {
    /// What a value is to be, behind "is to be".
    let wanted: String
    /// Nil for what cannot be. Faults tell of parts that were left out.
    let read: @Sendable (ConfigurationValue) -> (value: Value, faults: [JSONObject.Fault])?
    let json: @Sendable (Value) -> String

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

extension ConfigurationKind<Int> {
    static func number(_ range: ClosedRange<Int>) -> ConfigurationKind {
        ConfigurationKind("a number from \(range.lowerBound) to \(range.upperBound)", json: { String($0) }) { given in
            given.json(as: Int.self).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// - Parameter limit: As people write it.
    static func bytes(atMost most: Int, _ limit: String) -> ConfigurationKind {
        bytes(1...most, "at most \(limit)")
    }

    /// - Parameter limits: As people write them.
    static func bytes(_ range: ClosedRange<Int>, _ limits: String) -> ConfigurationKind {
        ConfigurationKind(
            "a number of bytes, or one with its unit like \"64 MiB\", \(limits)", json: { String($0) }
        ) { given in
            (given.json(as: Int.self) ?? given.text.flatMap(ByteCount.parse)).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// What one representation can have.
    static let bytes = bytes(atMost: Int(UInt32.max), "4 GiB less one byte")
}

extension ConfigurationKind<Double> {
    static func seconds(_ range: ClosedRange<Double>) -> ConfigurationKind {
        let wanted = "a number of seconds, or one with its unit like \"5 min\", \(TimeSpan.text(range))"
        return ConfigurationKind(wanted, json: TimeSpan.json) { TimeSpan.read($0, in: range) }
    }
}

extension ConfigurationKind<Double?> {
    /// With null for none.
    static func secondsOrNone(_ range: ClosedRange<Double>) -> ConfigurationKind {
        let wanted = "a number of seconds, or one with its unit like \"30 days\", \(TimeSpan.text(range)), or null"
        return ConfigurationKind(wanted, json: { $0.map(TimeSpan.json) ?? "null" }) { given -> Double?? in
            if given.json(as: Double?.self) == .some(.none) { return .some(nil) }
            return TimeSpan.read(given, in: range).map { .some($0) }
        }
    }
}

extension ConfigurationKind<[String]> {
    /// Names, of which there may be one without an array around it. In a variable blanks or commas are between them.
    static let names = ConfigurationKind(
        "an array of names", json: { "[\($0.map(JSONObject.quoted).joined(separator: ", "))]" }
    ) { given in
        let names =
            given.json(as: [String].self) ?? given.json(as: String.self).map { [$0] }
            ?? given.words.flatMap { words in
                // An array that is damaged is no list of words.
                words.utf8.first == UInt8(ascii: "[")
                    ? nil : words.split { $0 == " " || $0 == "\t" || $0 == "," }.map(String.init)
            }
        return names.flatMap { $0.allSatisfy { !$0.isEmpty && !$0.utf8.contains(0) } ? $0 : nil }
    }
}
