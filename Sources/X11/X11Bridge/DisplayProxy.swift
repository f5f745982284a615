package import Configuration
package import EventLoop
package import LinuxSystem
package import SelectionProtocol
package import SystemPackage

/// The X thread as the service thread sees it. It sends commands, matches reports to the tasks that wait for them, and
/// limits each wait, because an X server may keep the X thread waiting forever.
package final class DisplayProxy {
    package enum State: Equatable {
        case none
        case opening(String)
        case attached(String)
        /// The connection to the X server is closed.
        case lost(String)
    }

    /// A reason why a conversion failed.
    package enum FetchFailure: Error, Equatable {
        case conversion(Conversion.Failure)
        /// The X server, not the owner, did not answer in time.
        case displayTimedOut
    }

    /// The timeout of a wait whose outcome matters even if it is late.
    static let maxWait = Duration.seconds(24 * 60 * 60)
    /// The time that the X thread has to report an owner's timeout. If no report comes in that time, the X server is
    /// not answering.
    private static let grace = Duration.milliseconds(300)

    let commands: MessageQueue<DisplayCommand>
    private let reports: MessageQueue<DisplayReport>
    package let activity: DisplayActivity
    private var waits = DisplayWaits()
    private var queries = RequestCoalescer()
    private var scheduler = OwnerReadScheduler()
    /// The commands of conversions that the scheduler has in its queue.
    private var queued: [Ticket: DisplayCommand] = [:]
    /// The failed conversions that their owners are still sending.
    private var draining: Set<Ticket> = []
    package private(set) var state = State.none { didSet { if state != oldValue { stateChanged() } } }
    /// The state to return to if a display cannot be opened.
    private var stateBefore = State.none
    /// The tickets of the tasks that wait for the display that is being opened.
    private var attaching: [Ticket] = []
    private var inbox = Backlog<DisplayReport>()
    /// The number of transfers under way with X clients.
    package private(set) var transfers = 0
    /// The latest traffic that the X thread has reported.
    private var traffic = DisplayTraffic()
    /// True if the XAUTHORITY of a client becomes the XAUTHORITY of this process.
    package var adoptsAuthority = true
    /// The closure that is called with each report that is an event rather than an answer.
    package var onEvent: (DisplayReport) -> Void = { _ in }

    package init(
        commands: MessageQueue<DisplayCommand>, reports: MessageQueue<DisplayReport>, activity: DisplayActivity
    ) {
        self.commands = commands
        self.reports = reports
        self.activity = activity
    }

    /// A descriptor that is readable when there are reports. Register it with the loop, and call ``receiveSome()``
    /// then.
    package var fileDescriptor: FileDescriptor { reports.fileDescriptor }

    // MARK: The display

    package var isAttached: Bool {
        if case .attached = state { true } else { false }
    }

    /// The display's name, attached or not.
    package var name: String? {
        switch state {
        case .none: nil
        case .opening(let name), .attached(let name), .lost(let name): name
        }
    }

    package var isOpening: Bool {
        if case .opening = state { true } else { false }
    }

    /// True if the display belongs to another machine.
    package private(set) var isForwarded = false
    /// True if the display belongs to another machine or another user, on whose display this bridge is a guest.
    package private(set) var isGuest = false
    /// The function that returns true for the display of another machine or user.
    package var belongsToOthers: (DisplayName) -> Bool = \.isGuest

    private func stateChanged() {
        let display = name.flatMap { DisplayName($0) }
        isForwarded = display?.isForwarded ?? false
        // A server that has ended does not say whose it was.
        switch state {
        case .opening: isGuest = display.map(belongsToOthers) ?? false
        case .none: isGuest = false
        case .attached, .lost: break
        }
    }

    /// Connects to a display ahead of ``attach(_:authority:replacing:)``.
    package func connect(_ display: String) { commands.send(.connect(display: display)) }

    /// Opens a display. `authority` is the XAUTHORITY of the client that named the display.
    package func attach(_ display: String, authority: String? = nil, replacing: Bool = false) {
        if case .opening = state { return }
        // Xlib reads the environment on the X thread, so it must not change while a display is being opened.
        if let authority, adoptsAuthority { Environment.set("XAUTHORITY", to: authority) }
        stateBefore = state
        state = .opening(display)
        commands.send(.attach(display: display, replacing: replacing))
    }

    /// The XAUTHORITY with which displays are opened.
    package var authority: String? { ThisProcess.environment()["XAUTHORITY"] }

    /// Forgets a display whose connection is closed.
    package func forget() {
        if case .lost = state { state = .none }
    }

    /// Waits for the display that is being opened.
    ///
    /// - Returns: nil after the timeout. A server that a stopped client has grabbed never answers.
    package func awaitAttachment(within timeout: Duration) async -> Result<Void, AttachFailure>? {
        let outcome = await outcome(within: timeout) { attaching.append($0) }
        if case .attached(let result) = outcome { return result }
        return nil
    }

    /// Applies these limits from now on.
    package func apply(_ limits: Configuration.Limits) { commands.send(.limit(limits)) }

    /// The memory that transfers use in both threads.
    package var bytes: TransferBytes { activity.bytes }

    /// Makes the X thread release the selections and end.
    package func stop() { commands.send(.stop) }

    // MARK: Conversions

    /// Asks a selection's owner for a target. Canceling the task cancels the conversion.
    ///
    /// - Parameters:
    ///   - idleTimeout: The timeout for each step of the owner.
    ///   - limit: The maximum number of bytes.
    ///   - isCapture: True for a capture, which waits until there are no readers.
    ///   - isExclusive: True if the owner fails other requestors while it sends to one.
    ///   - acceptsPieces: False if an answer in pieces is too long.
    ///   - onStream: Called when the owner begins to send pieces, which then go to a socket, and after each piece; nil
    ///     if all bytes are wanted at once.
    package func convert(
        _ selection: String, to target: String, idleTimeout: Duration, limit: Int? = nil, isCapture: Bool = false,
        isExclusive: Bool = false, acceptsPieces: Bool = true, onStream: ((SpooledSocket) -> Void)? = nil
    ) async throws(FetchFailure) -> Converted {
        let outcome = await outcome(
            within: idleTimeout + Self.grace, isConversion: true, onStream: onStream
        ) { ticket in
            let command = DisplayCommand.convert(
                .init(
                    ticket, of: selection, to: target, idleTimeout: idleTimeout, limit: limit,
                    streams: onStream != nil, isExclusive: isExclusive, acceptsPieces: acceptsPieces))
            let startsNow = scheduler.start(
                ticket, of: selection, isCapture: isCapture, isExclusive: isExclusive, timeout: idleTimeout, now: .now)
            if startsNow { commands.send(command) } else { queued[ticket] = command }
        }
        // Without the X server, there is no owner.
        if case .noDisplay = outcome { throw .conversion(.ownerGone) }
        guard case .converted(let result) = outcome else { throw .displayTimedOut }
        do {
            return try result.get()
        } catch {
            throw .conversion(error)
        }
    }

    /// Asks the clipboard manager to save these targets of the offer on CLIPBOARD. Returns true if it has saved them.
    package func handOver(_ targets: [String], within timeout: Duration) async -> Bool {
        let outcome = await outcome(within: timeout + Self.grace, isConversion: true) {
            commands.send(.handOver(targets: targets, $0, idleTimeout: timeout))
        }
        if case .converted(.success) = outcome { return true }
        return false
    }

    // MARK: Queries

    /// Sends a query to the X thread. Returns nil if there is no answer within the timeout.
    package func ask<Query: DisplayQuery>(_ query: Query, within timeout: Duration) async -> Query.Answer? {
        let outcome = await outcome(within: timeout) { ticket in
            let isUnderWay = query.isCoalesced && !queries.add(ticket, for: query) { waits.contains($0) }
            if !isUnderWay { commands.send(.query(query, ticket)) }
        }
        guard case .answer(let answer) = outcome else { return nil }
        return answer as? Query.Answer
    }

    /// Waits until all changes up to this moment are known, or until the timeout.
    package func catchUpIfNeeded(within timeout: Duration) async {
        // The X thread takes commands only while it is awake. In this order, an empty queue and a sleeping thread mean
        // that all commands were executed.
        if !isForwarded, commands.isEmpty, activity.isSettled {
            // The thread's reports from before it slept are in the queue.
            return receive()
        }
        await catchUp(within: timeout)
    }

    /// Waits until the X thread has executed all earlier commands and read all events that had arrived, or until the
    /// timeout.
    package func catchUp(within timeout: Duration) async {
        _ = await ask(CatchUpQuery(), within: timeout)
    }

    /// Returns the process of a window's client; nil if it is not known within the timeout.
    package func process(of window: WindowID, within timeout: Duration) async -> Int32? {
        await ask(ProcessQuery(window: window), within: timeout) ?? nil
    }

    /// Returns the traffic on the display. If the X thread does not answer within the timeout, returns the latest
    /// answer.
    package func traffic(within timeout: Duration) async -> DisplayTraffic {
        if let traffic = await ask(TrafficQuery(), within: timeout) { self.traffic = traffic }
        return traffic
    }

    // MARK: Reports

    /// Receives the reports of the X thread in order, and resumes the tasks that wait for them.
    package func receive() {
        // A task that is resumed here may call this function again. It then handles the older reports first.
        inbox.append(contentsOf: reports.drain())
        while let report = inbox.next() { handle(report) }
    }

    /// The number of reports after which other descriptors have their turn.
    private static let maxReportsPerRound = 256

    /// Receives reports as ``receive()`` does, but no more than a round of the loop has time for: changes of owner
    /// without pause must not keep clients waiting. ``deadline`` is due as long as more reports are waiting.
    package func receiveSome() {
        // The X thread merges changes only as long as they are in its queue.
        if inbox.isEmpty { inbox.append(contentsOf: reports.drain()) }
        for _ in 0..<Self.maxReportsPerRound {
            guard let report = inbox.next() else { return }
            handle(report)
        }
    }

    private func handle(_ report: DisplayReport) {
        switch report {
        case .claimEnded(let ticket, let outcome): finish(ticket, .claim(outcome))
        case .answered(let sent, let answer):
            for ticket in queries.remove(sentWith: sent) { finish(ticket, .answer(answer)) }
        case .converted(let ticket, let result): finish(ticket, .converted(result))
        case .streaming(let ticket, let stream):
            waits.begin(stream, of: ticket)
            waits.report(ofPart: ticket)?()
        case .progress(let ticket):
            waits.report(ofPart: ticket)?()
            scheduler.progress(ticket, now: .now)
            for ticket in [ticket] + scheduler.waiting(for: ticket) {
                waits.restartTimeout(of: ticket, now: .now)
            }
        case .draining(let ticket):
            draining.insert(ticket)
            scheduler.drain(ticket)
        case .drained(let ticket):
            draining.remove(ticket)
            finishConversion(ticket)
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
            scheduler = OwnerReadScheduler()
            draining = []
            let ended = waits.tickets
            // The end is reported first, so that a reader that tries again finds captured contents.
            onEvent(report)
            for ticket in ended { finish(ticket, .noDisplay) }
        case .changed(let selection, _):
            // The queued readers chose their targets from the former owner's targets. The change is reported before
            // they fail, and a reader that starts then asks the new owner.
            let former = scheduler.ownerChanged(of: selection)
            onEvent(report)
            for ticket in former { finish(ticket, .converted(.failure(.ownerReplaced))) }
        case .found, .focusChanged, .wanted, .saveRequested, .asked, .pasted, .collected, .replaced, .stopped, .flooded:
            onEvent(report)
        }
    }

    private func finishAttaching(_ result: Result<Void, AttachFailure>) {
        let tickets = attaching
        attaching = []
        for ticket in tickets { finish(ticket, .attached(result)) }
    }

    // MARK: Waiting

    /// Sends a command with a new ticket, and waits for its outcome. Canceling the task cancels the command.
    func outcome(
        within timeout: Duration, isConversion: Bool = false, onStream: ((SpooledSocket) -> Void)? = nil,
        _ send: (Ticket) -> Void
    ) async -> DisplayWaits.Outcome {
        let (ticket, outcome) = waits.begin(
            timeout: timeout, isConversion: isConversion, onStream: onStream, now: .now)
        send(ticket)
        return await outcome.get { [weak self] in self?.cancel(ticket) }
    }

    private func cancel(_ ticket: Ticket) {
        guard let wait = waits.end(ticket) else { return }
        defer { wait.outcome.deliver(.converted(.failure(.cancelled))) }
        guard wait.isConversion else {
            _ = withdraw([ticket])
            return
        }
        // The X thread reports the end of a conversion that it has started.
        if queued.removeValue(forKey: ticket) != nil || withdraw([ticket]).contains(ticket) {
            finishConversion(ticket)
        } else {
            commands.send(.cancel(ticket))
        }
    }

    private func finish(_ ticket: Ticket, _ outcome: DisplayWaits.Outcome) {
        let wait = waits.end(ticket)
        queued[ticket] = nil
        if !draining.contains(ticket) { finishConversion(ticket) }
        wait?.outcome.deliver(outcome)
    }

    /// Withdraws the commands of these tickets that the X thread has not taken, so that commands that no task waits for
    /// do not fill its queue while an X server blocks it.
    ///
    /// - Returns: The tickets of the withdrawn commands.
    private func withdraw(_ tickets: Set<Ticket>) -> Set<Ticket> {
        let withdrawn = commands.withdraw { command in command.ownTicket.map(tickets.contains) ?? false }
        return Set(withdrawn.compactMap(\.ownTicket))
    }

    private func finishConversion(_ ticket: Ticket) {
        startConversions(scheduler.finish(ticket, now: .now))
    }

    private func startConversions(_ tickets: [Ticket]) {
        for ticket in tickets {
            guard let command = queued.removeValue(forKey: ticket) else { continue }
            waits.restartTimeout(of: ticket, now: .now)
            commands.send(command)
        }
    }

    /// The time at which ``expire(now:)`` is due.
    package var deadline: ContinuousClock.Instant? {
        inbox.isEmpty ? waits.deadline.orEarlier(scheduler.deadline) : .now
    }

    package func expire(now: ContinuousClock.Instant) {
        if !inbox.isEmpty { receiveSome() }
        startConversions(scheduler.expire(now: now))
        let expired = waits.expired(now: now)
        guard !expired.isEmpty else { return }
        let withdrawn = withdraw(Set(expired))
        for ticket in withdrawn { finishConversion(ticket) }
        for ticket in expired {
            // The end of another conversion may have canceled this conversion, or started it.
            guard waits.isExpired(ticket, now: now) else { continue }
            // A conversion in the scheduler's queue has waited only for the owner.
            guard queued[ticket] == nil else {
                finish(ticket, .converted(.failure(.silent)))
                continue
            }
            guard let ended = waits.end(ticket) else { continue }
            if ended.isConversion, !withdrawn.contains(ticket) { commands.send(.cancel(ticket)) }
            ended.outcome.deliver(.timedOut)
        }
    }
}

extension DisplayCommand {
    /// The ticket of a command for one waiting task; the command is of no use after the task's timeout.
    fileprivate var ownTicket: Ticket? {
        switch self {
        case .convert(let request): request.ticket
        case .claim(_, _, let ticket, _), .release(_, _, let ticket, _), .handOver(_, let ticket, _): ticket
        case .query(let query, let ticket): query.isCoalesced ? nil : ticket
        case .connect, .attach, .watch, .unwatch, .recognizeCompositor, .prepareClaim, .withdraw, .cancel, .provide,
            .saved, .limit, .stop:
            nil
        }
    }
}
