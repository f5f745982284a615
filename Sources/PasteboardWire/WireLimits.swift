/// What a connection may hold, whatever its peer does.
package struct WireLimits: Sendable {
    /// The longest message, in bytes, without its NUL: ten thousand items, written or told, are one of 1 MiB.
    package var messageBytes = 4 << 20
    /// The most descriptors of one message.
    package var descriptorsPerMessage = 64
    /// What may wait for a peer that does not read, in bytes.
    package var unsentBytes = 32 << 20
    /// The longest piece of `Read` and `Append`, in bytes before base64.
    package var pieceBytes = 262_144

    package init() {}
}
