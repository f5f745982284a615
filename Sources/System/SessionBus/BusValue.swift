package import LinuxSystem
package import SystemPackage

/// An argument of a D-Bus message, of the types that this package needs.
package indirect enum BusValue: Sendable {
    case string(String)
    case bool(Bool)
    case uint32(UInt32)
    case descriptor(Descriptor)
    /// An array, or a structure.
    case list([BusValue])
    /// A dictionary whose keys are strings: `a{sv}`. An empty dictionary is an empty ``list(_:)``.
    case options([String: BusValue])
    case entry(key: String, value: BusValue)
    /// A value of a type that is not read.
    case other

    package var string: String? { if case .string(let value) = self { value } else { nil } }
    package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    package var uint32: UInt32? { if case .uint32(let value) = self { value } else { nil } }
    package var descriptor: Descriptor? { if case .descriptor(let value) = self { value } else { nil } }
    package var list: [BusValue]? { if case .list(let value) = self { value } else { nil } }
    package var options: [String: BusValue]? {
        switch self {
        case .options(let value): value
        case .list(let values) where values.isEmpty: [:]
        default: nil
        }
    }
    var entry: (key: String, value: BusValue)? {
        if case .entry(let key, let value) = self { (key, value) } else { nil }
    }

    /// The strings of a list of strings, or of a structure with such a list as its only element; nil for anything else.
    ///
    /// mutter packs its lists into such a structure, contrary to its documentation.
    package var strings: [String]? {
        guard let list else { return nil }
        if list.count == 1, let inner = list[0].strings { return inner }
        let strings = list.compactMap(\.string)
        return strings.count == list.count ? strings : nil
    }
}

/// A message from the bus.
package struct BusMessage: Sendable {
    /// The unique name of the program that sent the message.
    package let sender: String
    /// The path of the object; empty for an answer, like ``member``.
    package let path: String
    package let member: String
    package let arguments: [BusValue]
}

/// A call of a method on the bus.
package struct BusCall: Sendable {
    /// An argument of a call.
    package enum Argument: Sendable {
        case string(String)
        case bool(Bool)
        case uint32(UInt32)
        /// A dictionary of type `a{sv}` whose values are lists of strings.
        case options([String: [String]])
        /// A dictionary of type `a{sv}` whose values are booleans.
        case flags([String: Bool])
        /// A list of type `ah`. The descriptors are duplicated.
        case descriptors([Descriptor])
    }

    let destination: String
    let path: String
    let interface: String
    let member: String
    let arguments: [Argument]

    package init(
        _ member: String, of interface: String, at path: String, to destination: String, _ arguments: [Argument] = []
    ) {
        self.destination = destination
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
    }
}

/// The reason why a call or a connection has failed.
package enum BusFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The system has no sd-bus.
    case noLibrary
    /// There is no bus at the address, or the connection has ended.
    case system(Errno)
    /// The called program, or the bus, answered with an error.
    case answer(name: String, message: String)

    package var description: String {
        switch self {
        case .noLibrary: "libsystemd, which is needed to use the session bus, is not installed"
        case .system(let error): "the session bus cannot be used: \(error)"
        case .answer(let name, let message): message.isEmpty ? name : message
        }
    }
}
