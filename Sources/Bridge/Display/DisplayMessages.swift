import Configuration
import LinuxSystem
import SelectionProtocol
import X11Display

/// Names one conversation between the two threads, so that a late answer finds nobody.
struct Ticket: Hashable, Sendable {
    let number: Int
}

/// What the service thread asks of the display thread.
enum DisplayCommand: Sendable {
    /// Connect to that display, which is to be opened soon: the server's answers come while the service thread has other
    /// things to do. Whether it can be is told when it is.
    case connect(display: String)
    /// Open that display. `replacing`: take the manager selection from another bridge.
    case attach(display: String, replacing: Bool)
    /// Report the owner of that selection and its changes.
    case watch(selection: String)
    /// Report no more of it.
    case unwatch(selection: String)
    /// A claim will follow in a moment: ask the server now for what it needs.
    case prepareClaim
    /// Own the selection and offer this version, unless that cannot begin before the time given.
    case claim(Offer, Ticket, until: ContinuousClock.Instant)
    /// Own the selection after an owner that died at that time, and offer this version, unless anybody owned it since.
    case takeOver(Offer, Ticket, death: ServerTime, until: ContinuousClock.Instant)
    /// Own a manager selection with this offer, where nobody does, and announce it (ICCCM 2.8).
    case occupy(Offer, Ticket, until: ContinuousClock.Instant)
    /// Own the selection with this offer in place of that window, which had it at that time and wants it so.
    case relieve(Offer, of: WindowID, asked: ServerTime, Ticket, until: ContinuousClock.Instant)
    /// Have nobody own the selection.
    case disown(selection: String, Ticket, until: ContinuousClock.Instant)
    /// Give up that offer, whose claim came through after it was given up, if it is owned.
    case retract(OfferID)
    /// Ask a selection's owner for a target. `silence` is how long it may take for each step, and more bytes than `limit`
    /// are not kept.
    case convert(selection: String, target: String, Ticket, silence: Duration, limit: Int?)
    /// Have the clipboard manager take what is offered under these targets on CLIPBOARD, as a conversion (SAVE_TARGETS).
    case handOver(targets: [String], Ticket, silence: Duration)
    /// Nobody wants that conversion any more.
    case cancel(Ticket)
    /// Read what the server has sent, and say so.
    case catchUp(Ticket)
    /// How the making of an offer's body ended.
    case provide(OfferID, body: Int, Provision)
    /// How the saving of what that number asked for ended.
    case saved(Int, Bool)
    /// Bring a text to or from compound text, by Xlib's converter.
    case recode(Recoding, [UInt8], Ticket)
    /// Tell whether anybody owns a selection.
    case seek(selection: String, Ticket)
    /// Keep to these limits from now on.
    case limit(Configuration.Limits)
    /// Tell what is under way, and what was refused.
    case tellTraffic(Ticket)
    /// Find the process behind a window.
    case identify(WindowID, Ticket)
    /// Tell whether the user may be selecting, by the pointer or by keys.
    case observe(Ticket)
    /// Give up what is owned, refuse what is asked, and end.
    case stop
}

/// What the display thread reports to the service thread, in the order it happened.
enum DisplayReport: Sendable {
    case attached(display: String)
    case attachFailed(AttachFailure)
    /// The X server is gone, or is left.
    case detached(display: String)
    /// More events have come than can be kept; the display is left for that, as is told next.
    case flooded(display: String)
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
    /// The selection's name would be one more for the server than there may be.
    case claimNameless(Ticket)
    /// There is no display to claim on.
    case claimWithoutDisplay(Ticket)
    case disowned(Ticket)
    /// Bytes have come for that conversion.
    case progress(Ticket)
    case converted(Ticket, Result<Converted, Conversion.Failure>)
    /// That conversion failed, as is told next, and its owner goes on sending it.
    case draining(Ticket)
    /// The owner has sent the rest of it, or is given up.
    case drained(Ticket)
    case identified(Ticket, process: Int32?)
    case observed(Ticket, isSelecting: Bool)
    case recoded(Ticket, Recoded)
    case sought(Ticket, isOwned: Bool)
    /// A body of an offer is asked for that has to be made.
    case wanted(OfferID, body: Int)
    /// A program wants what it offers on CLIPBOARD under these targets saved, or everything (SAVE_TARGETS); `asked` is
    /// a time of the server's since which it owns it.
    case wantedSaved(Int, by: WindowID, targets: [String]?, asked: ServerTime)
    /// Somebody asks for contents that are pasted once. The window may be gone when it is asked for its process.
    case asked(OfferID, by: WindowID, process: Int32?)
    /// Contents that are pasted once have come to that window.
    case pasted(OfferID, by: WindowID)
    /// Nobody can ask for that version any more.
    case collected(OfferID)
    /// All that the server had sent was reported before this.
    case caughtUp(Ticket)
    case traffic(Ticket, DisplayTraffic)
    /// How many transfers to and from peers are under way.
    case transfers(Int)
    /// Another bridge took the manager selection: this one is to end.
    case replaced
    /// The thread has ended.
    case stopped
}

enum Provision: Sendable {
    case made(Offer.Bytes)
    /// It can never be made of this version.
    case impossible
    /// It could not be made this time.
    case failed
}

enum Recoding: Sendable {
    case toCompoundText, fromCompoundText
}

enum Recoded: Sendable {
    case text([UInt8])
    /// The other encoding cannot hold it, or it is damaged.
    case impossible
    /// There is no display that could do it, or it does not answer.
    case unavailable
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
