import Bridge
import BridgeServer
import BridgeState
import Configuration
import EventLoop
import FormatConversion
import Glibc
import LinuxSystem
import Logging
import PasteboardWire
import SelectionProtocol
import SystemPackage
import X11Bridge

/// A service with clients on real sockets, and an X thread that the test plays.
final class ServiceFixture {
    let service: Service
    /// The withdrawn offers.
    private(set) var withdrawn: [OfferID] = []
    /// The watched selections.
    private(set) var watched: Set<String> = []
    /// The offers with which the service has claimed selections, in order.
    private(set) var offers: [Offer] = []
    /// The selections that the service has claimed.
    var claimed: Set<String> { Set(offers.map(\.selection)) }
    private let commands: MessageQueue<DisplayCommand>
    private let reports: MessageQueue<DisplayReport>
    let display: DisplayProxy
    let loop = EventLoop()
    let executor = EventLoopExecutor()
    /// The displays that the service tried to open, in order.
    private(set) var attempts: [String] = []
    /// The selections that have an owner.
    private var owned: Set<String> = []
    /// The selections whose last owner has died or released the selection.
    private var vacant: Set<String> = []
    /// The processes of windows.
    var processes: [WindowID: Int32] = [:]
    /// The targets that were handed over to the clipboard manager.
    private(set) var handedOver: [[String]] = []
    /// The answers to SAVE_TARGETS, by the numbers of the requests.
    private(set) var saved: [Int: Bool] = [:]
    /// The offers that took over from programs at the programs' request.
    private(set) var takenOverFrom: [Offer] = []
    /// True if the clipboard manager accepts what is handed over.
    var managerAccepts = true
    /// True if the clipboard manager does not answer.
    var isManagerSilent = false
    /// True while takeovers from programs are deferred.
    var isBlocked = false
    private var deferred: [DisplayCommand] = []
    /// The window of a program that takes each selection as soon as it changes.
    var rival: WindowID?
    /// The owner that takes the selection before the next claim or release, without the service's knowledge.
    var unseen: OwnershipTracker.Owner?
    /// The number of changes of each selection since its owner was found.
    private var changeCounts: [String: Int] = [:]
    /// True if another program always claims a selection first.
    var losesClaims = false
    /// True while the user holds a button down.
    var isSelecting = false
    /// Programs that own a selection, and answer conversions, by the selection.
    var programs: [String: ForeignProgram] = [:]
    /// The offers that were claimed after an owner's death, with the time of the death.
    private(set) var takenOver: [(offer: Offer, death: ServerTime)] = []
    /// The targets that programs were asked for, in order.
    private(set) var asked: [String] = []
    /// The number of cancelled conversions.
    private(set) var cancelled = 0
    /// The X thread's answer about its transfers; nil for no answer.
    var traffic: DisplayTraffic? = DisplayTraffic()
    /// The limits that the X thread received last.
    private(set) var limits: Configuration.Limits?
    /// True if the limit on the names in the X server has been reached.
    var isOutOfNames = false
    /// The conversions that a program has not answered.
    private var unanswered: [(target: String, ticket: Ticket, limit: Int?)] = []
    /// The tickets of the conversions that may be streamed.
    private(set) var streamable: [Ticket] = []

    /// - Parameters:
    ///   - display: The attached display; nil for none.
    ///   - environment: The environment with the settings.
    init(display: String? = nil, environment: [String: String] = [:]) throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        commands = try MessageQueue()
        reports = try MessageQueue()
        self.display = DisplayProxy(commands: commands, reports: reports, activity: DisplayActivity())
        // This machine may have a display with the same name.
        self.display.belongsToOthers = \.isForwarded
        service = Service(
            display: self.display, conversions: try ConversionPool(environment: [:], logger: logger),
            settings: Settings(environment: environment, logger: logger), executor: executor, logger: logger)
        // All clients belong to one process, which would exceed its share on a busy machine.
        service.quotas.scheduler = FairScheduler(share: .seconds(3_600))
        self.display.onEvent = { [unowned service] in service.handle($0) }
        if let display {
            self.display.attach(display)
            report(.attached(display: display))
            _ = commands.drain()
        }
    }

    func pasteboard(_ name: String) -> PasteboardState? { try? service.registry.existing(name) }

    func client() throws -> ServiceClient { try ServiceClient(of: service, loop: loop) }

    /// Sends reports of the X thread.
    func report(_ reports: DisplayReport...) { report(reports) }

    private func report(_ reports: [DisplayReport]) {
        for report in reports {
            if case .changed(let selection, let change) = report {
                changeCounts[selection, default: 0] += change.steps
                if change.owner == .none { vacant.insert(selection) } else { vacant.remove(selection) }
            } else if case .found(let selection, _) = report {
                changeCounts[selection] = 0
            }
            self.reports.send(report)
        }
        display.receive()
    }

    /// Lets the timeout for an answer of the X thread pass.
    func expire(_ time: Duration = SelectionOwnership.serverTimeout) { expire(at: .now + time) }

    func expire(at moment: ContinuousClock.Instant) { display.expire(now: moment) }

    /// Plays an X thread that has read all events, but has not yet performed the other commands.
    func catchUp() {
        for command in commands.drain() {
            if case .query(is CatchUpQuery, let ticket) = command {
                report(.answered(ticket, ()))
            } else {
                commands.send(command)
            }
        }
    }

    /// The commands that the X thread has not read.
    var unread: [DisplayCommand] {
        let all = commands.drain()
        for command in all { commands.send(command) }
        return all
    }

    /// Plays an X thread on which everything succeeds, until there are no more commands.
    func succeed() {
        var todo = commands.drain()
        if !isBlocked {
            todo = deferred + todo
            deferred = []
        }
        while !todo.isEmpty {
            perform(todo)
            todo = commands.drain()
        }
    }

    /// Plays an X thread that has performed the waiting commands, but no commands that follow.
    func succeedOnce() { perform(commands.drain()) }

    /// Makes a program the owner of a selection, for the first time or again.
    ///
    /// - Parameter event: The time of the user's event.
    func copy(_ program: ForeignProgram, to selection: String = "CLIPBOARD", event: ServerTime = .current) {
        programs[selection] = program
        report(.changed(selection: selection, .init(owner: .foreign(program.window), isDeath: false, acquired: event)))
    }

    /// Ends the owner of a selection, and reports its death.
    func die(_ selection: String = "CLIPBOARD", at time: ServerTime = ServerTime(1_000)) {
        programs[selection] = nil
        report(.changed(selection: selection, .init(owner: .none, isDeath: true, time: time)))
    }

    /// Lets time pass on the service thread, and plays the X thread.
    func pass(_ time: Duration = .seconds(1)) { pass(until: .now + time) }

    /// Lets time pass up to a moment. If the moment is counted from before a timer was set, the timer does not become
    /// due too early on a busy machine.
    func pass(until moment: ContinuousClock.Instant) {
        for body in executor.timers.takeDue(at: moment) { body() }
        succeed()
    }

    /// Captures everything from a foreign owner, and calls `finish` with the result.
    func capture(
        everythingOn pasteboard: PasteboardState, targets: [String]? = nil, _ finish: @escaping (Bool) -> Void
    ) {
        executor.start { [service] in
            finish(
                await service.captures.capture(everythingOn: pasteboard, targets: targets, within: .seconds(3)))
        }
    }

    /// Answers a conversion that a program left open, and plays the X thread.
    func answer(_ target: String, _ result: Result<Converted, Conversion.Failure>, plays: Bool = true) {
        guard let index = unanswered.firstIndex(where: { $0.target == target }) else { return }
        report(.converted(unanswered.remove(at: index).ticket, result))
        if plays { succeed() }
    }

    /// Plays a round of the loop, with the descriptors that are ready.
    func turn() throws {
        loop.earliestDeadline = { .now }
        loop.deadlinesPassed = { [loop] _ in loop.stop() }
        try loop.run()
    }

    private func ask(_ selection: String, _ target: String, _ ticket: Ticket, limit: Int?) {
        asked.append(target)
        guard let program = programs[selection] else {
            return report(.converted(ticket, .failure(owned.contains(selection) ? .ownerReplaced : .refused)))
        }
        if let answer = program.answer(to: target, limit: limit) {
            report(.converted(ticket, answer))
        } else {
            unanswered.append((target, ticket, limit))
        }
    }

    /// Changes the owner of a selection, as another program would.
    func give(_ selection: String, to owner: OwnershipTracker.Owner) {
        if owner == .none { owned.remove(selection) } else { owned.insert(selection) }
        report(change(of: selection, to: owner))
    }

    private func change(of selection: String, to owner: OwnershipTracker.Owner) -> DisplayReport {
        .changed(selection: selection, .init(owner: owner, isDeath: false))
    }

    private func rivals(_ selection: String) -> [DisplayReport] {
        guard let rival else { return [] }
        owned.insert(selection)
        return [change(of: selection, to: .foreign(rival))]
    }

    private func perform(_ todo: [DisplayCommand]) {
        for command in todo {
            switch command {
            case .limit(let limits): self.limits = limits
            case .query(let query, let ticket): answer(query, ticket)
            case .claim(_, .from, _, _) where isBlocked: deferred.append(command)
            case .claim(let offer, let claim, let ticket, _): self.claim(offer, claim, ticket)
            case .saved(let number, let isSaved): saved[number] = isSaved
            case .handOver(let targets, let ticket, _):
                handedOver.append(targets)
                let answer = Converted(type: "NULL", content: .targets([]))
                guard !isManagerSilent else { continue }
                report(.converted(ticket, managerAccepts ? .success(answer) : .failure(.refused)))
            case .release(let selection, let count, let ticket, _):
                if reportUnseen(of: selection), let count, count != changeCounts[selection] {
                    report(.claimEnded(ticket, .lost))
                    continue
                }
                // The release of a selection without an owner is not a change.
                let changes = owned.remove(selection).map { _ in [change(of: selection, to: .none)] + rivals(selection)
                }
                report((changes ?? []) + [.claimEnded(ticket, .done)])
            case .watch(let selection): watched.insert(selection)
            case .unwatch(let selection): watched.remove(selection)
            case .attach(let display, _): attempts.append(display)
            case .withdraw(let offer): withdrawn.append(offer)
            case .convert(let request):
                if request.streams { streamable.append(request.ticket) }
                ask(request.selection, request.target, request.ticket, limit: request.limit)
            case .cancel(let ticket):
                cancelled += 1
                guard let index = unanswered.firstIndex(where: { $0.ticket == ticket }) else { continue }
                unanswered.remove(at: index)
                report(.converted(ticket, .failure(.cancelled)))
            default: break
            }
        }
    }

    /// Reports the unseen owner of a selection. Returns false if there is no such owner.
    private func reportUnseen(of selection: String) -> Bool {
        guard let owner = unseen else { return false }
        unseen = nil
        give(selection, to: owner)
        return true
    }

    private func claim(_ offer: Offer, _ claim: SelectionClaim, _ ticket: Ticket) {
        offers.append(offer)
        let won = change(of: offer.selection, to: .ours(offer.id))
        _ = reportUnseen(of: offer.selection)
        switch claim {
        case .unlessChanged(let count) where count != changeCounts[offer.selection] ?? 0:
            report(.claimEnded(ticket, .lost))
        case .always, .unlessChanged:
            if losesClaims { return report(.claimEnded(ticket, .lost)) }
            if isOutOfNames { return report(.claimEnded(ticket, .nameLimit)) }
            owned.insert(offer.selection)
            report([won] + rivals(offer.selection) + [.claimEnded(ticket, .done)])
        case .ifUnowned:
            let isFree = owned.insert(offer.selection).inserted
            report(isFree ? [won, .claimEnded(ticket, .done)] : [.claimEnded(ticket, .lost)])
        case .from:
            takenOverFrom.append(offer)
            let lost = rivals(offer.selection)
            report(lost.isEmpty ? [won, .claimEnded(ticket, .done)] : lost + [.claimEnded(ticket, .lost)])
        case .afterDeath where !vacant.contains(offer.selection): report(.claimEnded(ticket, .lost))
        case .afterDeath(let death):
            takenOver.append((offer, death))
            owned.insert(offer.selection)
            let lost = rivals(offer.selection)
            report(lost.isEmpty ? [won, .claimEnded(ticket, .done)] : lost + [.claimEnded(ticket, .lost)])
        }
    }

    private func answer(_ query: any DisplayQuery, _ ticket: Ticket) {
        switch query {
        case let query as ProcessQuery:
            let program = programs.values.first { $0.window == query.window }
            report(.answered(ticket, processes[query.window] ?? program?.process))
        case is CatchUpQuery: report(.answered(ticket, ()))
        case is SelectingQuery: report(.answered(ticket, isSelecting))
        case is OwnedQuery: report(.answered(ticket, false))
        case is TrafficQuery: if let traffic { report(.answered(ticket, traffic)) }
        default: break
        }
    }
}

/// A host without its own clients.
final class TestHost: ServiceHost {
    var clientCount = 0
    var clientUse: ClientUse { ClientUse(count: clientCount) }
    var onSettingsChange: () -> Void = {}

    func leave(toSuccessor successor: Bool) {}
    func willAttach(_ display: String) {}
    func attach(_ display: WaylandName, within timeout: Duration) {}
    var waylandDisplay: WireWaylandDisplay? { nil }
    func didNotAttach(_ display: String) {}
    func settingsDidChange() { onSettingsChange() }
}

extension Service {
    func makeSession(_ connection: ServerConnection, loop: EventLoop) -> CallSession {
        let session = CallSession(connection, quotas: quotas, executor: executor, loop: loop, logger: logger)
        session.handler = Client(session, service: self)
        return session
    }
}

/// A client of the service, with both ends of its connection.
final class ServiceClient {
    let session: CallSession
    private let connection: ServerConnection
    private let service: Service
    private var channel: ClientChannel

    init(of service: Service, loop: EventLoop) throws {
        self.service = service
        let (ours, theirs) = try UnixSocket.pair()
        channel = ClientChannel(socket: ours)
        connection = try ServerConnection(socket: theirs)
        session = service.makeSession(connection, loop: loop)
    }

    /// Sends a call, which the service starts. ``replies(to:)`` returns its replies.
    func call<M: WireMethod>(
        _ method: M.Type, _ parameters: M.Parameters, descriptors: [Descriptor] = [], more: Bool = false
    ) throws {
        channel.append(try EncodedCall(method, parameters, descriptors: descriptors, more: more))
        try channel.flush()
        while try hasInput(), connection.wantsInput {
            try connection.receive()
            turn()
            try channel.flush()
        }
    }

    /// Plays a round of the loop.
    private func turn() {
        service.quotas.scheduler.startRound()
        session.pump()
    }

    private func hasInput() throws -> Bool {
        var set = PollSet()
        set.append(connection.fileDescriptor, .input)
        _ = try set.wait(until: .now)
        return set.result(at: 0) != []
    }

    /// Returns the replies that have come.
    func replies<M: WireMethod>(to method: M.Type) throws -> [M.Reply] {
        var replies: [M.Reply] = []
        repeat {
            while let reply = try channel.nextReply() { replies.append(try reply.decode(method)) }
            // There is room again for unsent replies.
            turn()
        } while try channel.receive()
        return replies
    }

    /// Returns the next of many replies, which the service sends as room becomes available; nil if there are no more.
    func nextReply<M: WireMethod>(to method: M.Type) throws -> M.Reply? {
        while true {
            if let reply = try channel.nextReply() { return try reply.decode(method) }
            turn()
            guard try channel.receive() else { return nil }
        }
    }

    /// Returns the next reply, if it has come.
    func reply<M: WireMethod>(to method: M.Type) throws -> M.Reply? {
        if let reply = try channel.nextReply() { return try reply.decode(method) }
        guard try channel.receive() else { return nil }
        return try channel.nextReply()?.decode(method)
    }

    /// Returns the next reply with its descriptors, if it has come.
    func answer<M: WireMethod>(to method: M.Type) throws -> (reply: M.Reply, descriptors: [Descriptor])? {
        guard try channel.receive(), let reply = try channel.nextReply() else { return nil }
        return (try reply.decode(method), reply.descriptors)
    }

    /// Sends bytes, and returns all bytes that the service sends until nothing more moves in either direction.
    func exchange(_ bytes: [UInt8]) throws -> [UInt8] {
        var rest = bytes[...]
        var received: [UInt8] = []
        var isMoving = true
        while isMoving, !session.isClosed {
            isMoving = false
            if !rest.isEmpty {
                let count = try UnixSocket.send(rest, to: channel.fileDescriptor, waits: false)
                rest = rest.dropFirst(count)
                isMoving = count > 0
            }
            if connection.wantsInput, try hasInput() {
                isMoving = true
                session.ready(.readable)
            }
            turn()
            while let some = try UnixSocket.receive(from: channel.fileDescriptor, waits: false), !some.bytes.isEmpty {
                isMoving = true
                received += some.bytes
            }
        }
        return received
    }

    func close() { session.close() }

    /// Stops sending, but still reads.
    func endSending() throws { shutdown(channel.fileDescriptor.rawValue, Int32(SHUT_WR)) }

    /// Closes the client's end; the service has not noticed yet.
    func vanish() throws { channel = ClientChannel(socket: try UnixSocket.pair().0) }
}

extension Methods.Set.Parameters {
    /// Returns the parameters for one item with a promise.
    static func promising(
        _ name: String = "1", on pasteboards: String..., type: String = "public.utf8-plain-text",
        options: WireOptions? = nil
    ) -> Self {
        .init(
            pasteboards: pasteboards,
            items: [WireNewItem(representations: [WireNewRepresentation(type: type, promise: name)])],
            options: options)
    }

    /// Returns the parameters for one item with text of one byte, the first byte of the call's descriptor.
    static func text(on pasteboards: String..., options: WireOptions? = nil) -> Self {
        .init(
            pasteboards: pasteboards,
            items: [
                WireNewItem(representations: [
                    WireNewRepresentation(
                        type: "public.utf8-plain-text", bytes: WireBytes(descriptor: 0, offset: 0, length: 1))
                ])
            ], options: options)
    }
}

extension ServiceClient {
    func set(_ parameters: Methods.Set.Parameters) throws {
        try call(Methods.Set.self, parameters, descriptors: [try MemoryFile.containing([0x61]).descriptor])
    }

    func promise(_ parameters: Methods.Set.Parameters) throws {
        try call(Methods.Set.self, parameters, more: true)
    }
}
