/// What every Varlink service answers: what it is, and the definitions of its interfaces.
/// See https://varlink.org/Service.
package enum ServiceInterface {
    /// The interface of the bridge.
    package static let name = "org.xpb.Pasteboard"

    /// The definition of ``name``, as it is in the source tree.
    package static let definition = String(decoding: PackageResources.org_xpb_Pasteboard_varlink, as: UTF8.self)

    /// Answers a call of `org.varlink.service`.
    ///
    /// - Returns: false for a call of any other interface, which is not answered.
    package static func answer(_ call: IncomingCall, on connection: ServerConnection, version: String) -> Bool {
        guard call.method.hasPrefix(VarlinkError.interface + ".") else { return false }
        switch call.method.dropFirst(VarlinkError.interface.count + 1) {
        case "GetInfo":
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

    /// The error for a call of a method that is none of the bridge's.
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

    /// Every service has it.
    private static let serviceDefinition = """
        # What every Varlink service has.
        interface org.varlink.service

        # What the service is, and its interfaces.
        method GetInfo() -> (
          vendor: string,
          product: string,
          version: string,
          url: string,
          interfaces: []string
        )

        # The definition of an interface.
        method GetInterfaceDescription(interface: string) -> (description: string)

        error InterfaceNotFound (interface: string)
        error MethodNotFound (method: string)
        error MethodNotImplemented (method: string)
        error InvalidParameter (parameter: string)
        error PermissionDenied ()
        error ExpectedMore ()

        """
}
