package import DataControlProtocol
package import LinuxSystem

/// A connection that reports and sets the selections of a Wayland seat: to a compositor, or to the session bus.
///
/// It is used only on the thread of its event loop, whose owner has to run the executor's timers. No function waits for
/// the compositor, and no call delivers events: events come from the loop, in the order in which the compositor sent
/// them. A closure may call any function.
package protocol SeatDisplay: AnyObject {
    var onEvent: (SeatEvent) -> Void { get set }
    /// The closure that is called when another client asks for the contents of a source in one of its types. The
    /// descriptor is closed with its last reference; ``outgoing`` writes to it. Other processes may share the open
    /// file, so its flags must not be changed.
    var onRequest: (SourceID, _ type: String, Descriptor) -> Void { get set }
    /// The transfers to readers of sources, including transfers of earlier connections.
    var outgoing: OutgoingTransfers { get }
    /// The maximum number of contents that are received at once.
    var maxIncoming: Int { get set }
    /// The maximum length of contents that are received, in bytes.
    var maxLength: Int { get set }
    /// The maximum number of bytes that transfers under way hold. Incoming contents that exceed it are refused;
    /// contents for readers are not.
    var maxBytesHeld: Int { get set }
    /// True if the compositor keeps a single type of a program's contents when the program ends.
    var keepsPart: Bool { get }
    /// The number of transfers under way.
    var transferCount: Int { get }

    /// Begins the connection. This is the first call.
    func start()

    /// Closes the connection. No event follows. Transfers to readers of sources continue.
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
    /// - Returns: A number from the same sequence as the numbers of sources, though its end is not reported; nil if the
    ///   selection cannot be set.
    func clear(_ selection: SeatSelection) -> SourceID?

    /// Waits for the compositor.
    ///
    /// - Returns: true once the compositor has handled all earlier requests, and its events up to then are delivered;
    ///   false after the timeout, if the task is canceled, or if the connection is lost.
    func synchronize(within timeout: Duration) async -> Bool

    /// Reads the contents of another client's offer in one of its types.
    ///
    /// The protocols do not report the length, so the contents of a program that ends in the middle seem complete.
    ///
    /// - Parameters:
    ///   - idleTimeout: The timeout for the first byte, and for each further piece.
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
    /// From now on, the selections of a seat are reported, beginning with the current selections.
    ///
    /// - Parameter protocol: The name of the protocol, for the user.
    case attached(protocol: String)
    /// The seat's initial selections have been reported.
    ///
    /// - Parameter hasPrimary: False if the connection has no primary selection.
    case settled(seat: String?, hasPrimary: Bool)
    /// The selections cannot be read until a later ``attached(protocol:)``.
    case unavailable(SeatUnavailability)
    /// A selection was set or became empty. Each such event is one change.
    case changed(SeatSelection, DataControlClient.Owner)
    /// A source is no longer offered. This event follows each source once, unless the connection is lost. Transfers of
    /// its contents that are under way continue.
    case ended(SourceID, DataControlClient.SourceEnd)
    /// The selections are unknown until the next ``attached(protocol:)``. All sources and offers have ended.
    case detached(SeatDetachment)
    /// The connection is closed; nothing follows. All sources and offers have ended.
    case lost(WaylandLoss)
}
