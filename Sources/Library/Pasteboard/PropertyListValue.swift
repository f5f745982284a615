public import FoundationEssentials

/// A Swift type whose values are property lists.
///
/// Values of a program's own types are written by their `Codable` conformance instead; see
/// ``Pasteboard/encode(_:forType:options:ifChangeCount:)``.
public protocol PropertyListValue: Codable, Sendable {
    /// The value as a property list.
    var propertyList: PropertyList { get }
    /// Creates a value from a property list; nil if the property list is of a different kind.
    init?(propertyList: PropertyList)
}

extension PropertyList: PropertyListValue {
    /// The property list itself.
    public var propertyList: PropertyList { self }
    /// Creates a copy.
    public init?(propertyList: PropertyList) { self = propertyList }
}

extension String: PropertyListValue {
    /// The string as a property list.
    public var propertyList: PropertyList { .string(self) }
    /// Creates a string from a string of a property list.
    public init?(propertyList: PropertyList) {
        guard case .string(let value) = propertyList else { return nil }
        self = value
    }
}

extension URL: PropertyListValue {
    /// The absolute string of the URL.
    public var propertyList: PropertyList { .string(absoluteString) }
    /// Creates a URL from a string; nil if the string is not a URL.
    public init?(propertyList: PropertyList) {
        guard case .string(let value) = propertyList else { return nil }
        self.init(string: value)
    }
}

extension Data: PropertyListValue {
    /// The bytes as data.
    public var propertyList: PropertyList { .data(self) }
    /// Creates bytes from data.
    public init?(propertyList: PropertyList) {
        guard case .data(let value) = propertyList else { return nil }
        self = value
    }
}

extension Int: PropertyListValue {
    /// The number as an integer.
    public var propertyList: PropertyList { .integer(self) }
    /// Creates a number from an integer, or from a real number without a fraction.
    public init?(propertyList: PropertyList) {
        switch propertyList {
        case .integer(let value): self = value
        case .real(let value): self.init(exactly: value)
        default: return nil
        }
    }
}

extension Double: PropertyListValue {
    /// The number as a real number.
    public var propertyList: PropertyList { .real(self) }
    /// Creates a number from an integer or a real number.
    public init?(propertyList: PropertyList) {
        switch propertyList {
        case .integer(let value): self.init(value)
        case .real(let value): self = value
        default: return nil
        }
    }
}

extension Bool: PropertyListValue {
    /// The Boolean value.
    public var propertyList: PropertyList { .boolean(self) }
    /// Creates a value from a Boolean value.
    public init?(propertyList: PropertyList) {
        guard case .boolean(let value) = propertyList else { return nil }
        self = value
    }
}

extension Date: PropertyListValue {
    /// The point in time as a date.
    public var propertyList: PropertyList { .date(self) }
    /// Creates a point in time from a date.
    public init?(propertyList: PropertyList) {
        guard case .date(let value) = propertyList else { return nil }
        self = value
    }
}

extension Array: PropertyListValue where Element: PropertyListValue {
    /// The elements as an array.
    public var propertyList: PropertyList { .array(map(\.propertyList)) }
    /// Creates an array; nil unless all values are of the element's kind.
    public init?(propertyList: PropertyList) {
        guard case .array(let values) = propertyList else { return nil }
        let elements = values.compactMap { Element(propertyList: $0) }
        guard elements.count == values.count else { return nil }
        self = elements
    }
}

extension Dictionary: PropertyListValue where Key == String, Value: PropertyListValue {
    /// The members as a dictionary.
    public var propertyList: PropertyList { .dictionary(mapValues(\.propertyList)) }
    /// Creates a dictionary; nil unless all values are of the value's kind.
    public init?(propertyList: PropertyList) {
        guard case .dictionary(let values) = propertyList else { return nil }
        let members = values.compactMapValues { Value(propertyList: $0) }
        guard members.count == values.count else { return nil }
        self = members
    }
}
