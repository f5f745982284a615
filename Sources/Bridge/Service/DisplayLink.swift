import Configuration
import EventLoop
import LinuxSystem
import PasteboardWire
import SelectionProtocol
import SystemPackage
import X11Display

/// The service thread's end of the display thread: sends commands, matches reports to what waits for them, and gives up
/// what is not answered in time, because the X server may keep the display thread waiting without end.
final class DisplayLink {
    enum State: Equatable {
        case none
        case opening(String)
        case attached(String)
        /// The X server went away.
        case lost(String)
    }

    /// How a claim or a release ended.
    enum ClaimOutcome {
        case done
        /// Another was faster, twice.
        case lost
        /// The display did not answer in time.
        case silent
        /// There is no display any more.
        case noDisplay
        /// The selection's name would be one more for the X server than there may be.
        case nameless
    }

    enum FetchFailure: Error, Equatable {
        case conversion(Conversion.Failure)
        /// The X server, not the owner, did not answer in time.
        case displaySilent
    }

    private struct Waiting {
        var deadline: ContinuousClock.Instant
        /// For how long; progress starts it anew.
        var patience: Duration
        /// Whether the display thread goes on with it until it is told not to.
        let isConversion: Bool
        var finish: (Outcome) -> Void
    }

    enum Outcome {
        case done
        case lost
        case silent
        case noDisplay
        case nameless
        case traffic(DisplayTraffic)
        case attached(Result<Void, AttachFailure>)
        case converted(Result<Converted, Conversion.Failure>)
        case identified(Int32?)
        case observed(Bool)
        case recoded(Recoded)
        case sought(Bool)
    }

    /// The display thread tells of a silent owner itself; what comes this much later is the X server's silence.
    private static let grace = Duration.milliseconds(300)

    let commands: MessageQueue<DisplayCommand>
    private let reports: MessageQueue<DisplayReport>
    let activity: DisplayActivity
    private var waiting: [Ticket: Waiting] = [:]
    private var turns = ReadingTurns()
    /// Windows whose process is being asked for, and whether the traffic is.
    var identifying = SharedQuestions<WindowID>()
    var tellingTraffic = SharedQuestions<Bool>()
    /// Conversions whose turn has not come.
    private var held: [Ticket: DisplayCommand] = [:]
    /// Conversions that were given up, and that their owner still sends.
    private var draining: Set<Ticket> = []
    private var tickets = 0
    private(set) var state = State.none { didSet { if state != oldValue { stateChanged() } } }
    /// Where to go back to when a display cannot be opened.
    private var stateBefore = State.none
    /// Those who wait for the display that is being opened.
    private var attaching: [Ticket] = []
    /// Taken from the queue, not handled yet.
    private var inbox: [DisplayReport] = []
    /// How many of them were taken.
    private var taken = 0
    /// Transfers under way with X11 peers.
    private(set) var transfers = 0
    /// What the display thread told last of its work.
    private(set) var traffic = DisplayTraffic()
    /// Whether a client's XAUTHORITY becomes that of this process.
    var takesAuthority = true
    /// Everything that concerns no ticket.
    var onEvent: (DisplayReport) -> Void = { _ in }

    init(
        commands: MessageQueue<DisplayCommand>, reports: MessageQueue<DisplayReport>, activity: DisplayActivity
    ) {
        self.commands = commands
        self.reports = reports
        self.activity = activity
    }

    var fileDescriptor: FileDescriptor { reports.fileDescriptor }

    var isAttached: Bool {
        if case .attached = state { true } else { false }
    }

    /// The display's name, attached or not.
    var display: String? {
        switch state {
        case .none: nil
        case .opening(let name), .attached(let name), .lost(let name): name
        }
    }

    /// Whether a display is being opened.
    var isOpening: Bool {
        if case .opening = state { true } else { false }
    }

    /// Whether the display is another machine's.
    private(set) var isForwarded = false

    private func stateChanged() {
        isForwarded = display.flatMap { DisplayName($0) }?.isForwarded ?? false
    }

    // MARK: Commands

    /// Has that display connected to, for ``attach(_:authority:replacing:)`` to find it so.
    func connect(_ display: String) { commands.send(.connect(display: display)) }

    /// Has that display opened. `authority` is the XAUTHORITY of the client that told of it.
    func attach(_ display: String, authority: String? = nil, replacing: Bool = false) {
        if case .opening = state { return }
        // Xlib reads it from the environment, and does so on the display thread: not while a display is being opened.
        if let authority, takesAuthority { Environment.set("XAUTHORITY", to: authority) }
        stateBefore = state
        state = .opening(display)
        commands.send(.attach(display: display, replacing: replacing))
    }

    /// The XAUTHORITY that displays are opened with.
    var authority: String? { ThisProcess.environment()["XAUTHORITY"] }

    /// Has no display any more, in place of one that went away.
    func forget() {
        if case .lost = state { state = .none }
    }

    /// Calls `finish` when the display that is being opened is there or failed, or with nil when that takes too long:
    /// a server that is held by a stopped client never says.
    func whenAttached(within patience: Duration, _ finish: @escaping (Result<Void, AttachFailure>?) -> Void) {
        let ticket = wait(patience) { outcome in
            if case .attached(let result) = outcome { finish(result) } else { finish(nil) }
        }
        attaching.append(ticket)
    }

    func watch(_ selection: String) {
        commands.send(.watch(selection: selection))
    }

    /// Of what is watched. What the display thread has not come to of it is taken back.
    func unwatch(_ selection: String) {
        let before = commands.withdraw { command in
            switch command {
            case .watch(selection), .unwatch(selection): true
            default: false
            }
        }
        // Where the first of them began to watch it, the display thread does not.
        if case .watch? = before.first { return }
        commands.send(.unwatch(selection: selection))
    }

    /// Asks a selection's owner for a target, of which no more bytes are wanted than `limit`. A capture does so while
    /// nobody else does.
    ///
    /// - Parameter isAlone: Whether its owner fails those that ask while it sends.
    func convert(
        _ selection: String, to target: String, silence: Duration, limit: Int? = nil, isCapture: Bool = false,
        isAlone: Bool = false, _ finish: @escaping (Result<Converted, FetchFailure>) -> Void
    ) -> Ticket {
        let ticket = wait(silence + Self.grace, isConversion: true) { outcome in
            if case .converted(let result) = outcome {
                finish(result.mapError { .conversion($0) })
            } else {
                finish(.failure(.displaySilent))
            }
        }
        let command = DisplayCommand.convert(
            selection: selection, target: target, ticket, silence: silence, limit: limit)
        if turns.begin(
            ticket, of: selection, isCapture: isCapture, isAlone: isAlone, patience: silence, now: .now)
        {
            commands.send(command)
        } else {
            held[ticket] = command
        }
        return ticket
    }

    /// Has the clipboard manager take what is offered on CLIPBOARD, and calls `finish` with whether it did.
    func handOver(_ targets: [String], within patience: Duration, _ finish: @escaping (Bool) -> Void) {
        let ticket = wait(patience + Self.grace, isConversion: true) { outcome in
            if case .converted(.success) = outcome { finish(true) } else { finish(false) }
        }
        commands.send(.handOver(targets: targets, ticket, silence: patience))
    }

    /// Nobody wants that conversion any more; its `finish` is not called.
    func cancel(_ ticket: Ticket) {
        guard waiting.removeValue(forKey: ticket) != nil else { return }
        // Of one that was begun the display thread says when it is over.
        guard held.removeValue(forKey: ticket) != nil || takeBack([ticket]).contains(ticket) else {
            return commands.send(.cancel(ticket))
        }
        endTurn(of: ticket)
    }

    /// Tells how the making of an offer's body ended.
    func provide(_ offer: OfferID, body: Int, _ provision: Provision) {
        commands.send(.provide(offer, body: body, provision))
    }

    /// Tells how the saving of what that number asked for ended.
    func saved(_ number: Int, _ isSaved: Bool) {
        commands.send(.saved(number, isSaved))
    }

    /// Has the display thread keep to these limits from now on.
    func keep(to limits: Configuration.Limits) {
        commands.send(.limit(limits))
    }

    /// What both threads hold for transfers.
    var bytes: TransferBytes { activity.bytes }

    func stop() {
        commands.send(.stop)
    }

    // MARK: Reports

    /// Takes what the display thread has reported, in its order.
    func receive() {
        // One inbox, since handling a report may answer a client whose next call comes back here: that one has to see
        // the older reports first.
        inbox += reports.drain()
        while taken < inbox.count {
            taken += 1
            handle(inbox[taken - 1])
        }
        inbox = []
        taken = 0
    }

    private func handle(_ report: DisplayReport) {
        switch report {
        case .claimed(let ticket, _), .disowned(let ticket), .caughtUp(let ticket): finish(ticket, .done)
        case .claimLost(let ticket): finish(ticket, .lost)
        case .claimExpired(let ticket): finish(ticket, .silent)
        case .claimWithoutDisplay(let ticket): finish(ticket, .noDisplay)
        case .claimNameless(let ticket): finish(ticket, .nameless)
        case .traffic(let ticket, let traffic):
            self.traffic = traffic
            for ticket in tellingTraffic.answered(ticket) { finish(ticket, .traffic(traffic)) }
        case .converted(let ticket, let result): finish(ticket, .converted(result))
        case .identified(let ticket, let process):
            for ticket in identifying.answered(ticket) { finish(ticket, .identified(process)) }
        case .observed(let ticket, let isSelecting): finish(ticket, .observed(isSelecting))
        case .recoded(let ticket, let text): finish(ticket, .recoded(text))
        case .sought(let ticket, let isOwned): finish(ticket, .sought(isOwned))
        case .progress(let ticket):
            turns.progress(ticket, now: .now)
            for ticket in [ticket] + turns.waiting(for: ticket) { restart(ticket) }
        case .draining(let ticket):
            draining.insert(ticket)
            turns.drain(ticket)
        case .drained(let ticket):
            draining.remove(ticket)
            endTurn(of: ticket)
        case .transfers(let count): transfers = count
        case .attached(let display):
            state = .attached(display)
            onEvent(report)
            finishAttaching(.success(()))
        case .attachFailed(let failure):
            state = stateBefore
            onEvent(report)
            finishAttaching(.failure(failure))
        case .detached(let display):
            state = .lost(display)
            turns = ReadingTurns()
            draining = []
            for ticket in waiting.keys { finish(ticket, .noDisplay) }
            onEvent(report)
        case .changed(let selection, _):
            onEvent(report)
            // They may know what the former owner had.
            for ticket in turns.ownerChanged(of: selection) {
                finish(ticket, .converted(.failure(.ownerReplaced)))
            }
        case .found, .wanted, .wantedSaved, .asked, .pasted, .collected, .replaced, .stopped, .flooded: onEvent(report)
        }
    }

    private func finishAttaching(_ result: Result<Void, AttachFailure>) {
        let tickets = attaching
        attaching = []
        for ticket in tickets { finish(ticket, .attached(result)) }
    }

    func isWaiting(_ ticket: Ticket) -> Bool { waiting[ticket] != nil }

    func wait(_ patience: Duration, isConversion: Bool = false, _ finish: @escaping (Outcome) -> Void) -> Ticket {
        tickets += 1
        let ticket = Ticket(number: tickets)
        waiting[ticket] = Waiting(
            deadline: .now + patience, patience: patience, isConversion: isConversion, finish: finish)
        return ticket
    }

    private func finish(_ ticket: Ticket, _ outcome: Outcome) {
        let waiting = waiting.removeValue(forKey: ticket)
        held[ticket] = nil
        if !draining.contains(ticket) { endTurn(of: ticket) }
        waiting?.finish(outcome)
    }

    /// Takes back what the display thread was to do for these and has not come to: what nobody waits for does not fill its
    /// queue, which an X server may keep it from for as long as it likes.
    ///
    /// - Returns: Those that it has not heard of.
    private func takeBack(_ tickets: Set<Ticket>) -> Set<Ticket> {
        let commands = commands.withdraw { command in command.ticketToTakeBack.map(tickets.contains) ?? false }
        return Set(commands.compactMap(\.ticketToTakeBack))
    }

    private func endTurn(of ticket: Ticket) {
        begin(turns.end(ticket, now: .now))
    }

    private func begin(_ tickets: [Ticket]) {
        for next in tickets {
            guard let command = held.removeValue(forKey: next) else { continue }
            restart(next)
            commands.send(command)
        }
    }

    private func restart(_ ticket: Ticket) {
        guard let patience = waiting[ticket]?.patience else { return }
        waiting[ticket]?.deadline = .now + patience
    }

    // MARK: Time

    var deadline: ContinuousClock.Instant? {
        waiting.values.lazy.map(\.deadline).min().orEarlier(turns.deadline)
    }

    func expire(now: ContinuousClock.Instant) {
        begin(turns.expire(now: now))
        let expired = waiting.filter { $0.value.deadline <= now }.keys
        guard !expired.isEmpty else { return }
        let takenBack = takeBack(Set(expired))
        for ticket in takenBack { endTurn(of: ticket) }
        for ticket in expired {
            // What another's end led to may have cancelled it, or have begun it.
            guard let ended = waiting[ticket], ended.deadline <= now else { continue }
            // Who waited for its turn so long waited for the owner.
            guard held[ticket] == nil else {
                finish(ticket, .converted(.failure(.silent)))
                continue
            }
            waiting[ticket] = nil
            // Of a conversion the display thread says when it is over.
            if ended.isConversion, !takenBack.contains(ticket) { commands.send(.cancel(ticket)) }
            ended.finish(.silent)
        }
    }
}

extension DisplayLink.Outcome {
    var claim: DisplayLink.ClaimOutcome {
        switch self {
        case .done: .done
        case .lost: .lost
        case .noDisplay: .noDisplay
        case .nameless: .nameless
        case .silent, .traffic, .attached, .converted, .identified, .observed, .recoded, .sought: .silent
        }
    }
}

extension DisplayCommand {
    /// Of what one waits for alone, and what is of no use once its time is over.
    fileprivate var ticketToTakeBack: Ticket? {
        switch self {
        case .claim(_, let ticket, _), .takeOver(_, let ticket, _, _), .occupy(_, let ticket, _),
            .relieve(_, _, _, let ticket, _), .disown(_, let ticket, _), .convert(_, _, let ticket, _, _),
            .handOver(_, let ticket, _), .catchUp(let ticket), .recode(_, _, let ticket), .seek(_, let ticket),
            .observe(let ticket):
            ticket
        // Several may share the answer.
        case .tellTraffic, .identify: nil
        case .connect, .attach, .watch, .unwatch, .prepareClaim, .retract, .cancel, .provide, .saved, .limit, .stop: nil
        }
    }
}
