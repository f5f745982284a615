/// A method of `org.xpb.Pasteboard`: its name, its parameters and its reply.
///
/// Scripts/generate-wire writes the methods, as it writes everything in Generated, from the interface definition.
package protocol WireMethod {
    associatedtype Parameters: Codable & Sendable
    associatedtype Reply: Codable & Sendable
    /// The member's name in the interface, `Get`.
    static var name: String { get }
}

extension WireMethod {
    /// With the interface: `org.xpb.Pasteboard.Get`.
    package static var fullName: String { "\(ServiceInterface.name).\(name)" }
}

package struct NoParameters: Codable, Sendable {
    package init() {}
}
