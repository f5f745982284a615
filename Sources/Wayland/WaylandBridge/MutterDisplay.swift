package import DataControlProtocol
package import EventLoop
package import LinuxSystem
import MutterProtocol
package import SessionBus
import SystemPackage

/// A connection to mutter over the session bus, for CLIPBOARD. It serves sessions of GNOME that have neither a protocol
/// for clipboard managers nor Xwayland. `MutterClipboard` decides; this class performs its effects.
package final class MutterDisplay: SeatDisplay {
    /// The name of the interface, for the user and on the bus.
    private static let name = "org.gnome.Mutter.RemoteDesktop"
    private static let sessionInterface = "\(name).Session"
    /// The interface with which GNOME Shell, which contains mutter as a library, reports the screen lock.
    private static let screenSaver = "org.gnome.ScreenSaver"

    package var onEvent: (SeatEvent) -> Void = { _ in }
    package var onRequest: (SourceID, _ type: String, Descriptor) -> Void = { _, _, _ in }
    package let outgoing: OutgoingTransfers
    package var maxIncoming = 1_024
    package var maxLength = 4 << 30
    package var maxBytesHeld = 8 << 30
    package let keepsPart = true

    private let bus: SessionBus
    private let loop: EventLoop
    private let executor: EventLoopExecutor
    private let timers: TimerQueue
    private var machine = MutterClipboard()
    /// The session's object and its owner on the bus; nil while there is no session.
    private var session: (path: String, sender: String)?
    private var effects = Backlog<MutterClipboard.Effect>()
    private var isPerforming = false
    private var syncs = SyncQueue()
    private var retryTimer: TimerQueue.Identifier?
    private var isConnected = true
    /// Held while contents are read, since mutter serves one read at a time.
    private let reading = AsyncMutex()
    private var waiting = 0
    private var incoming: IncomingTransfer?
    private let drains: PipeDrains

    // MARK: Lifetime

    /// - Parameter address: The address of the session bus.
    package init(
        address: String, outgoing: OutgoingTransfers, loop: EventLoop, executor: EventLoopExecutor
    ) throws(BusFailure) {
        self.outgoing = outgoing
        self.loop = loop
        self.executor = executor
        timers = executor.timers
        drains = PipeDrains(loop: loop)
        bus = try SessionBus(address: address, loop: loop, timers: executor.timers)
    }

    deinit { close() }

    package func start() {
        bus.onEnd = { [unowned self] in lose("the session bus has ended the connection: \($0)") }
        bus.match("type='signal',interface='\(Self.sessionInterface)'") { [unowned self] in handle($0) }
        bus.match(
            "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',member='NameOwnerChanged',"
                + "arg0='\(Self.name)'"
        ) { [unowned self] in nameOwnerChanged($0) }
        bus.match("type='signal',interface='\(Self.screenSaver)',member='ActiveChanged'") { [unowned self] in
            if $0.arguments.first?.bool == false { retry() }
        }
        perform(machine.open())
    }

    package func close() {
        disconnect()
        endWaits()
        drains.removeAll()
    }

    private func disconnect() {
        isConnected = false
        bus.close()
        if let retryTimer { timers.cancel(retryTimer) }
        retryTimer = nil
        effects = Backlog()
    }

    private func lose(_ reason: String) {
        guard isConnected else { return }
        disconnect()
        onEvent(.lost(.bus(reason)))
        endWaits()
    }

    private func endWaits() {
        for value in syncs.removeAll() { value.deliver(false) }
        incoming?.fail(.lost)
    }

    private func retry() {
        if let retryTimer { timers.cancel(retryTimer) }
        retryTimer = nil
        perform(machine.open())
    }

    // MARK: Signals

    private func handle(_ signal: BusMessage) {
        guard let session, signal.path == session.path, signal.sender == session.sender else { return }
        let arguments = signal.arguments
        switch signal.member {
        case "SelectionOwnerChanged":
            guard let options = arguments.first?.options else { return }
            let types = options["mime-types"]?.strings
            guard types != nil || options["mime-types"] == nil else { return }
            perform(machine.ownerChanged(to: types, isOwn: options["session-is-owner"]?.bool ?? false))
        case "SelectionTransfer":
            guard arguments.count == 2, let type = arguments[0].string, let serial = arguments[1].uint32 else { return }
            perform(machine.transfer(type, serial: serial))
        case "Closed":
            self.session = nil
            perform(machine.closed())
        default: break
        }
    }

    private func nameOwnerChanged(_ signal: BusMessage) {
        let names = signal.arguments.compactMap(\.string)
        guard names.count == 3, let session, names[1] == session.sender else { return }
        lose("mutter has left the session bus")
    }

    // MARK: Effects

    private func perform(_ new: [MutterClipboard.Effect]) {
        guard isConnected else { return }
        effects.append(contentsOf: new)
        if isPerforming { return }
        isPerforming = true
        while let effect = effects.next() { perform(effect) }
        isPerforming = false
    }

    private func perform(_ effect: MutterClipboard.Effect) {
        switch effect {
        case .call(let call): send(call)
        case .attached: onEvent(.attached(protocol: Self.name))
        case .settled: onEvent(.settled(seat: nil, hasPrimary: false))
        case .unavailable(nil): onEvent(.unavailable(.noDataControl))
        case .unavailable(let reason?): onEvent(.unavailable(.denied(reason)))
        case .changed(let owner): changed(owner)
        case .ended(let source, let end): onEvent(.ended(source, end))
        case .detached:
            onEvent(.detached(.sessionClosed))
            endWaits()
        case .retry(let delay): retryTimer = timers.set(.now + delay) { [weak self] in self?.retry() }
        case .synced(let id):
            let answered = syncs.answered(id)
            askForSync()
            for value in answered { value.deliver(true) }
        case .look(let offer, let type): executor.start { [weak self] in await self?.look(at: offer, type: type) }
        }
    }

    /// Reports the change, and then tells the transfer of the previous owner's contents that the offer has ended.
    private func changed(_ owner: DataControlClient.Owner) {
        onEvent(.changed(.clipboard, owner))
        if let incoming, !machine.isPresent(incoming.offer) { incoming.offerDidEnd() }
    }

    private func look(at offer: ForeignOfferID, type: String) async {
        let file = try? await receive(offer, type: type, idleTimeout: Self.lookTimeout, limit: nil, onStream: nil)
        let isBlank = file?.length == 0
        perform(machine.looked(at: offer, isBlank: isBlank, isLocked: isBlank ? await isScreenLocked() : false))
    }

    /// Asks GNOME Shell whether the screen is locked. mutter without GNOME Shell never locks the screen.
    private func isScreenLocked() async -> Bool {
        guard let session else { return false }
        let isActive = PendingValue<Bool>()
        let call = BusCall("GetActive", of: Self.screenSaver, at: "/org/gnome/ScreenSaver", to: session.sender)
        bus.call(call) { isActive.deliver((try? $0.get())?.arguments.first?.bool ?? false) }
        return await isActive.get(within: Self.lookTimeout, on: timers)
    }

    /// The timeout for text that may belong to a locked screen. GNOME Shell has that text in memory.
    private static let lookTimeout = Duration.seconds(1)

    // MARK: Calls

    private func send(_ call: MutterClipboard.Call) {
        guard let message = message(for: call) else { return }
        let session = session?.path
        bus.call(message) { [weak self] answer in
            // Calls to a closed session are answered with errors.
            guard let self, call == .createSession || self.session?.path == session else { return }
            answered(call, answer)
        }
    }

    private func message(for call: MutterClipboard.Call) -> BusCall? {
        switch call {
        case .createSession:
            return BusCall("CreateSession", of: Self.name, at: "/org/gnome/Mutter/RemoteDesktop", to: Self.name)
        case .enableClipboard: return method("EnableClipboard", .options([:]))
        case .set(_, let types): return method("SetSelection", .options(["mime-types": types]))
        case .unset: return method("SetSelection", .options([:]))
        case .write(_, _, let serial): return method("SelectionWrite", .uint32(serial))
        case .refuse(let serial): return method("SelectionWriteDone", .uint32(serial), .bool(false))
        // mutter handles this call on the same thread as the others, unlike `Ping`.
        case .fence, .sync: return property("SessionId")
        }
    }

    private func method(_ member: String, _ arguments: BusCall.Argument...) -> BusCall? {
        session.map {
            BusCall(member, of: Self.sessionInterface, at: $0.path, to: $0.sender, arguments)
        }
    }

    private func property(_ name: String) -> BusCall? {
        session.map {
            BusCall(
                "Get", of: "org.freedesktop.DBus.Properties", at: $0.path, to: $0.sender,
                [.string(Self.sessionInterface), .string(name)])
        }
    }

    private func answered(_ call: MutterClipboard.Call, _ answer: SessionBus.Answer) {
        switch (call, answer) {
        case (.createSession, .success(let message)):
            guard let path = message.arguments.first?.string else { return lose("mutter names no session") }
            session = (path, message.sender)
        case (.write(let source, let type, let serial), .success(let message)):
            if let descriptor = message.arguments.first?.descriptor { onRequest(source, type, descriptor) }
            // mutter needs only this call, and ends the transfer when the descriptor is closed.
            if let done = method("SelectionWriteDone", .uint32(serial), .bool(true)) { bus.call(done) }
        default: break
        }
        perform(machine.answered(call, MutterClipboard.Answer(answer)))
    }

    // MARK: Selections

    package func canSet(_ selection: SeatSelection) -> Bool {
        isConnected && selection == .clipboard && machine.isAttached
    }

    package func set(
        _ selection: SeatSelection, types: [String], marker: String, isWithheld: Bool
    ) -> SourceID? {
        guard canSet(selection) else { return nil }
        let (source, effects) = machine.set(types: types, marker: marker, isWithheld: isWithheld)
        perform(effects)
        return source
    }

    package func clear(_ selection: SeatSelection) -> SourceID? {
        guard canSet(selection) else { return nil }
        let (number, effects) = machine.clear()
        perform(effects)
        return number
    }

    package func synchronize(within timeout: Duration) async -> Bool {
        guard isConnected, machine.isAttached else { return false }
        let value = PendingValue<Bool>()
        syncs.add(value)
        askForSync()
        return await value.get(within: timeout, on: timers)
    }

    private func askForSync() {
        guard isConnected, machine.isAttached, syncs.isDue else { return }
        let (id, effects) = machine.sync()
        if let id { syncs.sent(id) }
        perform(effects)
    }

    // MARK: Reading

    package var transferCount: Int { (incoming == nil ? 0 : 1) + outgoing.count }
    private var bytesHeld: Int { (incoming?.held ?? 0) + outgoing.bytesHeld }

    package func receive(
        _ offer: ForeignOfferID, type: String, idleTimeout: Duration, limit: Int?,
        onStream: ((SpooledSocket) -> Void)?
    ) async throws(PipeFailure) -> MemoryFile? {
        guard waiting < maxIncoming else { throw .tooManyTransfers }
        waiting += 1
        defer { waiting -= 1 }
        return try await reading.withLock(until: .now + idleTimeout, timers, orThrow: PipeFailure.silent) {
            () async throws(PipeFailure) in
            let pipe = try await pipe(of: offer, type: type, within: idleTimeout)
            let transfer = IncomingTransfer(
                of: offer, from: pipe, limit: min(limit ?? maxLength, maxLength),
                hasRoom: { [unowned self] in bytesHeld <= maxBytesHeld }, idleTimeout: idleTimeout, loop: loop,
                timers: timers, onStream: onStream
            ) { [weak self] in self?.drain($0) }
            incoming = transfer
            defer { incoming = nil }
            let file = try await transfer.contents()
            // A program that dies closes the pipe, as a program with empty contents does. mutter can tell the two
            // apart.
            if file?.length == 0, await !synchronize(within: idleTimeout) || !machine.isPresent(offer) {
                throw .offerEnded
            }
            return file
        }
    }

    /// Reads and discards the rest of abandoned contents, unless the program has written nothing yet.
    private func drain(_ pipe: Descriptor) {
        guard isConnected, let incoming, incoming.received > 0 else { return }
        drains.add(pipe)
    }

    /// Asks mutter for the pipe of contents, repeatedly until mutter has finished the previous read.
    ///
    /// mutter finishes a read a moment after the contents end, or when abandoned contents have been drained, and sends
    /// no signal then. Until then it refuses every call, so the call is repeated.
    private func pipe(
        of offer: ForeignOfferID, type: String, within timeout: Duration
    ) async throws(PipeFailure) -> Descriptor {
        let deadline = ContinuousClock.now + timeout
        var delay = Duration.milliseconds(1)
        while true {
            let answer = try await read(offer, type: type, until: deadline)
            if case .failure(.answer("org.freedesktop.DBus.Error.LimitsExceeded", _)) = answer {
                guard .now + delay < deadline else { throw .silent }
                await executor.sleep(until: .now + delay)
                delay = min(delay * 2, .milliseconds(100))
                continue
            }
            // mutter would have reported another owner before answering.
            guard machine.has(offer, type: type) else { throw .offerEnded }
            guard let pipe = (try? answer.get())?.arguments.first?.descriptor else { throw .refused }
            return pipe
        }
    }

    /// Calls `SelectionRead`. mutter reads only from its current owner.
    private func read(
        _ offer: ForeignOfferID, type: String, until deadline: ContinuousClock.Instant
    ) async throws(PipeFailure) -> SessionBus.Answer {
        guard !Task.isCancelled else { throw .cancelled }
        guard isConnected else { throw .lost }
        guard machine.has(offer, type: type), let call = method("SelectionRead", .string(type)) else {
            throw .offerEnded
        }
        let value = PendingValue<Result<SessionBus.Answer, PipeFailure>>()
        bus.call(call) { value.deliver(.success($0)) }
        let timer = timers.set(deadline) { value.deliver(.failure(.silent)) }
        defer { timers.cancel(timer) }
        return try await value.get { value.deliver(.failure(.cancelled)) }.get()
    }
}

extension MutterClipboard.Answer {
    /// The errors for a program that is not on the bus, and for a method that a program lacks.
    private static let absences: Set = [
        "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
        "org.freedesktop.DBus.Error.UnknownMethod", "org.freedesktop.DBus.Error.UnknownInterface",
        "org.freedesktop.DBus.Error.UnknownObject",
    ]

    fileprivate init(_ answer: SessionBus.Answer) {
        switch answer {
        case .success: self = .done
        case .failure(.answer(let name, _)) where Self.absences.contains(name): self = .noService
        case .failure(let failure): self = .failed(failure.description)
        }
    }
}
