package import LinuxSystem

package struct IncomingCall {
    /// The name with the interface: `org.xpb.Pasteboard.Get`.
    package let method: String
    /// True if the client accepts several replies.
    package let more: Bool
    /// True if the client accepts no reply.
    package let oneway: Bool
    /// The descriptors that the call names, by their index. Some may be missing at the end, and none has been checked
    /// in any way.
    package let descriptors: [Descriptor]
    /// True if the client asks to switch the connection to another protocol: for one range of raw bytes, if the method
    /// is `Download` or `Upload`. This service has no other protocols.
    package let isUpgrade: Bool
    private let message: [UInt8]

    init(_ head: CallHead, message: [UInt8], descriptors: [Descriptor]) {
        method = head.method
        more = head.more ?? false
        oneway = head.oneway ?? false
        isUpgrade = head.upgrade ?? false
        self.message = message
        self.descriptors = descriptors
    }

    /// Decodes the parameters.
    ///
    /// - Throws: `VarlinkError.invalidParameter` with the path of the parameter that is missing or has another type.
    package func parameters<Parameters: Decodable>(
        _: Parameters.Type = Parameters.self
    ) throws(VarlinkError) -> Parameters {
        do {
            return try WireCoding.decode(ParametersOnly<Parameters>.self, from: message).parameters
        } catch {
            let path = WireCoding.path(of: error) ?? ""
            let member = path.hasPrefix("parameters.") ? String(path.dropFirst(11)) : path
            // JSONDecoder gives no path for a number that does not fit an integer.
            throw .invalidParameter(member.isEmpty ? "parameters" : member)
        }
    }

    /// True if raw bytes follow the message.
    package var isFollowedByBytes: Bool { isUpgrade && isCall(of: Methods.Upload.self) }

    /// True if raw bytes follow the message or its reply.
    var movesBytes: Bool { isFollowedByBytes || isUpgrade && isCall(of: Methods.Download.self) }

    package func isCall<Method: WireMethod>(of _: Method.Type) -> Bool {
        method == Method.fullName
    }
}
