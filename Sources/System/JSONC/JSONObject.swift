import FoundationEssentials

/// A JSON object with comments, trailing commas and either kind of quotes, and the places of its members in the text.
///
/// A damaged member does not affect the others. Values are decoded by `JSONDecoder`, which accepts JSON5.
package struct JSONObject: Sendable {
    package struct Member: Equatable, Sendable {
        package let key: String
        /// The range of the key in the text, with its quotes.
        package let keyRange: Range<Int>
        /// The line of the key, counted from 1.
        package let line: Int
        /// The range of the value in the text, without the blanks and comments around it.
        package internal(set) var valueRange: Range<Int>
        package internal(set) var valueLine: Int
        /// The index of the comma after the value.
        package internal(set) var comma: Int?
        /// True if the member cannot be used. The object's faults have the reason.
        package internal(set) var isDamaged = false

        /// The key as messages show it.
        package var quotedKey: String { "\"\(key.prefix(100))\"" }
    }

    package struct Fault: Error, Equatable {
        package let line: Int
        /// A clause without a period.
        package let message: String
        /// True if the places of members are a guess after this fault, so the text must not be edited.
        package var isStructural = false
        package var key: String?

        package init(line: Int, message: String, isStructural: Bool = false, key: String? = nil) {
            self.line = line
            self.message = message
            self.isStructural = isStructural
            self.key = key
        }
    }

    package static let maxFaults = 100
    /// The maximum number of members of an object; later members are ignored.
    package static let maxMembers = 4096

    package let bytes: [UInt8]
    package let members: [Member]
    package let faults: [Fault]
    /// The index of the opening brace.
    package let opening: Int?
    /// The index of the closing brace.
    package let closing: Int?

    /// Scans a whole file. A byte order mark at its beginning is skipped.
    ///
    /// - Parameter limit: The maximum size, in bytes. A larger file has a fault and no members.
    package init(file bytes: [UInt8], limit: Int) {
        guard bytes.count <= limit else {
            self.init(bytes, JSONObjectScanner(failing: "the file has more than \(limit) bytes"))
            return
        }
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        self.init(bytes, JSONObjectScanner(bytes, in: start..<bytes.count, line: 1))
    }

    private init(_ bytes: [UInt8], _ scanner: JSONObjectScanner) {
        self.bytes = bytes
        members = scanner.members
        faults = scanner.faults
        opening = scanner.opening
        closing = scanner.closing
    }

    /// The first fault that makes editing the text unsafe; nil if there is none.
    package var structuralFault: Fault? { faults.first(where: \.isStructural) }

    /// Returns a member's value as an object; nil if it is something else.
    package func object(in member: Member) -> JSONObject? {
        guard bytes[member.valueRange].first == UInt8(ascii: "{") else { return nil }
        return JSONObject(bytes, JSONObjectScanner(bytes, in: member.valueRange, line: member.valueLine))
    }

    /// Decodes a member's value; nil if it is not of the type.
    package func value<Value: Decodable>(of member: Member, as _: Value.Type) -> Value? {
        Self.decode(Value.self, bytes[member.valueRange])
    }

    /// Returns a member's value as an array of strings, or a single string as an array of one; nil if it is something
    /// else.
    package func strings(of member: Member) -> [String]? {
        value(of: member, as: String.self).map { [$0] } ?? value(of: member, as: [String].self)
    }

    package static func decode<Value: Decodable>(_: Value.Type, _ bytes: ArraySlice<UInt8>) -> Value? {
        // A NUL among the first bytes would make the decoder take the text for UTF-16.
        guard !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil else { return nil }
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        return try? decoder.decode(Value.self, from: Data(bytes))
    }

    /// Writes a string as JSON (RFC 8259, section 7).
    package static func quoted(_ string: String) -> String {
        var quoted = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"", "\\":
                quoted += "\\"
                quoted.unicodeScalars.append(scalar)
            case "\u{8}": quoted += "\\b"
            case "\t": quoted += "\\t"
            case "\n": quoted += "\\n"
            case "\u{C}": quoted += "\\f"
            case "\r": quoted += "\\r"
            case "\0"..."\u{1F}", "\u{7F}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
