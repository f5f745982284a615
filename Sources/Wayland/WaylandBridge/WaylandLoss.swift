package import DataControlProtocol
package import SystemPackage

/// The reason why there is no connection to a compositor.
package enum WaylandLoss: Error, Hashable, Sendable, CustomStringConvertible {
    case cannotConnect(path: String, Errno)
    /// The compositor closed the connection without a reason.
    case closed
    /// The compositor reported an error, or broke the protocol.
    case fault(DataControlClient.Fault)
    /// The compositor does not read, and the waiting requests exceed the limit, in bytes.
    case flooded(limit: Int)
    /// This process is at its limit on open files, and could not receive a descriptor.
    case noDescriptors
    case system(Errno)
    /// The session bus, or the compositor on it, has ended the connection. The string is the reason, for the user.
    case bus(String)

    package var description: String {
        switch self {
        case .cannotConnect(let path, let error): "cannot connect to the compositor at \(path): \(error)"
        case .closed: "the compositor closed the connection"
        case .fault(let fault): fault.description
        case .flooded(let limit): "the compositor does not read: more than \(limit) bytes wait for it"
        case .noDescriptors: "the limit on open files is reached, and a descriptor of the compositor was lost"
        case .system(let error): "the connection to the compositor failed: \(error)"
        case .bus(let reason): reason
        }
    }
}

/// The reason why the contents of an offer could not be read.
package enum PipeFailure: Error, Hashable, Sendable {
    /// The offer was replaced, or its program ended, before the first byte; or it does not have the type.
    case offerEnded
    /// The compositor has refused to pass contents of the present offer.
    case refused
    /// The program that offers the contents sent nothing within the timeout.
    case silent
    /// The program sent bytes, and then nothing within the timeout.
    case stalled(received: Int)
    /// The pipe could not be read.
    case broken(Errno)
    /// The contents are longer than the limit.
    case tooLong
    /// The maximum number of other transfers is under way.
    case tooManyTransfers
    /// The transfers under way together hold more bytes than the limit.
    case tooManyBytes
    /// No memory or descriptor is left for the contents.
    case noRoom(Errno)
    /// The task that waited was canceled.
    case cancelled
    /// The connection to the compositor is closed. Contents that had begun to arrive count as incomplete, because
    /// programs often end with their compositor.
    case lost
}
