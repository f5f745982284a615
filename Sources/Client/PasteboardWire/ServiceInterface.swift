/// The interface that every Varlink service has, `org.varlink.service`: information about the service, and the
/// definitions of its interfaces. See https://varlink.org/Service.
package enum ServiceInterface {
    /// The name of the bridge's own interface.
    package static let name = "org.xpb.Pasteboard"

    /// The definition of the bridge's own interface, the same as in the source tree.
    package static let definition = String(decoding: PackageResources.org_xpb_Pasteboard_varlink, as: UTF8.self)

    /// Answers a call of `org.varlink.service`.
    ///
    /// - Returns: false for a call of another interface, which is not answered here.
    package static func answer(_ call: IncomingCall, on connection: ServerConnection, version: String) -> Bool {
        guard call.method.hasPrefix(VarlinkError.interface + ".") else { return false }
        switch call.method.dropFirst(VarlinkError.interface.count + 1) {
        case GetInfo.name:
            connection.reply(
                Information(
                    vendor: "xpb", product: "xpb", version: version, url: "",
                    interfaces: [VarlinkError.interface, name]))
        case "GetInterfaceDescription":
            do throws(VarlinkError) {
                let interface = try call.parameters(Interface.self).interface
                connection.reply(Description(description: try definition(of: interface)))
            } catch {
                connection.fail(error)
            }
        default:
            connection.fail(.methodNotFound(call.method))
        }
        return true
    }

    /// Returns the error for a call of a method that the bridge does not have.
    package static func unknown(_ method: String) -> VarlinkError {
        let interface = method.lastIndex(of: ".").map { String(method[..<$0]) } ?? method
        return interface == name ? .methodNotFound(method) : .interfaceNotFound(interface)
    }

    private static func definition(of interface: String) throws(VarlinkError) -> String {
        switch interface {
        case name: definition
        case VarlinkError.interface: serviceDefinition
        default: throw .interfaceNotFound(interface)
        }
    }

    /// The method that every service answers, at any time and to any client. The reply is not read.
    package enum GetInfo: WireMethod {
        package static let name = "GetInfo"
        package static let fullName = "\(VarlinkError.interface).\(name)"
        package typealias Parameters = NoParameters
        package typealias Reply = NoParameters
    }

    private struct Information: Encodable {
        var vendor: String
        var product: String
        var version: String
        var url: String
        var interfaces: [String]
    }

    private struct Interface: Decodable {
        var interface: String
    }

    private struct Description: Encodable {
        var description: String
    }

    /// The definition of `org.varlink.service`.
    private static let serviceDefinition = """
        # The interface that every Varlink service has.
        interface org.varlink.service

        # Returns information about the service, and the names of its interfaces.
        method GetInfo() -> (
          vendor: string,
          product: string,
          version: string,
          url: string,
          interfaces: []string
        )

        # Returns the definition of an interface.
        method GetInterfaceDescription(interface: string) -> (description: string)

        error InterfaceNotFound (interface: string)
        error MethodNotFound (method: string)
        error MethodNotImplemented (method: string)
        error InvalidParameter (parameter: string)
        error PermissionDenied ()
        error ExpectedMore ()

        """
}

/// An error of `org.varlink.service`, which any method of any service may return.
package enum VarlinkError: Error, Equatable, Sendable {
    case interfaceNotFound(String)
    case methodNotFound(String)
    case methodNotImplemented(String)
    /// The path of the parameter: `items[0].representations[1].type`.
    case invalidParameter(String)
    case permissionDenied
    /// The method must be called with `more`.
    case expectedMore

    static let interface = "org.varlink.service"

    /// The name in the interface, and the only member of the parameters, if there is one.
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

    /// - Returns: nil for any other name.
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
