public import FoundationEssentials
import UniformTypes

/// A value of the kinds that a property list has.
///
/// Source: UIPasteboard's `value(forPasteboardType:)`, whose values are property lists; the file formats are those of
/// `PropertyListEncoder`.
public indirect enum PropertyList: Hashable, Sendable {
    /// A text.
    case string(String)
    /// Bytes.
    case data(Data)
    /// A whole number.
    case integer(Int)
    /// A number in floating point.
    case real(Double)
    /// A truth value.
    case boolean(Bool)
    /// A point in time. A property list has it to the second in its XML form, which a date by itself is written in.
    case date(Date)
    /// Values in order.
    case array([PropertyList])
    /// Values by name.
    case dictionary([String: PropertyList])
}

extension PropertyList: Codable {
    /// Reads a value of any kind.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // In this order: an integer can be had as a real, and a date, in some formats, as a number.
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

    /// Writes it as what it is.
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
}

/// As bytes of a type.
extension PropertyList {
    /// A string is text under a type of text or of URLs; bytes are themselves; anything else is a property list: binary
    /// where it has members, XML where it is a single value, which the binary encoder does not take.
    func data(forType type: String) throws(PasteboardError) -> Data {
        switch self {
        case .string(let string) where Self.isText(type): return Data(string.utf8)
        case .data(let data): return data
        case .array, .dictionary: return try encoded(self, .binary)
        case .string, .integer, .real, .boolean, .date: return try alone()
        }
    }

    /// The value that the bytes of a type are: text of a type of text, any property list, else bytes.
    init(_ data: Data, type: String) {
        if Self.isPlain(type) {
            self = .string(String(decoding: data, as: UTF8.self))
        } else if Self.isPropertyList(data),
            let value = try? PropertyListDecoder().decode(PropertyList.self, from: data)
        {
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
        let encoder = PropertyListEncoder()
        encoder.outputFormat = format
        do {
            return try encoder.encode(value)
        } catch {
            throw PasteboardError(code: .invalidValue, message: "the value is no property list: \(error)")
        }
    }

    /// Taken out of an array of one.
    private func alone() throws(PasteboardError) -> Data {
        let text = String(decoding: try encoded(.array([self]), .xml), as: UTF8.self)
        guard let start = text.firstRange(of: "<array>"), let end = text.ranges(of: "</array>").last,
            start.upperBound <= end.lowerBound
        else {
            throw PasteboardError(code: .invalidValue, message: "the value is no property list")
        }
        return Data(
            (text[..<start.lowerBound] + text[start.upperBound..<end.lowerBound] + text[end.upperBound...]).utf8)
    }

    private static func isPropertyList(_ data: Data) -> Bool {
        data.starts(with: Array("bplist0".utf8))
            || data.prefix(1_024).firstRange(of: Data("<plist".utf8)) != nil
    }

    /// Text that is nothing else: no property list, whatever it looks like.
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
