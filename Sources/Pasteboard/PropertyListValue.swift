public import FoundationEssentials

/// A Swift type whose values are property lists. A program's own types travel by their `Codable` instead, see
/// ``Pasteboard/setValue(_:forType:options:ifChangeCount:)-(DecodableEncodableSendable,_,_,_)``.
public protocol PropertyListValue: Codable, Sendable {
    /// The value as a property list.
    var propertyList: PropertyList { get }
    /// The value that a property list is; nil where it is of another kind.
    init?(propertyList: PropertyList)
}

extension PropertyList: PropertyListValue {
    /// Itself.
    public var propertyList: PropertyList { self }
    /// Itself.
    public init?(propertyList: PropertyList) { self = propertyList }
}

extension String: PropertyListValue {
    /// The text.
    public var propertyList: PropertyList { .string(self) }
    /// Of a string.
    public init?(propertyList: PropertyList) {
        guard case .string(let value) = propertyList else { return nil }
        self = value
    }
}

extension URL: PropertyListValue {
    /// Its absolute string.
    public var propertyList: PropertyList { .string(absoluteString) }
    /// Of a string that is one.
    public init?(propertyList: PropertyList) {
        guard case .string(let value) = propertyList else { return nil }
        self.init(string: value)
    }
}

extension Data: PropertyListValue {
    /// The bytes.
    public var propertyList: PropertyList { .data(self) }
    /// Of bytes.
    public init?(propertyList: PropertyList) {
        guard case .data(let value) = propertyList else { return nil }
        self = value
    }
}

extension Int: PropertyListValue {
    /// The number.
    public var propertyList: PropertyList { .integer(self) }
    /// Of a whole number, or a real one that is whole.
    public init?(propertyList: PropertyList) {
        switch propertyList {
        case .integer(let value): self = value
        case .real(let value): self.init(exactly: value)
        default: return nil
        }
    }
}

extension Double: PropertyListValue {
    /// The number.
    public var propertyList: PropertyList { .real(self) }
    /// Of any number.
    public init?(propertyList: PropertyList) {
        switch propertyList {
        case .integer(let value): self.init(value)
        case .real(let value): self = value
        default: return nil
        }
    }
}

extension Bool: PropertyListValue {
    /// The truth value.
    public var propertyList: PropertyList { .boolean(self) }
    /// Of a truth value.
    public init?(propertyList: PropertyList) {
        guard case .boolean(let value) = propertyList else { return nil }
        self = value
    }
}

extension Date: PropertyListValue {
    /// The point in time.
    public var propertyList: PropertyList { .date(self) }
    /// Of a date.
    public init?(propertyList: PropertyList) {
        guard case .date(let value) = propertyList else { return nil }
        self = value
    }
}

extension Array: PropertyListValue where Element: PropertyListValue {
    /// The values in order.
    public var propertyList: PropertyList { .array(map(\.propertyList)) }
    /// Of an array whose values are all of the element's kind.
    public init?(propertyList: PropertyList) {
        guard case .array(let values) = propertyList else { return nil }
        let elements = values.compactMap { Element(propertyList: $0) }
        guard elements.count == values.count else { return nil }
        self = elements
    }
}

extension Dictionary: PropertyListValue where Key == String, Value: PropertyListValue {
    /// The values by name.
    public var propertyList: PropertyList { .dictionary(mapValues(\.propertyList)) }
    /// Of a dictionary whose values are all of the value's kind.
    public init?(propertyList: PropertyList) {
        guard case .dictionary(let values) = propertyList else { return nil }
        let members = values.compactMapValues { Value(propertyList: $0) }
        guard members.count == values.count else { return nil }
        self = members
    }
}
