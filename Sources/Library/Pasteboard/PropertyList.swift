public import FoundationEssentials
import UniformTypes

/// A property list: a value, or values in arrays and dictionaries.
///
/// Source: UIPasteboard's `value(forPasteboardType:)`, whose values are property lists. The file formats are those of
/// `PropertyListEncoder`.
public indirect enum PropertyList: Hashable, Sendable {
    /// A string.
    case string(String)
    /// Bytes.
    case data(Data)
    /// A whole number.
    case integer(Int)
    /// A floating-point number.
    case real(Double)
    /// A Boolean value.
    case boolean(Bool)
    /// A point in time. Fractions of a second are lost if the date is the whole property list, which is then written in
    /// XML.
    case date(Date)
    /// Values in order.
    case array([PropertyList])
    /// Values by name.
    case dictionary([String: PropertyList])
}

extension PropertyList: Codable {
    /// Decodes a value of any kind.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // The order matters: an integer can also be decoded as a real, and in some formats a date as a number.
        if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Int.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .real(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode(Date.self) {
            self = .date(value)
        } else if let value = try? container.decode(Data.self) {
            self = .data(value)
        } else if let value = try? container.decode([String: PropertyList].self) {
            self = .dictionary(value)
        } else {
            self = .array(try container.decode([PropertyList].self))
        }
    }

    /// Encodes the value without a wrapper.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .string(let value): try container.encode(value)
        case .data(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .real(let value): try container.encode(value)
        case .boolean(let value): try container.encode(value)
        case .date(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .dictionary(let value): try container.encode(value)
        }
    }

    /// Returns the bytes to write under a type.
    ///
    /// A string under a text or URL type is written as text, and bytes are written as they are. Any other value is
    /// written as a property list: in binary if it has members, else in XML, because `PropertyListEncoder` does not
    /// accept a single value.
    package func data(forType type: String) throws(PasteboardError) -> Data {
        switch self {
        case .string(let string) where Self.isText(type): return Data(string.utf8)
        case .data(let data): return data
        case .array, .dictionary: return try encoded(self, .binary)
        case .string, .integer, .real, .boolean, .date: return try encodedAlone()
        }
    }

    /// Creates a value from the bytes of a type: a string from plain text or URLs, the value of a property list or of
    /// JSON, a string from other text, or else bytes.
    package init(_ data: Data, type: String) {
        if Self.isPlain(type) {
            self = .string(String(decoding: data, as: UTF8.self))
        } else if Self.isDecodable(data),
            let value = try? PropertyListDecoder().decode(PropertyList.self, from: data)
        {
            self = value
        } else if let value = Self.json(data, type) {
            self = value
        } else if Self.isText(type) {
            self = .string(String(decoding: data, as: UTF8.self))
        } else {
            self = .data(data)
        }
    }

    private func encoded(
        _ value: PropertyList, _ format: PropertyListDecoder.PropertyListFormat
    ) throws(PasteboardError) -> Data {
        guard !value.isTooDeep else {
            throw PasteboardError(
                code: .invalidValue, message: "the value is nested more than \(BinaryPropertyList.maxDepth) levels deep"
            )
        }
        let encoder = PropertyListEncoder()
        encoder.outputFormat = format
        do {
            return try encoder.encode(value)
        } catch {
            throw PasteboardError(code: .invalidValue, message: "the value is not a property list: \(error)")
        }
    }

    /// Returns the XML of this single value: encodes an array that contains the value, and removes the array's tags.
    private func encodedAlone() throws(PasteboardError) -> Data {
        let text = String(decoding: try encoded(.array([self]), .xml), as: UTF8.self)
        guard let start = text.firstRange(of: "<array>"), let end = text.ranges(of: "</array>").last,
            start.upperBound <= end.lowerBound
        else {
            throw PasteboardError(code: .invalidValue, message: "the value is not a property list")
        }
        return Data(
            (text[..<start.lowerBound] + text[start.upperBound..<end.lowerBound] + text[end.upperBound...]).utf8)
    }

    /// Returns true for bytes that look like a property list, in binary or in XML, and that stand for no more values
    /// than can be decoded.
    package static func isDecodable(_ data: Data) -> Bool {
        if data.starts(with: BinaryPropertyList.magic) { return BinaryPropertyList.isDecodable(data) }
        let start = data.drop { [0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D].contains($0) }.first
        guard start == UInt8(ascii: "<"), data.prefix(1_024).firstRange(of: Data("<plist".utf8)) != nil else {
            return false
        }
        return !isTooDeepXML(data)
    }

    /// Returns true if more containers are open at some place than a decoder can hold.
    private static func isTooDeepXML(_ data: Data) -> Bool {
        // Markup whose content has no tags, by its beginning and its end.
        let opaque = [("!--", "-->"), ("![CDATA[", "]]>"), ("?", "?>")].map { (Array($0.utf8), Data($1.utf8)) }
        var depth = 0
        var rest = data[...]
        while let tag = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[(tag + 1)...]
            let skipped = opaque.first { rest.starts(with: $0.0) }?.1
            guard let end = rest.firstRange(of: skipped ?? Data(">".utf8)) else { return false }
            let markup = rest[..<end.lowerBound]
            rest = rest[end.upperBound...]
            let isEnd = markup.first == UInt8(ascii: "/")
            let name = markup.dropFirst(isEnd ? 1 : 0)
            let isContainer = name.starts(with: Array("array".utf8)) || name.starts(with: Array("dict".utf8))
            guard skipped == nil, isContainer, markup.last != UInt8(ascii: "/") else { continue }
            depth = max(depth + (isEnd ? -1 : 1), 0)
            if depth > BinaryPropertyList.maxDepth { return true }
        }
        return false
    }

    /// True if the value is nested more deeply than can be encoded and decoded.
    private var isTooDeep: Bool {
        var rest = [(value: self, depth: 0)]
        while let (value, depth) = rest.popLast() {
            guard depth <= BinaryPropertyList.maxDepth else { return true }
            switch value {
            case .array(let values): rest += values.map { ($0, depth + 1) }
            case .dictionary(let values): rest += values.values.map { ($0, depth + 1) }
            case .string, .data, .integer, .real, .boolean, .date: break
            }
        }
        return false
    }

    /// Returns the value of JSON; nil for other bytes. The bytes of a text type count as JSON only if the type conforms
    /// to JSON.
    private static func json(_ data: Data, _ type: String) -> PropertyList? {
        guard !isText(type) || concrete(type).conforms(to: .json) else { return nil }
        return (try? JSONDecoder().decode(JSONValue.self, from: data))?.propertyList
    }

    /// Returns true for types whose bytes are text even if they look like a property list.
    private static func isPlain(_ type: String) -> Bool {
        let type = concrete(type)
        return type.conforms(to: .plainText) || type.conforms(to: .url)
    }

    private static func isText(_ type: String) -> Bool {
        let type = concrete(type)
        return type.conforms(to: .text) || type.conforms(to: .url)
    }

    private static func concrete(_ type: String) -> UniformType {
        SourceType.concrete(named: type)?.type ?? .data
    }
}

/// A value of JSON, which has null in addition to the kinds of a property list.
private enum JSONValue: Decodable {
    case null
    case value(PropertyList)
    case array([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .value(.boolean(value))
        } else if let value = try? container.decode(Int.self) {
            self = .value(.integer(value))
        } else if let value = try? container.decode(Double.self) {
            self = .value(.real(value))
        } else if let value = try? container.decode(String.self) {
            self = .value(.string(value))
        } else if let value = try? container.decode([String: JSONValue].self) {
            self = .object(value)
        } else {
            self = .array(try container.decode([JSONValue].self))
        }
    }

    /// The value without nulls; nil for null.
    var propertyList: PropertyList? {
        switch self {
        case .null: nil
        case .value(let value): value
        case .array(let values): .array(values.compactMap(\.propertyList))
        case .object(let members): .dictionary(members.compactMapValues(\.propertyList))
        }
    }
}
