import Bridge
import Configuration
import EventLoop
import FormatConversion
import LinuxSystem
import Logging
import PasteboardWire
import SelectionProtocol
import X11Bridge

/// A service with clients on real sockets, and with a display thread that the test plays.
final class ServiceFixture {
    let service: Service
    /// Offers that were given up.
    private(set) var retracted: [OfferID] = []
    /// Selections that changes are told of.
    private(set) var watched: Set<String> = []
    private let commands: MessageQueue<DisplayCommand>
    private let reports: MessageQueue<DisplayReport>
    let display: DisplayProxy
    let loop = EventLoop()
    let executor = EventLoopExecutor()
    /// Displays that were to be opened, one after the other.
    private(set) var attempts: [String] = []
    /// Selections that have an owner.
    private var owned: Set<String> = []
    /// The processes behind windows.
    var processes: [WindowID: Int32] = [:]
    /// What the clipboard manager was asked to take, by its targets.
    private(set) var handedOver: [[String]] = []
    /// How programs that wanted their contents saved were answered.
    private(set) var saved: [Int: Bool] = [:]
    /// What was owned in place of such programs.
    private(set) var relieved: [Offer] = []
    /// Whether the clipboard manager takes what it is asked to.
    var doesManagerTake = true
    /// Whether it says nothing.
    var isManagerSilent = false
    /// Whether nothing is owned in place of programs until this is over.
    var isStandingStill = false
    private var putOff: [DisplayCommand] = []
    /// The window of a program that takes each selection as soon as it changes.
    var rival: WindowID?
    /// Whether another program is always faster.
    var losesClaims = false
    /// Whether the user holds a button down.
    var isSelecting = false
    /// Programs that own a selection, and answer what the service asks of them.
    var programs: [String: ForeignProgram] = [:]
    /// What was claimed after an owner's death, and the time of it.
    private(set) var takenOver: [(offer: Offer, death: ServerTime)] = []
    /// What programs were asked for, in order.
    private(set) var asked: [String] = []
    /// Conversions that nobody wants any more.
    private(set) var cancelled = 0
    /// What the display thread tells of its work; nil where it says nothing.
    var traffic: DisplayTraffic? = DisplayTraffic()
    /// The limits that it was told last.
    private(set) var limits: Configuration.Limits?
    /// Whether the server may be told no more names.
    var isOutOfNames = false
    /// Conversions that a program has not answered.
    private var unanswered: [(target: String, ticket: Ticket, limit: Int?)] = []

    /// - Parameters:
    ///   - display: One that is attached.
    ///   - environment: Where the settings are.
    init(display: String? = nil, environment: [String: String] = [:]) throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        commands = try MessageQueue()
        reports = try MessageQueue()
        self.display = DisplayProxy(commands: commands, reports: reports, activity: DisplayActivity())
        service = Service(
            display: self.display, conversions: try ConversionPool(environment: [:], logger: logger),
            settings: Settings(environment: environment, logger: logger), executor: executor, logger: logger)
        self.display.onEvent = { [unowned service] in service.handle($0) }
        if let display {
            self.display.attach(display)
            report(.attached(display: display))
            _ = commands.drain()
        }
    }

    func pasteboard(_ name: String) -> PasteboardState? { try? service.registry.existing(name) }

    func client() throws -> ServiceClient { try ServiceClient(of: service, loop: loop) }

    /// What the display thread tells.
    func report(_ reports: DisplayReport...) { report(reports) }

    private func report(_ reports: [DisplayReport]) {
        for report in reports { self.reports.send(report) }
        display.receive()
    }

    /// Lets the time pass in which the display thread was to answer.
    func standStill(_ time: Duration = SelectionOwnership.serverTimeout) { display.expire(now: .now + time) }

    /// Plays a display thread that has read what came, and does not come to the rest yet.
    func catchUp() {
        for command in commands.drain() {
            if case .query(is CatchUpQuery, let ticket) = command {
                report(.answered(ticket, ()))
            } else {
                commands.send(command)
            }
        }
    }

    /// What the display thread was told and has not come to.
    var untaken: [DisplayCommand] {
        let all = commands.drain()
        for command in all { commands.send(command) }
        return all
    }

    /// Plays a display thread on which everything succeeds, until it has nothing to do.
    func succeed() {
        var todo = commands.drain()
        if !isStandingStill {
            todo = putOff + todo
            putOff = []
        }
        while !todo.isEmpty {
            perform(todo)
            todo = commands.drain()
        }
    }

    /// A program owns a selection, or owns it anew.
    ///
    /// - Parameter event: The time of its user's event.
    func copy(_ program: ForeignProgram, to selection: String = "CLIPBOARD", event: ServerTime = .current) {
        programs[selection] = program
        report(.changed(selection: selection, .init(owner: .foreign(program.window), byDeath: false, acquired: event)))
    }

    /// The owner of a selection is gone; the death is told after its grace.
    func die(_ selection: String = "CLIPBOARD", at time: ServerTime = ServerTime(1_000)) {
        programs[selection] = nil
        report(.changed(selection: selection, .init(owner: .none, byDeath: true, time: time)))
    }

    /// Lets the time pass that the service waits for, and plays what comes of it.
    func pass(_ time: Duration = .seconds(1)) {
        for body in executor.timers.takeDue(at: .now + time) { body() }
        succeed()
    }

    /// Captures everything of a foreign owner, and calls `finish` with whether it is held.
    func capture(
        everythingOn pasteboard: PasteboardState, targets: [String]? = nil, _ finish: @escaping (Bool) -> Void
    ) {
        executor.start { [service] in
            finish(
                await service.captures.capture(everythingOn: pasteboard, targets: targets, within: .seconds(3)))
        }
    }

    /// Answers a conversion that a program left open, and plays what comes of it.
    func answer(_ target: String, _ result: Result<Converted, Conversion.Failure>, plays: Bool = true) {
        guard let index = unanswered.firstIndex(where: { $0.target == target }) else { return }
        report(.converted(unanswered.remove(at: index).ticket, result))
        if plays { succeed() }
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

    /// Another program's doing: that selection's owner changes.
    func give(_ selection: String, to owner: OwnershipTracker.Owner) {
        if owner == .none { owned.remove(selection) } else { owned.insert(selection) }
        report(change(of: selection, to: owner))
    }

    private func change(of selection: String, to owner: OwnershipTracker.Owner) -> DisplayReport {
        .changed(selection: selection, .init(owner: owner, byDeath: false))
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
            case .claim(_, .from, _, _) where isStandingStill: putOff.append(command)
            case .claim(let offer, let claim, let ticket, _): self.claim(offer, claim, ticket)
            case .saved(let number, let isSaved): saved[number] = isSaved
            case .handOver(let targets, let ticket, _):
                handedOver.append(targets)
                let answer = Converted(type: "NULL", format: 32, content: .targets([]))
                guard !isManagerSilent else { continue }
                report(.converted(ticket, doesManagerTake ? .success(answer) : .failure(.refused)))
            case .release(let selection, let ticket, _):
                // A selection that nobody has, given up once more, is no change.
                let changes = owned.remove(selection).map { _ in [change(of: selection, to: .none)] + rivals(selection)
                }
                report((changes ?? []) + [.claimEnded(ticket, .done)])
            case .watch(let selection): watched.insert(selection)
            case .unwatch(let selection): watched.remove(selection)
            case .attach(let display, _): attempts.append(display)
            case .withdraw(let offer): retracted.append(offer)
            case .convert(let selection, let target, let ticket, _, let limit):
                ask(selection, target, ticket, limit: limit)
            case .cancel(let ticket):
                cancelled += 1
                guard let index = unanswered.firstIndex(where: { $0.ticket == ticket }) else { continue }
                unanswered.remove(at: index)
                report(.converted(ticket, .failure(.cancelled)))
            default: break
            }
        }
    }

    private func claim(_ offer: Offer, _ claim: SelectionClaim, _ ticket: Ticket) {
        let won = change(of: offer.selection, to: .ours(offer.id))
        switch claim {
        case .always:
            if losesClaims { return report(.claimEnded(ticket, .lost)) }
            if isOutOfNames { return report(.claimEnded(ticket, .nameLimit)) }
            owned.insert(offer.selection)
            report([won] + rivals(offer.selection) + [.claimEnded(ticket, .done)])
        case .ifUnowned:
            let isFree = owned.insert(offer.selection).inserted
            report(isFree ? [won, .claimEnded(ticket, .done)] : [.claimEnded(ticket, .lost)])
        case .from:
            relieved.append(offer)
            let lost = rivals(offer.selection)
            report(lost.isEmpty ? [won, .claimEnded(ticket, .done)] : lost + [.claimEnded(ticket, .lost)])
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

/// A bridge around the service that has no clients of its own.
final class TestHost: ServiceHost {
    var clientCount = 0
    var clientUse: ClientUse { ClientUse(count: clientCount) }
    var onSettingsChange: () -> Void = {}

    func leave() {}
    func willAttach(_ display: String) {}
    func didNotAttach(_ display: String) {}
    func settingsDidChange() { onSettingsChange() }
    func didReceive(from process: Int32) {}
}

/// A client of the service, both ends of its connection.
final class ServiceClient {
    private(set) var session: ClientSession
    private let connection: ServerConnection
    private let service: Service
    private var channel: ClientChannel

    init(of service: Service, loop: EventLoop) throws {
        self.service = service
        let (ours, theirs) = try UnixSocket.pair()
        channel = ClientChannel(socket: ours)
        connection = try ServerConnection(socket: theirs)
        session = ClientSession(
            connection, service: service, loop: loop, logger: service.logger
        ) { [unowned service] in service.clientLeft($0) }
    }

    /// Sends a call, has the service take it, and leaves the replies to ``replies(to:)``.
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

    /// All that has come by now.
    func replies<M: WireMethod>(to method: M.Type) throws -> [M.Reply] {
        var replies: [M.Reply] = []
        repeat {
            while let reply = try channel.nextReply() { replies.append(try reply.decode(method)) }
            // There is room again for what could not be sent.
            turn()
        } while try channel.receive()
        return replies
    }

    /// The next reply of many, which are sent as there is room for them; nil when there are no more.
    func nextReply<M: WireMethod>(to method: M.Type) throws -> M.Reply? {
        while true {
            if let reply = try channel.nextReply() { return try reply.decode(method) }
            turn()
            guard try channel.receive() else { return nil }
        }
    }

    /// The next reply, if it has come.
    func reply<M: WireMethod>(to method: M.Type) throws -> M.Reply? {
        if let reply = try channel.nextReply() { return try reply.decode(method) }
        guard try channel.receive() else { return nil }
        return try channel.nextReply()?.decode(method)
    }

    /// The same with the descriptors that came with it.
    func answer<M: WireMethod>(to method: M.Type) throws -> (reply: M.Reply, descriptors: [Descriptor])? {
        guard try channel.receive(), let reply = try channel.nextReply() else { return nil }
        return (try reply.decode(method), reply.descriptors)
    }

    func close() { session.close() }

    /// Closes the client's end, which the service does not know yet.
    func vanish() throws { channel = ClientChannel(socket: try UnixSocket.pair().0) }
}

extension Methods.Set.Parameters {
    /// One item with a promise of a text, or several pasteboards.
    static func promising(
        _ name: String = "1", on pasteboards: String..., type: String = "public.utf8-plain-text",
        options: WireOptions? = nil
    ) -> Self {
        .init(
            pasteboards: pasteboards,
            items: [WireNewItem(representations: [WireNewRepresentation(type: type, promise: name)])],
            options: options)
    }

    /// One item with a text of one byte, the first of the descriptor that goes with the call.
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
