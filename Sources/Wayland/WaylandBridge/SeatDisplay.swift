package import DataControlProtocol
package import LinuxSystem

/// A connection by which the selections of a Wayland seat are seen and set: a compositor's, or that to the session bus.
///
/// It is used only on the thread of its event loop, whose owner has to run the executor's timers. No function waits for
/// the compositor, and no call delivers events: they come from the loop, each after everything that the compositor did
/// before. A closure may call any function.
package protocol SeatDisplay: AnyObject {
    var onEvent: (SeatEvent) -> Void { get set }
    /// Called when another client asks for the contents of a source in one of its types. The descriptor is closed with
    /// its last reference; ``outgoing`` writes to it. Other processes may share the open file, so its flags must not be
    /// changed.
    var onRequest: (SourceID, _ type: String, Descriptor) -> Void { get set }
    /// The bytes on their way to readers of sources, also those of former connections.
    var outgoing: OutgoingTransfers { get }
    /// The maximum number of contents that are received at once.
    var maxIncoming: Int { get set }
    /// The maximum length of contents that are received, in bytes.
    var maxLength: Int { get set }
    /// The maximum of the bytes that transfers under way hold. Contents that exceed it on their arrival are refused;
    /// those for readers are not.
    var maxBytesHeld: Int { get set }
    /// True if the compositor keeps a single type of what a program has offered, when the program ends.
    var keepsPart: Bool { get }
    /// The number of transfers under way.
    var transferCount: Int { get }

    /// Begins the connection. This is the first call.
    func start()

    /// Closes the connection. No event follows. Transfers to readers of sources go on.
    func close()

    /// Returns true if a selection can be set: there is a seat, and the compositor has that selection.
    func canSet(_ selection: SeatSelection) -> Bool

    /// Offers contents on a selection. ``SeatEvent/changed(_:_:)`` with this source follows, or
    /// ``SeatEvent/ended(_:_:)`` if the compositor refuses it.
    ///
    /// - Parameters:
    ///   - types: The types in order. Names that are too long for the protocol are left out.
    ///   - marker: A further type, at the end, that no other source has.
    ///   - isWithheld: True if the compositor's own clipboard manager must not read the contents.
    /// - Returns: nil if the selection cannot be set.
    func set(_ selection: SeatSelection, types: [String], marker: String, isWithheld: Bool) -> SourceID?

    /// Empties a selection, whoever owns it.
    ///
    /// - Returns: A number in the order of those of sources, whose end is not reported; nil if the selection cannot be
    ///   set.
    func clear(_ selection: SeatSelection) -> SourceID?

    /// Waits for the compositor.
    ///
    /// - Returns: true once the compositor has handled all earlier requests, and its events up to then are delivered;
    ///   false after the timeout, if the task is cancelled, or if the connection is lost.
    func synchronize(within timeout: Duration) async -> Bool

    /// Reads the contents of another client's offer in one of its types.
    ///
    /// The protocols do not report the length: the contents of a program that ends in the middle seem to be complete.
    ///
    /// - Parameters:
    ///   - idleTimeout: The time for the first byte, and for each further piece.
    ///   - limit: The maximum length; nil for ``maxLength``.
    ///   - onStream: Called when contents that are long or slow begin to go to a socket, and after each further part;
    ///     nil if all bytes are wanted at once.
    /// - Returns: The contents; nil if they are in the stream.
    func receive(
        _ offer: ForeignOfferID, type: String, idleTimeout: Duration, limit: Int?,
        onStream: ((SpooledSocket) -> Void)?
    ) async throws(PipeFailure) -> MemoryFile?
}

package enum SeatEvent: Hashable, Sendable {
    /// The selections of a seat are known from now on; they follow.
    ///
    /// - Parameter protocol: The protocol by which they are, for the user.
    case attached(protocol: String)
    /// The selections that the seat had at first have been reported.
    ///
    /// - Parameter hasPrimary: False if the connection has no primary selection.
    case settled(seat: String?, hasPrimary: Bool)
    /// The selections cannot be known until a later ``attached(protocol:)``.
    case unavailable(SeatUnavailability)
    /// A selection was set or became empty. Each is one change.
    case changed(SeatSelection, DataControlClient.Owner)
    /// A source is no longer offered. Follows each source once, unless the connection is lost. Transfers of its
    /// contents under way go on.
    case ended(SourceID, DataControlClient.SourceEnd)
    /// Nothing is known of selections until the next ``attached(protocol:)``. All sources and offers have ended.
    case detached(SeatDetachment)
    /// The connection is closed; nothing follows. All sources and offers have ended.
    case lost(WaylandLoss)
}

package enum SeatUnavailability: Hashable, Sendable {
    /// The compositor has no protocol for it.
    case noDataControl
    /// There is no seat, or none with the name asked for.
    ///
    /// - Parameter names: The names of those that there are.
    case noSeat(names: [String])
    /// The compositor refuses, for its own reason.
    case denied(String)
}

package enum SeatDetachment: Hashable, Sendable {
    case seatGone
    case managerGone
    /// The compositor has ended the session, as mutter does while the screen is locked.
    case sessionClosed
}
