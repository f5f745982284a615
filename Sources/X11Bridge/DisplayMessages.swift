package import Configuration
package import LinuxSystem
package import SelectionProtocol
package import X11Display

/// The number of one conversation between the two threads. A late answer carries a number that nobody waits for.
package struct Ticket: Hashable, Sendable {
    package let number: Int

    package init(number: Int) {
        self.number = number
    }
}

/// A request of the service thread to the X thread.
package enum DisplayCommand: Sendable {
    /// Connect to a display that is to be opened soon: the server answers while the service thread has other things to
    /// do. A failure is reported when the display is opened.
    case connect(display: String)
    /// Open a display. `replacing`: take the manager selection from another bridge.
    case attach(display: String, replacing: Bool)
    /// Report the owner of a selection and its changes.
    case watch(selection: String)
    /// Stop reporting them.
    case unwatch(selection: String)
    /// Ask the server now for its time, which a claim will need in a moment.
    case prepareClaim
    /// Own the offer's selection, and serve the offer, unless that cannot begin before the deadline.
    case claim(Offer, SelectionClaim, Ticket, until: ContinuousClock.Instant)
    /// Have nobody own a selection.
    case release(selection: String, Ticket, until: ContinuousClock.Instant)
    /// Give up an offer, if it is what is owned: its claim came through after it was given up.
    case withdraw(OfferID)
    /// Ask a selection's owner for a target. Each step may take `idleTimeout`; with more bytes than `limit` it fails.
    case convert(selection: String, target: String, Ticket, idleTimeout: Duration, limit: Int?)
    /// Have the clipboard manager take these targets of the offer on CLIPBOARD, as a conversion (SAVE_TARGETS).
    case handOver(targets: [String], Ticket, idleTimeout: Duration)
    /// End a conversion.
    case cancel(Ticket)
    /// The outcome of making a body of an offer.
    case provide(OfferID, body: Int, Provision)
    /// The outcome of a request to save contents, by the number of ``DisplayReport/wantedSaved(_:by:targets:asked:)``.
    case saved(Int, Bool)
    /// Answer a question.
    case query(any DisplayQuery, Ticket)
    /// Keep to these limits.
    case limit(Configuration.Limits)
    /// Release the selections, refuse requests, and end.
    case stop
}

/// The condition under which a selection is claimed.
package enum SelectionClaim: Sendable {
    /// Whoever owns it.
    case always
    /// Its owner died at that time, and nobody has owned it since.
    case afterDeath(ServerTime)
    /// Nobody owns it. It is a manager selection, and is announced (ICCCM 2.8).
    case ifUnowned
    /// That window owned it at that time, wants it taken over, and nobody has owned it since.
    case from(WindowID, at: ServerTime)
}

/// The outcome of a claim or a release.
package enum ClaimOutcome: Sendable {
    /// The change of the owner was reported before.
    case done
    /// Another client was faster, twice, or the server refused.
    case lost
    /// The time was over before the claim could begin.
    case timedOut
    /// There is no display, or no longer.
    case noDisplay
    /// The server would have to be given one name more than the limit on atoms allows.
    case nameLimit
}

/// A report of the X thread to the service thread, in the order of events.
package enum DisplayReport: Sendable {
    case attached(display: String)
    case attachFailed(AttachFailure)
    /// The X server is gone, or was left.
    case detached(display: String)
    /// More events came than can be held; the display is left, as the next report says.
    case flooded(display: String)
    /// The owner of a selection when watching began.
    case found(selection: String, OwnershipTracker.Owner)
    /// A change of owner.
    case changed(selection: String, OwnershipTracker.Change)
    case claimEnded(Ticket, ClaimOutcome)
    /// Bytes have come for a conversion.
    case progress(Ticket)
    case converted(Ticket, Result<Converted, Conversion.Failure>)
    /// A conversion failed, as the next report says, and its owner goes on sending.
    case draining(Ticket)
    /// The owner has sent the rest, or was given up.
    case drained(Ticket)
    /// The answer to a query.
    case answered(Ticket, any Sendable)
    /// A requestor asks for a body of an offer that has to be made.
    case wanted(OfferID, body: Int)
    /// A program wants these targets of its contents on CLIPBOARD saved, or all (SAVE_TARGETS). The program owned the
    /// selection at the server's time `asked`.
    case wantedSaved(Int, by: WindowID, targets: [String]?, asked: ServerTime)
    /// A requestor asks for contents that may be pasted once. Its process is looked up now, while its window is there.
    case asked(OfferID, by: WindowID, process: Int32?)
    /// Contents that may be pasted once were transferred to that window.
    case pasted(OfferID, by: WindowID)
    /// Nobody can ask for that offer any longer.
    case collected(OfferID)
    /// The number of transfers under way with X clients.
    case transfers(Int)
    /// Another bridge took the manager selection: this one is to end.
    case replaced
    /// The thread has ended.
    case stopped
}

/// The outcome of making a body of an offer.
package enum Provision: Sendable {
    case made(Offer.Bytes)
    /// It cannot be made of this version.
    case impossible
    /// It could not be made this time.
    case failed
}

package enum AttachFailure: Error, Sendable, Equatable {
    case display(DisplayFailure)
    /// Another bridge serves the display; its process, if it says so.
    case served(process: Int32?)
}

/// The result of a conversion.
package struct Converted: Sendable {
    /// The property's type, by name. It may differ from the target (ICCCM 2.6.2).
    package var type: String
    package var format: Int
    package var content: Content

    package init(type: String, format: Int, content: Content) {
        self.type = type
        self.format = format
        self.content = content
    }

    package enum Content: Sendable {
        /// A list of targets, by name.
        case targets([String])
        case file(MemoryFile)
    }
}
