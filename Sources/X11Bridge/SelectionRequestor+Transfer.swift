import LinuxSystem
package import SelectionProtocol

extension SelectionRequestor {
    /// One conversion under way.
    package final class Transfer {
        package let ticket: Ticket
        package let selection: Atom
        package let target: Atom
        /// What the request was sent with.
        package let time: ServerTime
        /// The owner's window; none where it is not known.
        package let owner: WindowID
        package let started: ContinuousClock.Instant
        /// When something came last.
        package var touched: ContinuousClock.Instant
        /// In bytes, all that came.
        package var moved = 0
        /// What is kept of it.
        package var kept = 0
        /// Whether its owner sends it by INCR (ICCCM 2.7.2).
        var comesInPieces = false
        package var machine: Conversion
        /// More bytes are not kept.
        package let limit: Int
        var sink = Sink.none
        /// Whether the result, good or bad, was reported.
        var isReported = false
        /// Whether its owner sends it though nobody wants it any more, and that was reported.
        var isDraining = false
        /// Whether the owner it was asked of is not the owner any more. It may go on sending, whatever becomes of later
        /// owners.
        var isFormer = false

        package init(
            ticket: Ticket, selection: Atom, target: Atom, owner: WindowID, time: ServerTime, machine: Conversion,
            limit: Int, now: ContinuousClock.Instant
        ) {
            self.ticket = ticket
            self.selection = selection
            self.target = target
            self.time = time
            self.owner = owner
            started = now
            touched = now
            self.machine = machine
            self.limit = limit
        }
    }

    /// Where a conversion's bytes are collected.
    enum Sink {
        case none
        case list([UInt32])
        case file(MemoryFileWriter)
    }
}
