import Configuration
package import EventLoop
package import LinuxSystem
import SelectionProtocol
import SystemPackage
import X11Display

/// The X thread: the only thread that calls Xlib, and the only thread that an X server may keep waiting.
///
/// It receives commands from the service thread and sends reports back, both through queues, and never waits for the
/// service: it serves requests from the offers that it has.
package final class DisplayThread {
    private let loop = EventLoop()
    private let commands: MessageQueue<DisplayCommand>
    private let reports: MessageQueue<DisplayReport>
    private let activity: DisplayActivity
    /// The result of connecting in advance to a display that will be opened.
    private var preparedConnection: (display: String, result: Result<XDisplay, DisplayFailure>)?
    private(set) var session: DisplaySession?
    private var registration: Registration?
    private var watched: [String] = []
    private var reportedTransfers = 0
    private let counters = DisplayCounters()
    private var pace = ReportPace()
    /// The number of changes that no call waits for, and the number of these whose reports were delayed.
    private var mergeableChanges = (all: 0, delayed: 0)
    /// The end of a pause in which the server's events are not read.
    private var pauseEnd: ContinuousClock.Instant?
    private var limits = Configuration.Limits()
    /// True if a display without a compositor is refused; nil until the command `recognizeCompositor`.
    private var requiresCompositor: Bool?
    /// True if everything that the server sent is handled, so that the thread may sleep.
    private var isDrained = true
    /// The time at which the remaining transfers are aborted; nil before the command `stop`.
    private var stopDeadline: ContinuousClock.Instant?

    /// The timeout for transfers under way after the command `stop`.
    private static let shutdownGrace = Duration.seconds(2)
    /// The maximum number of events between two rounds of commands and deadlines: two long transfers keep each other's
    /// events coming.
    private static let maxEventsPerRound = 64
    /// The maximum number of events in the process. Each wait for an answer from the server reads the events before the
    /// answer into the process, where they would take memory without limit and delay the requests of other programs.
    static let maxQueued = 100_000
    private let maxQueued: Int

    private init(
        commands: MessageQueue<DisplayCommand>, reports: MessageQueue<DisplayReport>, activity: DisplayActivity,
        maxQueued: Int
    ) {
        self.maxQueued = maxQueued
        self.commands = commands
        self.reports = reports
        self.activity = activity
    }

    /// Starts the thread. It ends with the report ``DisplayReport/stopped``, after the command `stop`.
    ///
    /// - Parameter maxQueued: The number of events in the process beyond which the connection to the server is closed.
    package static func start(
        commands: MessageQueue<DisplayCommand>, reports: MessageQueue<DisplayReport>, activity: DisplayActivity,
        maxQueued: Int = maxQueued
    ) throws -> WorkerThread {
        try WorkerThread.start(name: "xpb-display") {
            DisplayThread(commands: commands, reports: reports, activity: activity, maxQueued: maxQueued).run()
        }
    }

    private func run() {
        _ = loop.add(commands.fileDescriptor, interest: .readable) { [unowned self] _ in
            wakeUp()
            for command in commands.drain() { perform(command) }
        }
        loop.beforeSleep = { [unowned self] in prepareSleep() }
        loop.earliestDeadline = { [unowned self] in
            isDrained ? (session?.deadline).orEarlier(pauseEnd ?? pace.deadline).orEarlier(stopDeadline) : .now
        }
        loop.deadlinesPassed = { [unowned self] now in
            wakeUp()
            session?.expire(now: now)
            if let deadline = pace.deadline, deadline <= now {
                pace.noteReport(at: now)
                reports.wakeUp()
            }
        }
        do {
            try loop.run()
        } catch {
            // poll(2) fails only for lack of memory, without which nothing can be served.
            if let display = session?.display.name { reports.send(.detached(display: display)) }
        }
        session = nil
        reports.send(.stopped)
    }

    private func wakeUp() {
        activity.wakeUp()
        session?.display.takeHandlerPrecedence()
    }

    // MARK: Commands

    private func perform(_ command: DisplayCommand) {
        if let session, session.display.isBroken { detach(session) }
        switch command {
        case .connect(let display):
            preparedConnection = (display, Result { () throws(DisplayFailure) in try XDisplay(opening: display) })
            if case .success(let display)? = preparedConnection?.result { _ = display.intern(OwnAtoms.names) }
        case .attach(let display, let replacing): attach(display, replacing: replacing)
        case .watch(let selection):
            if !watched.contains(selection) { watched.append(selection) }
            session?.reportOwner(of: selection)
        case .unwatch(let selection):
            watched.removeAll { $0 == selection }
            session?.unwatch(selection)
        case .recognizeCompositor(let isRequired):
            requiresCompositor = isRequired
            session?.recognizeCompositor()
        case .prepareClaim: session?.prepareClaim()
        case .claim(let offer, let claim, let ticket, let deadline):
            let outcome = session?.claim(offer, claim, until: deadline) ?? .noDisplay
            reports.send(.claimEnded(ticket, outcome))
        case .release(let selection, let count, let ticket, let deadline):
            let outcome = session?.releaseOwnership(of: selection, unlessChangedSince: count, until: deadline)
            reports.send(.claimEnded(ticket, outcome ?? .noDisplay))
        case .withdraw(let offer): session?.withdraw(offer)
        case .convert(let request):
            guard let session else { return reports.send(.converted(request.ticket, .failure(.ownerGone))) }
            session.convert(request)
        case .handOver(let targets, let ticket, let idleTimeout):
            guard let session else { return reports.send(.converted(ticket, .failure(.ownerGone))) }
            session.handOver(targets, ticket: ticket, idleTimeout: idleTimeout)
        case .cancel(let ticket): session?.cancel(ticket)
        case .provide(let offer, let body, let provision):
            session?.ownerDriver.provide(offer, body: body, provision, now: .now)
        case .saved(let number, let isSaved): session?.ownerDriver.sideEffectEnded(number, isDone: isSaved, now: .now)
        case .query(let query, let ticket): reports.send(query.report(by: self, to: ticket))
        case .limit(let limits):
            self.limits = limits
            session?.apply(limits)
            // A higher limit may allow the names of selections that could not be watched.
            for selection in watched { session?.watch(selection) }
        case .stop:
            session?.releaseSelections()
            session?.ownerDriver.refuseDeferredRequests()
            stopDeadline = .now + Self.shutdownGrace
        }
    }

    /// The transfers under way, and the refusals on all displays so far.
    var traffic: DisplayTraffic {
        session?.traffic(now: .now) ?? DisplayTraffic(refusals: counters.refusals, evicted: counters.evicted)
    }

    private func attach(_ name: String, replacing: Bool) {
        guard session == nil else { return reports.send(.attached(display: name)) }
        do throws(AttachFailure) {
            let session = try DisplaySession(
                opening: name, on: try usePreparedConnection(to: name), replacing: replacing, limits: limits,
                counters: counters, bytes: activity.bytes
            ) { [unowned self] report in send(report) }
            if let requiresCompositor {
                session.recognizeCompositor()
                if requiresCompositor, !session.recognizesCompositor { throw .notXwayland(name) }
            }
            session.display.maxQueuedEvents = maxQueued
            let descriptor = FileDescriptor(rawValue: session.display.fileDescriptor)
            // The handler reads nothing: the event queue is drained before each sleep.
            registration = loop.add(descriptor, interest: .readable) { [unowned self] _ in wakeUp() }
            activity.connect(descriptor)
            self.session = session
            // The attachment is reported last, when the owners of all selections are reported.
            for selection in watched { session.watch(selection) }
            reports.send(.attached(display: name))
        } catch {
            reports.send(.attachFailed(error))
        }
    }

    /// Returns the connection that was opened in advance, once; nil if there is no such connection. After an error,
    /// opening is not tried again, because a host that does not answer takes minutes.
    private func usePreparedConnection(to display: String) throws(AttachFailure) -> XDisplay? {
        defer { preparedConnection = nil }
        guard let preparedConnection, preparedConnection.display == display else { return nil }
        do {
            let connection = try preparedConnection.result.get()
            return connection.isBroken ? nil : connection
        } catch {
            throw .display(error)
        }
    }

    private func send(_ report: DisplayReport) {
        let isMergeable = report.isMergeable && !activity.hasWatchers
        let isDelayed = isMergeable && pace.delaysReport(at: .now)
        if isMergeable { mergeableChanges.all += 1 }
        if isDelayed { mergeableChanges.delayed += 1 }
        reports.send(report, mergingBeyond: isMergeable ? 0 : DisplayReport.maxUnmerged, waits: isDelayed) {
            report.merge(into: &$0)
        }
    }

    // MARK: Before each sleep

    private func prepareSleep() {
        if let session {
            let before = (handled: session.handledEvents, changes: mergeableChanges)
            isDrained = session.drainEvents(limit: Self.maxEventsPerRound)
            activity.bytes.setPeers(session.heldBytes)
            // In a burst of changes and nothing else, further events are read when the next report is due. A client's
            // call makes the thread read them earlier; a requestor that asks for contents in that time waits a few
            // milliseconds.
            let changes = mergeableChanges.all - before.changes.all
            let isBurst = mergeableChanges.delayed > before.changes.delayed || (pauseEnd != nil && changes > 0)
            let pauses = isBurst && changes == session.handledEvents - before.handled && session.transferCount == 0
            pause(until: pauses ? pace.next : nil)
            if session.display.isBroken || session.display.isFlooded { detach(session) }
        }
        let transfers = session?.transferCount ?? 0
        if transfers != reportedTransfers {
            reportedTransfers = transfers
            reports.send(.transfers(transfers))
        }
        if isDrained { activity.fallAsleep() }
        let isSending = session?.ownerDriver.transferCount ?? 0 > 0
        if let stopDeadline, !isSending || stopDeadline <= .now { loop.stop() }
    }

    private func pause(until end: ContinuousClock.Instant?) {
        pauseEnd = end
        registration?.interest = end == nil ? .readable : Interest(rawValue: 0)
    }

    private func detach(_ session: DisplaySession) {
        if session.display.isFlooded {
            counters.refused(.flood)
            reports.send(.flooded(display: session.display.name))
        }
        registration?.cancel()
        registration = nil
        pauseEnd = nil
        activity.connect(nil)
        activity.bytes.setPeers(0)
        isDrained = true
        self.session = nil
        reports.send(.detached(display: session.display.name))
    }
}
