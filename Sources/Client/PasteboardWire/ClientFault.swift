package import SystemPackage

/// The reason why a call got no reply. After a fault, the connection cannot be used.
package enum ClientFault: Error, Equatable, CustomStringConvertible {
    /// The service sent nothing for too long.
    case timedOut
    /// The service closed the connection, or an earlier fault made it unusable.
    case closed
    /// The service sent a reply that cannot be decoded.
    case malformed(String)
    case system(Errno)

    package var description: String {
        switch self {
        case .timedOut: "the bridge did not answer in time"
        case .closed: "the bridge closed the connection"
        case .malformed(let reason): "the bridge sent \(reason)"
        case .system(let error): "the connection to the bridge failed: \(error)"
        }
    }

    init(_ error: Errno) {
        self =
            switch error {
            case .brokenPipe, .connectionReset: .closed
            case .timedOut: .timedOut
            default: .system(error)
            }
    }

    init(_ fault: WireFault) {
        if case .strayDescriptors = fault {
            self = .strayDescriptors
        } else {
            self = .malformed(fault.description)
        }
    }

    static let strayDescriptors = ClientFault.malformed("descriptors that no reply names")

    /// - Parameter error: The error of decoding the reply.
    static func invalidReply(_ error: any Error) -> ClientFault {
        .malformed("an invalid reply: \(WireCoding.reason(error))")
    }
}
