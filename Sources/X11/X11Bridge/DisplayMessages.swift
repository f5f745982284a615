package import Configuration
package import LinuxSystem
package import SelectionProtocol
package import X11Display

/// The number that a command and the reports about it share. A late answer has a number that no task waits for.
package struct Ticket: Hashable, Sendable {
    package let number: Int

    package init(number: Int) {
        self.number = number
    }
}

/// A request of the service thread to the X thread.
package enum DisplayCommand: Sendable {
    /// Connect to a display that will be opened soon, so that the server answers while the service does other work. A
    /// failure is reported when the display is opened.
    case connect(display: String)
    /// Open a display. If `replacing` is true, take the manager selection from another bridge.
    case attach(display: String, replacing: Bool)
    /// Report the owner of a selection and its changes.
    case watch(selection: String)
    /// Stop the reports about a selection.
    case unwatch(selection: String)
    /// From now on, report the Xwayland compositor's ownership as `.compositor`. If that is required, attach no other
    /// display.
    case recognizeCompositor(isRequired: Bool)
    /// Ask the server now for its time, which a claim will need soon.
    case prepareClaim
    /// Own the offer's selection, and serve the offer, if this can begin before the deadline.
    case claim(Offer, SelectionClaim, Ticket, until: ContinuousClock.Instant)
    /// Leave a selection without an owner; with `unlessChangedSince`, on the condition of
    /// ``SelectionClaim/unlessChanged(since:)``.
    case release(selection: String, unlessChangedSince: Int?, Ticket, until: ContinuousClock.Instant)
    /// Release the selection of an offer, if the offer is current: its claim succeeded after the service had given up.
    case withdraw(OfferID)
    /// Ask a selection's owner for a target.
    case convert(ConversionRequest)
    /// Ask the clipboard manager to save these targets of the offer on CLIPBOARD, by a conversion (SAVE_TARGETS).
    case handOver(targets: [String], Ticket, idleTimeout: Duration)
    /// End a conversion.
    case cancel(Ticket)
    /// The outcome of making a body of an offer.
    case provide(OfferID, body: Int, Provision)
    /// The outcome of a request to save contents, by the number of
    /// ``DisplayReport/saveRequested(_:by:targets:asked:within:)``.
    case saved(Int, Bool)
    /// Answer a query.
    case query(any DisplayQuery, Ticket)
    /// Apply these limits.
    case limit(Configuration.Limits)
    /// Release the selections, refuse waiting requests, and end.
    case stop
}

/// The condition under which a selection is claimed.
package enum SelectionClaim: Sendable {
    /// The selection may have any owner.
    case always
    /// The selection's owner died at the given time, and no owner has followed.
    case afterDeath(ServerTime)
    /// The selection is a manager selection without an owner, and the claim is announced (ICCCM 2.8).
    case ifUnowned
    /// The window owned the selection at the given time and wants to hand it over, and no other owner has followed.
    case from(WindowID, at: ServerTime)
    /// The owner has not changed since this number of changes was reported. The count begins at 0 with each
    /// ``DisplayReport/found(selection:_:)``.
    case unlessChanged(since: Int)
}

/// The outcome of a claim or a release.
package enum ClaimOutcome: Sendable {
    /// The claim or release succeeded. Any change of owner has already been reported.
    case done
    /// Another client was faster, twice, or the server refused.
    case lost
    /// The deadline passed before the claim could begin.
    case timedOut
    /// There is no display, or its connection has ended.
    case noDisplay
    /// The name of the selection would need one more atom than the limit allows.
    case nameLimit
}

/// A report of the X thread to the service thread, in the order of events.
package enum DisplayReport: Sendable {
    case attached(display: String)
    case attachFailed(AttachFailure)
    /// The connection to the X server is closed.
    case detached(display: String)
    /// More events came than the process stores. The connection is closed, as the next report says.
    case flooded(display: String)
    /// The owner of a selection when watching began.
    case found(selection: String, OwnershipTracker.Owner)
    case changed(selection: String, OwnershipTracker.Change)
    /// The active window of an Xwayland display has changed.
    case focusChanged
    case claimEnded(Ticket, ClaimOutcome)
    /// The owner has announced pieces, which go to a socket from now on.
    case streaming(Ticket, SpooledSocket)
    /// Bytes of a conversion have arrived.
    case progress(Ticket)
    case converted(Ticket, Result<Converted, Conversion.Failure>)
    /// A conversion failed, as the next report says, and its owner continues to send.
    case draining(Ticket)
    /// The owner has sent the rest, or has timed out.
    case drained(Ticket)
    case answered(Ticket, any Sendable)
    /// A requestor asks for a body of an offer that is made on demand.
    case wanted(OfferID, body: Int)
    /// A program wants these targets of its contents on CLIPBOARD saved, or all targets if they are nil (SAVE_TARGETS).
    /// The program owned the selection at the server's time `asked`, and waits for the given time.
    case saveRequested(Int, by: WindowID, targets: [String]?, asked: ServerTime, within: Duration)
    /// A requestor asks for contents that may be pasted once. The requestor's process is looked up now, while its
    /// window exists.
    case asked(OfferID, by: WindowID, process: Int32?)
    /// Contents that may be pasted once were transferred to a window.
    case pasted(OfferID, by: WindowID)
    /// The offer is released: no request for it can follow.
    case collected(OfferID)
    /// The number of transfers under way with X clients.
    case transfers(Int)
    /// Another bridge took the manager selection, so this bridge has to end.
    case replaced
    case stopped
}

/// The outcome of making a body of an offer.
package enum Provision: Sendable {
    case made(Offer.Bytes)
    /// The version cannot be converted into the body's format.
    case impossible
    /// The conversion failed this time.
    case failed
}

package enum AttachFailure: Error, Sendable, Equatable {
    case display(DisplayFailure)
    /// Another bridge serves the display. Its process is nil if it is not known.
    case served(process: Int32?)
    /// The display of this name does not belong to the Wayland session.
    case notXwayland(String)
}

package struct Converted: Sendable {
    /// The name of the property's type, which may differ from the target (ICCCM 2.6.2).
    package var type: String
    package var content: Content
    /// True for a list of targets that is too long, and lacks the last targets.
    package var isShortened: Bool

    package init(type: String, content: Content, isShortened: Bool = false) {
        self.isShortened = isShortened
        self.type = type
        self.content = content
    }

    package enum Content: Sendable {
        /// The names of a list of targets.
        case targets([String])
        case file(MemoryFile)
        /// All bytes have gone to the socket that was reported earlier.
        case streamed
    }
}
