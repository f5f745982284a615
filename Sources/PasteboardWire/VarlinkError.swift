/// An error of `org.varlink.service`, which every service may answer with.
package enum VarlinkError: Error, Equatable, Sendable {
    case interfaceNotFound(String)
    case methodNotFound(String)
    case methodNotImplemented(String)
    /// The path of the parameter: `items[0].representations[1].type`.
    case invalidParameter(String)
    case permissionDenied
    /// The method is one to be called with `more`.
    case expectedMore

    static let interface = "org.varlink.service"

    /// The name in the interface, and the one member of the parameters if there is one.
    private var parts: (name: String, parameter: (key: String, value: String)?) {
        switch self {
        case .interfaceNotFound(let interface): ("InterfaceNotFound", ("interface", interface))
        case .methodNotFound(let method): ("MethodNotFound", ("method", method))
        case .methodNotImplemented(let method): ("MethodNotImplemented", ("method", method))
        case .invalidParameter(let parameter): ("InvalidParameter", ("parameter", parameter))
        case .permissionDenied: ("PermissionDenied", nil)
        case .expectedMore: ("ExpectedMore", nil)
        }
    }

    var fullName: String { "\(Self.interface).\(parts.name)" }

    var parameters: [String: String] {
        guard let (key, value) = parts.parameter else { return [:] }
        return [key: value]
    }

    /// - Returns: nil for a name that is none of these.
    init?(fullName: String, parameters: [String: String]) {
        guard fullName.hasPrefix(Self.interface + ".") else { return nil }
        switch fullName.dropFirst(Self.interface.count + 1) {
        case "InterfaceNotFound": self = .interfaceNotFound(parameters["interface"] ?? "")
        case "MethodNotFound": self = .methodNotFound(parameters["method"] ?? "")
        case "MethodNotImplemented": self = .methodNotImplemented(parameters["method"] ?? "")
        case "InvalidParameter": self = .invalidParameter(parameters["parameter"] ?? "")
        case "PermissionDenied": self = .permissionDenied
        case "ExpectedMore": self = .expectedMore
        default: return nil
        }
    }
}

extension VarlinkError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .interfaceNotFound(let interface): "there is no interface \(interface)"
        case .methodNotFound(let method): "there is no method \(method)"
        case .methodNotImplemented(let method): "the method \(method) is not implemented"
        case .invalidParameter(let parameter): "the parameter \(parameter) is missing or wrong"
        case .permissionDenied: "permission denied"
        case .expectedMore: "the method must be called with \"more\""
        }
    }
}
