import FoundationEssentials

/// An object of JSON as people write it, with its members where they stand in its text. A member that is damaged costs
/// itself alone.
package struct JSONObject: Sendable {
    package struct Member: Equatable, Sendable {
        package let key: String
        /// With its quotes.
        package let keyRange: Range<Int>
        /// The line of the key, counted from 1.
        package let line: Int
        /// Without the blanks and comments around it.
        package internal(set) var valueRange: Range<Int>
        /// The line on which the value begins.
        package internal(set) var valueLine: Int
        /// The comma behind it.
        package internal(set) var comma: Int?
        /// It is no value, and why has been told.
        package internal(set) var isDamaged = false

        /// For messages.
        package var quotedKey: String { "\"\(key.prefix(100))\"" }
    }

    package struct Fault: Error, Equatable {
        package let line: Int
        /// Without a full stop.
        package let message: String
        /// Where members begin and end is a guess from there on.
        package var isStructural = false
        /// The key that it is about, where it is about one.
        package var key: String?

        package init(line: Int, message: String, isStructural: Bool = false, key: String? = nil) {
            self.line = line
            self.message = message
            self.isStructural = isStructural
            self.key = key
        }
    }

    /// The maximum number of faults that are reported.
    package static let maxFaults = 100
    /// The maximum number of members of an object; later ones are ignored.
    package static let maxMembers = 4096

    package let bytes: [UInt8]
    package let members: [Member]
    package let faults: [Fault]
    /// Where the braces are; nil without them.
    package let opening: Int?
    package let closing: Int?
    /// There is nothing but blanks and comments.
    package let isBlank: Bool

    /// A whole file. A byte order mark at its beginning is not a part of the text.
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
        isBlank = scanner.isBlank
    }

    /// The object that is a member's value; nil when that is something else.
    package func object(in member: Member) -> JSONObject? {
        guard bytes[member.valueRange].first == UInt8(ascii: "{") else { return nil }
        return JSONObject(bytes, JSONObjectScanner(bytes, in: member.valueRange, line: member.valueLine))
    }

    /// A member's value; nil when it is not of the type.
    package func value<Value: Decodable>(of member: Member, as _: Value.Type) -> Value? {
        Self.decode(Value.self, bytes[member.valueRange])
    }

    /// A member's strings, of which it may have one without an array around it; nil when it is something else.
    package func strings(of member: Member) -> [String]? {
        value(of: member, as: String.self).map { [$0] } ?? value(of: member, as: [String].self)
    }

    package static func decode<Value: Decodable>(_: Value.Type, _ bytes: ArraySlice<UInt8>) -> Value? {
        // NUL among the first bytes would make the decoder take the text for UTF-16.
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
            case "\0"..."\u{1F}", "\u{7F}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
