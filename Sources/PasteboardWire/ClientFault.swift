package import SystemPackage

/// Why a call got no reply. The connection is of no use any more.
package enum ClientFault: Error, Equatable, CustomStringConvertible {
    /// The service was silent for too long.
    case timedOut
    /// The service closed the connection, or it was given up before.
    case closed
    /// The service sent what cannot be understood.
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
}
