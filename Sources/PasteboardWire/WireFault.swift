package import SystemPackage

/// Why a connection must be closed: what the peer sent cannot be answered, or nothing can be sent to it.
package enum WireFault: Error, Equatable, CustomStringConvertible {
    case messageTooLong(limit: Int)
    case malformedMessage(String)
    /// Descriptors came that no message names.
    case strayDescriptors(Int)
    case tooManyDescriptors(limit: Int)
    /// Descriptors came that cannot be taken at once, and the process has too few left to keep them meanwhile.
    case noDescriptors
    /// The peer does not read what it is sent.
    case unread(limit: Int)
    case disconnected
    case system(Errno)

    package var description: String {
        switch self {
        case .messageTooLong(let limit): "a message longer than \(limit) bytes"
        case .malformedMessage(let reason): "a message that is not one of Varlink: \(reason)"
        case .strayDescriptors(let count): "\(count) descriptors that no message names"
        case .tooManyDescriptors(let limit): "more than \(limit) descriptors for one message"
        case .noDescriptors: "descriptors that wait, for which there is no room"
        case .unread(let limit): "more than \(limit) bytes that the peer does not read"
        case .disconnected: "the peer is gone"
        case .system(let error): "\(error)"
        }
    }
}
