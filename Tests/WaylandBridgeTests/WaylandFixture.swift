import CompositorFixture
import DataControlProtocol
import EventLoop
import LinuxSystem
import Synchronization
import SystemPackage
import Testing
import WaylandBridge
import WaylandWire

/// Runs `body` on its own thread, which is not part of the test's task.
///
/// - Parameter body: A function whose argument returns true once the test's task is cancelled.
func onThread(_ body: @escaping @Sendable (_ isCancelled: @escaping () -> Bool) throws -> Void) async throws {
    let isCancelled = Atomic(false)
    try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            let thread = Result {
                try WorkerThread.start(name: "session") {
                    done.resume(with: Result { try body { isCancelled.load(ordering: .relaxed) } })
                }
            }
            if case .failure(let error) = thread { done.resume(throwing: error) }
        }
    } onCancel: {
        isCancelled.store(true, ordering: .relaxed)
    }
}

/// An event loop that a test runs until something has happened.
final class LoopFixture {
    let loop = EventLoop()
    let executor = EventLoopExecutor()
    /// The number of times that the loop slept.
    private(set) var rounds = 0
    /// False while timers must not fire, however long a busy machine takes.
    private var hasTimers = true
    /// Returns true once the time limit of the test has passed.
    var isCancelled: () -> Bool = { Task.isCancelled }

    init() {
        loop.deadlinesPassed = { [unowned self] now in
            if hasTimers { for body in executor.timers.takeDue(at: now) { body() } }
        }
    }

    /// Runs the loop until a condition holds, or until the time limit of the suite.
    ///
    /// - Parameter hasTimers: False if the condition must hold before any timeout.
    func run(hasTimers: Bool = true, until isReached: @escaping () -> Bool) throws {
        self.hasTimers = hasTimers
        loop.earliestDeadline = { [unowned self] in
            // The loop checks now and then whether the test was cancelled.
            let look = ContinuousClock.now + .seconds(10)
            return hasTimers ? executor.timers.earliest.orEarlier(look) : look
        }
        loop.beforeSleep = { [unowned self] in
            rounds += 1
            if isReached() || isCancelled() { loop.stop() }
        }
        // This releases the condition, which may refer to the loop's owner.
        defer { loop.beforeSleep = {} }
        try loop.run()
        if isCancelled() { throw CancellationError() }
    }

    /// Runs an operation to completion.
    func perform<Value>(_ operation: nonisolated(nonsending) @escaping () async -> Value) throws -> Value {
        var result: Value?
        executor.start { result = await operation() }
        try run { result != nil }
        return try #require(result)
    }

    /// Reads a pipe to its end while the loop runs.
    func contents(of pipe: Descriptor) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var isEnd = false
        let registration = loop.add(pipe.fileDescriptor, interest: .readable) { _ in
            let more = (try? pipe.fileDescriptor.readBytes(atMost: 1 << 20)) ?? []
            bytes += more
            isEnd = more.isEmpty
        }
        defer { registration.cancel() }
        try run { isEnd }
        return bytes
    }
}

/// A connection, and the events it has reported.
final class Recorder {
    let display: WaylandDisplay
    private(set) var events: [SeatEvent] = []
    /// Called after each event.
    var onEvent: (SeatEvent) -> Void = { _ in }
    /// The contents that sources have in each of their types.
    var contents: [SourceID: ImmutableBytes] = [:]
    private(set) var requests = 0

    init(_ display: WaylandDisplay) {
        self.display = display
        display.onEvent = { [unowned self] event in
            events.append(event)
            onEvent(event)
        }
        display.onRequest = { [unowned self] source, _, descriptor in
            requests += 1
            guard let bytes = contents[source] else { return }
            self.display.outgoing.send(bytes, 0..<bytes.length, to: descriptor)
        }
        display.start()
    }

    var isSettled: Bool {
        events.contains { if case .settled = $0 { true } else { false } }
    }

    var loss: WaylandLoss? {
        events.lazy.compactMap { if case .lost(let loss) = $0 { loss } else { nil } }.first
    }

    /// Returns the owners that a selection has had.
    func owners(of selection: SeatSelection = .clipboard) -> [DataControlClient.Owner] {
        events.compactMap { if case .changed(selection, let owner) = $0 { owner } else { nil } }
    }

    /// Returns the current offer of a selection.
    func offer(of selection: SeatSelection = .clipboard) -> ForeignOfferID? {
        guard case .foreign(let offer, _) = owners(of: selection).last else { return nil }
        return offer
    }

    /// Offers contents, and returns the source.
    func copy(_ bytes: ImmutableBytes, to selection: SeatSelection = .clipboard, marker: String = "marker") throws
        -> SourceID
    {
        let source = try #require(display.set(selection, types: ["text/plain"], marker: marker))
        contents[source] = bytes
        return source
    }
}

/// A compositor, a connection to it, and a second connection that plays another program.
final class WaylandFixture {
    private let fixture = LoopFixture()
    let compositor: FakeCompositor
    let recorder: Recorder
    let program: Recorder
    /// The compositor's side of the connection.
    let client: FakeClient

    init(_ variant: DataControlVariant = .ext, hasPrimary: Bool = true) throws {
        compositor = FakeCompositor([variant], hasPrimary: hasPrimary, loop: fixture.loop)
        recorder = try fixture.connect(to: compositor)
        client = compositor.clients[0]
        program = try fixture.connect(to: compositor)
        try run { [recorder, program] in recorder.isSettled && program.isSettled }
    }

    var display: WaylandDisplay { recorder.display }
    var executor: EventLoopExecutor { fixture.executor }
    var loop: EventLoop { fixture.loop }
    var rounds: Int { fixture.rounds }

    func run(hasTimers: Bool = true, until isReached: @escaping () -> Bool) throws {
        try fixture.run(hasTimers: hasTimers, until: isReached)
    }

    func perform<Value>(_ operation: nonisolated(nonsending) @escaping () async -> Value) throws -> Value {
        try fixture.perform(operation)
    }

    func contents(of pipe: Descriptor) throws -> [UInt8] { try fixture.contents(of: pipe) }

    /// Waits until the compositor has handled everything sent so far.
    func synchronize() throws -> Bool {
        try perform { [display] in await display.synchronize(within: .seconds(60)) }
    }

    /// A read of the clipboard.
    final class Reading {
        fileprivate(set) var result: Result<[UInt8], PipeFailure>?
    }

    /// Begins to read the clipboard, which another program owns.
    func begin(idleTimeout: Duration = .seconds(60), limit: Int? = nil) throws -> Reading {
        let offer = try #require(recorder.offer())
        let reading = Reading()
        executor.start { [display] in
            do throws(PipeFailure) {
                let file = try await display.receive(offer, type: "text/plain", idleTimeout: idleTimeout, limit: limit)
                guard let file else { throw PipeFailure.cancelled }
                reading.result = .success((try? file.bytes(in: 0..<file.length)) ?? [])
            } catch {
                reading.result = .failure(error)
            }
        }
        return reading
    }

    /// Reads the clipboard, which another program owns.
    ///
    /// - Parameter before: A condition that holds before any timeout.
    func receive(
        idleTimeout: Duration = .seconds(60), limit: Int? = nil, before isReached: () -> Bool = { true }
    ) throws -> Result<[UInt8], PipeFailure> {
        let reading = try begin(idleTimeout: idleTimeout, limit: limit)
        try withoutActuallyEscaping(isReached) { isReached in try run(hasTimers: false, until: isReached) }
        try run { reading.result != nil }
        return try #require(reading.result)
    }

    /// Copies as the other program, and waits until the connection has reported the change.
    func copyElsewhere(_ bytes: [UInt8]) throws {
        let count = recorder.owners().count
        _ = try program.copy(.file(try MemoryFile.containing(bytes)))
        try run { [recorder] in recorder.owners().count > count }
    }

    /// Copies as a program that handles requests with a closure.
    func copyElsewhere(_ send: @escaping (_ type: String, Descriptor) -> Void) throws {
        let count = recorder.owners().count
        compositor.copy(["text/plain"], send: send)
        try run { [recorder] in recorder.owners().count > count }
    }
}

extension LoopFixture {
    func connect(to compositor: FakeCompositor, seat: String? = nil) throws -> Recorder {
        Recorder(
            WaylandDisplay(
                socket: try compositor.connect(), seat: seat, outgoing: OutgoingTransfers(loop: loop), loop: loop,
                executor: executor))
    }
}

private let period = (0..<65_537).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 12) }

/// Returns bytes that differ at the same positions of two pages or pieces: their period is a prime number.
func pattern(_ count: Int) -> [UInt8] {
    if count <= period.count { return Array(period.prefix(count)) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + period.count)
    while bytes.count < count { bytes += period }
    return Array(bytes.prefix(count))
}

/// Returns true if no process has the reading end of a pipe.
func isUnread(_ pipe: Descriptor?) -> Bool {
    guard let pipe else { return false }
    do throws(Errno) {
        try SignalMask.suppressingBrokenPipe { () throws(Errno) in try pipe.fileDescriptor.writeBytes([1]) }
        return false
    } catch {
        return error == .brokenPipe
    }
}

extension WaylandDisplay {
    func set(_ selection: SeatSelection, types: [String], marker: String) -> SourceID? {
        set(selection, types: types, marker: marker, isWithheld: false)
    }

    nonisolated(nonsending) func receive(
        _ offer: ForeignOfferID, type: String, idleTimeout: Duration, limit: Int? = nil
    ) async throws(PipeFailure) -> MemoryFile? {
        try await receive(offer, type: type, idleTimeout: idleTimeout, limit: limit, onStream: nil)
    }
}
