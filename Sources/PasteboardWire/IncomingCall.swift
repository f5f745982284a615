package import LinuxSystem

/// A call that a client made.
package struct IncomingCall {
    /// The full name: `org.xpb.Pasteboard.Get`.
    package let method: String
    /// The client takes several replies.
    package let more: Bool
    /// The client takes no reply.
    package let oneway: Bool
    /// Those that the call names, by their index; fewer if fewer came. None is known to be what it should be.
    package let descriptors: [Descriptor]
    /// The client wants to speak another protocol from here on; this service has none.
    let isUpgrade: Bool
    private let message: [UInt8]

    init(_ head: CallHead, message: [UInt8], descriptors: [Descriptor]) {
        method = head.method
        more = head.more ?? false
        oneway = head.oneway ?? false
        isUpgrade = head.upgrade ?? false
        self.message = message
        self.descriptors = descriptors
    }

    /// - Throws: `VarlinkError.invalidParameter` with the path of what is missing or of another type.
    package func parameters<Parameters: Decodable>(
        _: Parameters.Type = Parameters.self
    ) throws(VarlinkError) -> Parameters {
        do {
            return try WireCoding.decode(ParametersOnly<Parameters>.self, from: message).parameters
        } catch {
            let path = WireCoding.path(of: error) ?? ""
            let member = path.hasPrefix("parameters.") ? String(path.dropFirst(11)) : path
            // The library does not say where a number is that fits no integer.
            throw .invalidParameter(member.isEmpty ? "parameters" : member)
        }
    }

    /// Whether it is a call of that method.
    package func isCall<Method: WireMethod>(of _: Method.Type) -> Bool {
        method == Method.fullName
    }
}
