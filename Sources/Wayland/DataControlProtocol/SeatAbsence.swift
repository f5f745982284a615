/// The reason why the selections of a seat cannot be read.
package enum SeatUnavailability: Hashable, Sendable {
    /// The compositor has no protocol for clipboard managers.
    case noDataControl
    /// There is no seat, or no seat with the requested name.
    ///
    /// - Parameter names: The names of the existing seats.
    case noSeat(names: [String])
    /// The compositor refuses, for the given reason. Only mutter does that.
    case denied(String)
}

/// The reason why the selections of a seat can no longer be read.
package enum SeatDetachment: Hashable, Sendable {
    case seatGone
    case managerGone
    /// The compositor has ended the session, as mutter does while the screen is locked.
    case sessionClosed
}
