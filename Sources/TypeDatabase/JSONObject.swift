import FoundationEssentials

/// An object of JSON as people write it, with its members where they stand in its text. A member that is damaged costs
/// itself alone.
struct JSONObject {
    struct Member: Equatable {
        let key: String
        /// With its quotes.
        let keyRange: Range<Int>
        /// The line of the key, counted from 1.
        let line: Int
        /// Without the blanks and comments around it.
        var valueRange: Range<Int>
        /// The line on which the value begins.
        var valueLine: Int
        /// The comma behind it.
        var comma: Int?
        /// It is no value, and why has been told.
        var isDamaged = false

        /// For messages.
        var quotedKey: String { "\"\(key.prefix(100))\"" }
    }

    struct Fault: Error, Equatable {
        let line: Int
        /// Without a full stop.
        let message: String
        /// Where members begin and end is a guess from there on.
        var isStructural = false
        /// The key that it is about, where it is about one.
        var key: String?
    }

    let bytes: [UInt8]
    let members: [Member]
    let faults: [Fault]
    /// Where the braces are; nil without them.
    let opening: Int?
    let closing: Int?
    /// There is nothing but blanks and comments.
    let isBlank: Bool

    /// A whole file. A byte order mark at its beginning is not a part of the text.
    init(file bytes: [UInt8], limit: Int) {
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
    func object(in member: Member) -> JSONObject? {
        guard bytes[member.valueRange].first == UInt8(ascii: "{") else { return nil }
        return JSONObject(bytes, JSONObjectScanner(bytes, in: member.valueRange, line: member.valueLine))
    }

    /// A member's value; nil when it is not of the type.
    func value<Value: Decodable>(of member: Member, as _: Value.Type) -> Value? {
        Self.decode(Value.self, bytes[member.valueRange])
    }

    /// A member's strings, of which it may have one without an array around it; nil when it is something else.
    func strings(of member: Member) -> [String]? {
        value(of: member, as: String.self).map { [$0] } ?? value(of: member, as: [String].self)
    }

    static func decode<Value: Decodable>(_: Value.Type, _ bytes: ArraySlice<UInt8>) -> Value? {
        // NUL among the first bytes would make the decoder take the text for UTF-16.
        guard !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil else { return nil }
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        return try? decoder.decode(Value.self, from: Data(bytes))
    }
}
