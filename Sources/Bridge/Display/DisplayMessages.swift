import LinuxSystem
import SelectionProtocol
import X11Display

/// Names one conversation between the two threads, so that a late answer finds nobody.
struct Ticket: Hashable, Sendable {
    let number: Int
}

/// What the service thread asks of the display thread.
enum DisplayCommand: Sendable {
    /// Open that display; `authority` is the client's XAUTHORITY. `replacing`: take the manager selection from another
    /// bridge.
    case attach(display: String, authority: String?, replacing: Bool)
    /// Report the owner of that selection and its changes.
    case watch(selection: String)
    /// Own the selection and offer this version, unless that cannot begin before the time given.
    case claim(Offer, Ticket, until: ContinuousClock.Instant)
    /// Have nobody own the selection.
    case disown(selection: String, Ticket, until: ContinuousClock.Instant)
    /// Ask a selection's owner for a target. `silence` is how long it may take for each step.
    case convert(selection: String, target: String, Ticket, silence: Duration)
    /// Nobody wants that conversion any more.
    case cancel(Ticket)
    /// Read what the server has sent, and say so.
    case catchUp(Ticket)
    /// Find the process behind a window.
    case identify(WindowID, Ticket)
    /// Give up what is owned, refuse what is asked, and end.
    case stop
}

/// What the display thread reports to the service thread, in the order it happened.
enum DisplayReport: Sendable {
    case attached(display: String)
    case attachFailed(AttachFailure)
    /// The X server is gone.
    case detached(display: String)
    /// The owner of a selection when it began to be watched.
    case found(selection: String, OwnershipTracker.Owner)
    /// Each change of an owner.
    case changed(selection: String, OwnershipTracker.Change)
    /// The claim's offer is owned; the matching change was reported before.
    case claimed(Ticket, OfferID)
    /// Twice another was faster, or the server refused.
    case claimLost(Ticket)
    /// The claim's time was over before it could begin.
    case claimExpired(Ticket)
    /// There is no display to claim on.
    case claimWithoutDisplay(Ticket)
    case disowned(Ticket)
    /// Bytes have come for that conversion.
    case progress(Ticket)
    case converted(Ticket, Result<Converted, Conversion.Failure>)
    case identified(Ticket, process: Int32?)
    /// All that the server had sent was reported before this.
    case caughtUp(Ticket)
    /// How many transfers to and from peers are under way.
    case transfers(Int)
    /// Another bridge took the manager selection: this one is to end.
    case replaced
    /// The thread has ended.
    case stopped
}

enum AttachFailure: Error, Sendable, Equatable {
    case display(DisplayFailure)
    /// Another bridge serves that display; its process, where it says so.
    case served(process: Int32?)
}

/// What a conversion gave.
struct Converted: Sendable {
    /// The property's type, by name: it may differ from the target asked for.
    var type: String
    var format: Int
    var content: Content

    enum Content: Sendable {
        /// A list of targets, as names.
        case targets([String])
        case file(MemoryFile)
    }
}
