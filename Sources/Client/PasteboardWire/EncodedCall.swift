package import LinuxSystem

/// A call in the form sent, encoded on the caller's thread.
package struct EncodedCall: Sendable {
    let message: [UInt8]
    let descriptors: [Descriptor]
    /// The length in bytes, without the NUL.
    package var length: Int { message.count - 1 }

    /// Encodes a call. Its length is not checked here: the service rejects a call that exceeds its limit.
    ///
    /// - Parameters:
    ///   - more: True if the caller accepts several replies.
    ///   - oneway: True if the caller accepts no reply.
    ///   - upgrade: True if raw bytes follow the call or its reply.
    /// - Throws: `EncodingError` for a number that JSON cannot represent.
    package init<Method: WireMethod>(
        _: Method.Type, _ parameters: Method.Parameters, descriptors: [Descriptor] = [], more: Bool = false,
        oneway: Bool = false, upgrade: Bool = false
    ) throws {
        message = try WireCoding.encode(
            OutgoingCall(
                method: Method.fullName, parameters: parameters, more: more ? true : nil, oneway: oneway ? true : nil,
                upgrade: upgrade ? true : nil))
        self.descriptors = descriptors
    }
}

/// A reply in the form received, to be decoded on the caller's thread.
package struct EncodedReply: Sendable {
    private let message: [UInt8]
    /// The descriptors that the reply names, by their index.
    package let descriptors: [Descriptor]

    init(message: [UInt8], descriptors: [Descriptor]) {
        self.message = message
        self.descriptors = descriptors
    }

    /// True if more replies follow; false for a message that is not a reply.
    package var continues: Bool {
        (try? WireCoding.decode(Head.self, from: message))?.continues ?? false
    }

    /// True for a refusal with ``BridgeError/endReason``.
    package var isRefusedForEnd: Bool {
        // Few replies are this short and contain the word.
        guard message.count < 1_024, message.contains(Array("\(BridgeError.Code.refused.rawValue)".utf8)) else {
            return false
        }
        do {
            _ = try WireCoding.decode(IncomingReply<NoParameters>.self, from: message).outcome.get()
            return false
        } catch {
            return (error as? BridgeError)?.reason == BridgeError.endReason
        }
    }

    /// - Throws: `BridgeError` and ``VarlinkError`` from the service; `ClientFault.malformed`.
    package func decode<Method: WireMethod>(_: Method.Type) throws -> Method.Reply {
        let reply: IncomingReply<Method.Reply>
        do {
            reply = try WireCoding.decode(IncomingReply<Method.Reply>.self, from: message)
        } catch {
            throw ClientFault.invalidReply(error)
        }
        return try reply.outcome.get()
    }

    private struct Head: Decodable {
        var continues: Bool?
    }
}
