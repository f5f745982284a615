/// What a connection may hold, whatever its peer does.
package struct WireLimits: Sendable, Equatable {
    /// The longest message, in bytes, without its NUL: ten thousand items, written or told, are one of 1 MiB.
    package var messageBytes = 4 << 20
    /// The most descriptors of one message.
    package var descriptorsPerMessage = 64
    /// What may wait for a peer that does not read, in bytes.
    package var unsentBytes = 32 << 20
    /// What may wait for a watcher that does not read, in bytes. It loses its place then, and not its connection.
    package var watchQueueBytes = 1 << 20
    /// The longest piece of `Read` and `Append`, in bytes before base64.
    package var pieceBytes = 262_144
    /// The most uploads and downloads of a connection at once.
    package var handles = 256

    /// The longest message that a bridge can be set to send: a client does not know how its bridge is set.
    static let longestMessage = 256 << 20

    /// The setting that bounds a client's messages, by name.
    package static let messageSetting = "limit-message"

    package init() {}
}

extension BridgeError {
    /// - Parameter limit: In bytes, without the NUL.
    package static func callTooLong(limit: Int) -> BridgeError {
        BridgeError(
            .refused,
            "there are too many items for one call, which has at most \(limit) bytes without their contents; make "
                + "several, or raise the setting '\(WireLimits.messageSetting)'")
    }
}
