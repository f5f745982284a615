package import SystemPackage

/// The limits of a connection, which hold whatever its peer does.
package struct WireLimits: Sendable, Equatable {
    /// The maximum length of a message, in bytes, without its NUL. Writing or describing ten thousand items takes 1
    /// MiB.
    package var messageBytes = 4 << 20
    /// The maximum number of descriptors of one message.
    package var descriptorsPerMessage = 64
    /// The maximum length of the replies queued for a peer that does not read, in bytes. Above this length, the
    /// connection ends. The raw bytes after a reply do not count, since they stay in their file.
    package var unsentBytes = 32 << 20
    /// The maximum length of the changes queued for a watcher that does not read, in bytes. Above this length, the
    /// watch ends, but not the connection.
    package var watchQueueBytes = 1 << 20
    /// The maximum length of a piece of `Read` and `Append`, in bytes before base64.
    package var pieceBytes = 262_144
    /// The maximum number of simultaneous uploads and downloads of a connection.
    package var handles = 256

    /// The maximum length of a message that a client accepts: the highest value of the bridge's setting, which is
    /// unknown to clients.
    package static let maxMessageBytes = 256 << 20

    /// The name of the setting that limits the messages of clients.
    package static let messageSetting = "limit-message"

    package init() {}
}

/// A reason to close a connection: the peer sent something that cannot be answered, or nothing can be sent to it.
package enum WireFault: Error, Equatable, CustomStringConvertible {
    case messageTooLong(limit: Int)
    case malformedMessage(String)
    /// Descriptors arrived without a message that names them.
    case strayDescriptors(Int)
    case tooManyDescriptors(limit: Int)
    /// Descriptors wait for a message that cannot be taken yet, and the process has too few left to hold them.
    case noDescriptors
    /// The peer does not read its replies.
    case unread(limit: Int)
    /// A call was refused while its raw bytes may still be on their way.
    case refusedBytes
    case disconnected
    case system(Errno)

    package var description: String {
        switch self {
        case .messageTooLong(let limit): "a message longer than \(limit) bytes"
        case .malformedMessage(let reason): "a message that is not valid Varlink: \(reason)"
        case .strayDescriptors(let count): "\(count) descriptors that no message names"
        case .tooManyDescriptors(let limit): "more than \(limit) descriptors for one message"
        case .noDescriptors: "descriptors that wait for their message, while too few are left for the process"
        case .unread(let limit): "more than \(limit) bytes that the peer does not read"
        case .refusedBytes: "raw bytes that are not taken"
        case .disconnected: "the peer is gone"
        case .system(let error): "\(error)"
        }
    }
}
