package import LinuxSystem

/// A call as it goes over the wire, made on the caller's thread.
package struct EncodedCall: Sendable {
    let message: [UInt8]
    let descriptors: [Descriptor]
    /// In bytes, without the NUL.
    package var length: Int { message.count - 1 }

    /// How long it may be the service decides, and says so when it turns its caller away.
    ///
    /// - Parameters:
    ///   - more: The caller takes several replies.
    ///   - oneway: The caller takes none.
    /// - Throws: `EncodingError` for a number that JSON cannot have.
    package init<Method: WireMethod>(
        _: Method.Type, _ parameters: Method.Parameters, descriptors: [Descriptor] = [], more: Bool = false,
        oneway: Bool = false
    ) throws {
        message = try WireCoding.encode(
            OutgoingCall(
                method: Method.fullName, parameters: parameters, more: more ? true : nil, oneway: oneway ? true : nil))
        self.descriptors = descriptors
    }
}

/// A reply as it came, to be understood on the caller's thread.
package struct EncodedReply: Sendable {
    private let message: [UInt8]
    /// Those that the reply names, by their index.
    package let descriptors: [Descriptor]

    init(message: [UInt8], descriptors: [Descriptor]) {
        self.message = message
        self.descriptors = descriptors
    }

    /// Whether more replies follow. What is no reply is the last.
    package var continues: Bool {
        (try? WireCoding.decode(Head.self, from: message))?.continues ?? false
    }

    /// - Throws: `BridgeError` and ``VarlinkError`` as the service answered; `ClientFault.malformed`.
    package func decode<Method: WireMethod>(_: Method.Type) throws -> Method.Reply {
        let reply: IncomingReply<Method.Reply>
        do {
            reply = try WireCoding.decode(IncomingReply<Method.Reply>.self, from: message)
        } catch {
            throw ClientFault.malformed("a reply that is not one: \(WireCoding.reason(error))")
        }
        return try reply.outcome.get()
    }

    private struct Head: Decodable {
        var continues: Bool?
    }
}
