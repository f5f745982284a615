import Configuration
package import EventLoop
package import LinuxSystem
import SelectionProtocol
import SystemPackage
import X11Display

/// The X thread: the only one that calls Xlib, and the only one that an X server may keep waiting.
///
/// It takes commands from the service thread and reports back, both by queue, and asks nobody for an answer: requests
/// are served from the offers it was given.
package final class DisplayThread {
    private let loop = EventLoop()
    private let commands: MessageQueue<DisplayCommand>
    private let reports: MessageQueue<DisplayReport>
    private let activity: DisplayActivity
    /// What came of connecting to a display that is to be opened.
    private var connection: (display: String, made: Result<XDisplay, DisplayFailure>)?
    package private(set) var session: DisplaySession?
    private var registration: Registration?
    private var watched: [String] = []
    private var reportedTransfers = 0
    private let counters = DisplayCounters()
    private var pace = ReportPace()
    /// How many changes that nobody waits for have come by now, and how many of them were left to wait.
    private var unhurried = (all: 0, waiting: 0)
    /// Until when the server's events are not looked at.
    private var restEnd: ContinuousClock.Instant?
    private var limits = Configuration.Limits()
    /// Whether everything that the server sent was handled, so that the thread may sleep.
    private var isDrained = true
    /// Set once the bridge leaves: when the transfers under way are broken off.
    private var leaving: ContinuousClock.Instant?

    /// How long transfers may go on after the bridge was told to leave.
    private static let farewell = Duration.seconds(2)
    /// Two long transfers keep each other's events coming: after so many, commands and deadlines have their turn.
    private static let eventsAtOnce = 64
    /// Whatever waits for an answer of the server takes the events before it into the process, where they would be kept
    /// without end, and have all that is asked by others wait behind.
    package static let mostQueued = 100_000
    private let mostQueued: Int

    private init(
        commands: MessageQueue<DisplayCommand>, reports: MessageQueue<DisplayReport>, activity: DisplayActivity,
        mostQueued: Int
    ) {
        self.mostQueued = mostQueued
        self.commands = commands
        self.reports = reports
        self.activity = activity
    }

    /// Starts the thread. It ends with the report ``DisplayReport/stopped``, after the command `stop`.
    ///
    /// - Parameter mostQueued: With more events in the process than these the connection to the server is given up.
    package static func start(
        commands: MessageQueue<DisplayCommand>, reports: MessageQueue<DisplayReport>, activity: DisplayActivity,
        mostQueued: Int = mostQueued
    ) throws -> WorkerThread {
        try WorkerThread.start(name: "xpb-display") {
            DisplayThread(commands: commands, reports: reports, activity: activity, mostQueued: mostQueued).run()
        }
    }

    private func run() {
        _ = loop.add(commands.fileDescriptor, interest: .readable) { [unowned self] _ in
            wakeUp()
            for command in commands.drain() { perform(command) }
        }
        loop.beforeSleep = { [unowned self] in settle() }
        loop.earliestDeadline = { [unowned self] in
            isDrained ? (session?.deadline).orEarlier(restEnd ?? pace.deadline).orEarlier(leaving) : .now
        }
        loop.deadlinesPassed = { [unowned self] now in
            wakeUp()
            session?.expire(now: now)
            if let deadline = pace.deadline, deadline <= now {
                pace.tell(at: now)
                reports.wakeUp()
            }
        }
        do {
            try loop.run()
        } catch {
            // poll(2) fails for want of memory alone: without it nothing can be served.
            if let display = session?.display.name { reports.send(.detached(display: display)) }
        }
        session = nil
        reports.send(.stopped)
    }

    private func wakeUp() {
        activity.wakeUp()
        session?.display.keepHandlers()
    }

    // MARK: Commands

    private func perform(_ command: DisplayCommand) {
        if let session, session.display.isBroken { detach(session) }
        switch command {
        case .connect(let display):
            connection = (display, Result { () throws(DisplayFailure) in try XDisplay(opening: display) })
            if case .success(let display)? = connection?.made { _ = display.intern(OwnAtoms.names) }
        case .attach(let display, let replacing): attach(display, replacing: replacing)
        case .watch(let selection):
            if !watched.contains(selection) { watched.append(selection) }
            session?.tell(selection)
        case .unwatch(let selection):
            watched.removeAll { $0 == selection }
            session?.unwatch(selection)
        case .prepareClaim: session?.prepareClaim()
        case .claim(let offer, let claim, let ticket, let deadline):
            let outcome = session?.claim(offer, claim, until: deadline) ?? .noDisplay
            reports.send(.claimEnded(ticket, outcome))
        case .release(let selection, let ticket, let deadline):
            let outcome = session?.releaseOwnership(of: selection, until: deadline) ?? .noDisplay
            reports.send(.claimEnded(ticket, outcome))
        case .withdraw(let offer): session?.withdraw(offer)
        case .convert(let selection, let target, let ticket, let idleTimeout, let limit):
            guard let session else { return reports.send(.converted(ticket, .failure(.ownerGone))) }
            session.convert(selection, to: target, ticket: ticket, idleTimeout: idleTimeout, limit: limit)
        case .handOver(let targets, let ticket, let idleTimeout):
            guard let session else { return reports.send(.converted(ticket, .failure(.ownerGone))) }
            session.handOver(targets, ticket: ticket, idleTimeout: idleTimeout)
        case .cancel(let ticket): session?.cancel(ticket)
        case .provide(let offer, let body, let provision):
            session?.ownerDriver.provide(offer, body: body, provision, now: .now)
        case .saved(let number, let isSaved): session?.ownerDriver.performed(number, isSaved, now: .now)
        case .query(let query, let ticket): reports.send(query.report(by: self, to: ticket))
        case .limit(let limits):
            self.limits = limits
            session?.keep(to: limits)
            // There may be room for the names of those that had none.
            for selection in watched { session?.watch(selection) }
        case .stop:
            session?.releaseAll()
            session?.ownerDriver.refuseWaiting()
            leaving = .now + Self.farewell
        }
    }

    /// The transfers under way, and what was refused on any display so far.
    package var traffic: DisplayTraffic {
        session?.traffic(now: .now) ?? DisplayTraffic(refusals: counters.refusals, ended: counters.ended)
    }

    private func attach(_ name: String, replacing: Bool) {
        guard session == nil else { return reports.send(.attached(display: name)) }
        do {
            let session = try DisplaySession(
                opening: name, on: try takeConnection(to: name), replacing: replacing, limits: limits, counters: counters,
                bytes: activity.bytes
            ) { [unowned self] report in tell(report) }
            session.display.mostQueued = mostQueued
            let descriptor = FileDescriptor(rawValue: session.display.fileDescriptor)
            // The queue is drained before each sleep; that the descriptor is readable only has to end the sleep.
            registration = loop.add(descriptor, interest: .readable) { [unowned self] _ in wakeUp() }
            activity.connect(descriptor)
            self.session = session
            // Attached is said last: whoever waits for it then knows who owns what.
            for selection in watched { session.watch(selection) }
            reports.send(.attached(display: name))
        } catch {
            reports.send(.attachFailed(error))
        }
    }

    /// What was connected beforehand; nil where nothing was. What failed then is not tried again: a host that does not
    /// answer takes minutes.
    private func takeConnection(to display: String) throws(AttachFailure) -> XDisplay? {
        defer { connection = nil }
        guard let connection, connection.display == display else { return nil }
        do {
            let made = try connection.made.get()
            return made.isBroken ? nil : made
        } catch {
            throw .display(error)
        }
    }

    private func tell(_ report: DisplayReport) {
        let mayBeMerged = report.mayBeMerged && !activity.isAwaited
        let waits = mayBeMerged && pace.waits(at: .now)
        if mayBeMerged { unhurried.all += 1 }
        if waits { unhurried.waiting += 1 }
        reports.send(report, mergingBeyond: mayBeMerged ? 0 : DisplayReport.mostWaiting, waits: waits) {
            report.merge(into: &$0)
        }
    }

    // MARK: Before each sleep

    private func settle() {
        if let session {
            let before = (handled: session.handled, unhurried: unhurried)
            isDrained = session.drain(limit: Self.eventsAtOnce)
            activity.bytes.setPeers(session.heldBytes)
            // Nothing but changes of a burst has come: more of them are looked at with the next that is told. Who calls has
            // them looked at before that, and who asks for contents just then waits for some milliseconds.
            let changes = unhurried.all - before.unhurried.all
            let isBurst = unhurried.waiting > before.unhurried.waiting || (restEnd != nil && changes > 0)
            let isResting =
                isBurst && changes == session.handled - before.handled && session.transferCount == 0
            rest(until: isResting ? pace.next : nil)
            if session.display.isBroken || session.display.isFlooded { detach(session) }
        }
        let transfers = session?.transferCount ?? 0
        if transfers != reportedTransfers {
            reportedTransfers = transfers
            reports.send(.transfers(transfers))
        }
        if isDrained { activity.fallAsleep() }
        if let leaving, session?.ownerDriver.transferCount ?? 0 == 0 || leaving <= .now { loop.stop() }
    }

    private func rest(until end: ContinuousClock.Instant?) {
        restEnd = end
        registration?.interest = end == nil ? .readable : Interest(rawValue: 0)
    }

    private func detach(_ session: DisplaySession) {
        if session.display.isFlooded {
            counters.refused(.flood)
            reports.send(.flooded(display: session.display.name))
        }
        registration?.cancel()
        registration = nil
        restEnd = nil
        activity.connect(nil)
        activity.bytes.setPeers(0)
        isDrained = true
        self.session = nil
        reports.send(.detached(display: session.display.name))
    }
}
