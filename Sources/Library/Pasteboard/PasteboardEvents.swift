import EventLoop
public import FoundationEssentials
import LinuxSystem
import Synchronization
import SystemPackage

/// The pasteboards for a program with an event loop of its own, such as that of GLib, Qt, SDL or Xlib.
///
/// Nothing here blocks. A call starts work in the background. Its closure runs later within ``dispatch()``, which the
/// thread of the program's windows calls. The loop waits for ``descriptor`` along with its other sources:
///
/// ```swift
/// let events = try PasteboardEvents()
/// events.observe(.general) { change in
///     print(change.count, change.types)
/// }
/// events.read(.general, types: [.html, .text]) { result in
///     if let read = try? result.get() { print(read.type, read.data.count) }
/// }
/// // In the loop: poll(2) the descriptor for input, and then
/// events.dispatch()
/// ```
///
/// An object and its closures belong to the thread that created the object. After the object is released, its
/// observations have ended and no closure runs.
///
/// Source: the descriptors of event sources that foreign loops wait for, such as `XConnectionNumber`,
/// `wl_display_get_fd` and `sd_bus_get_fd`.
public final class PasteboardEvents {
    /// A handle for work that was started. Releasing the handle does not cancel the work.
    public struct Registration: Sendable {
        fileprivate let task: Task<Void, Never>
        fileprivate let number: Int
        fileprivate let inbox: Inbox

        /// Cancels the work. Its closure no longer runs. A write may or may not have been made.
        public func cancel() {
            task.cancel()
            inbox.queue.send(.forget(number))
        }
    }

    /// The limit on the closures that one ``dispatch()`` runs, so that the loop can draw in between.
    public static let maxClosures = 64
    /// The number of changes of an observation that may wait for ``dispatch()``. The bridge keeps further changes.
    static let maxWaitingChanges = 64

    private let inbox: Inbox
    /// Keeps promises while the thread is blocked in a call of this library; nil in an object that a task has created.
    private var service: ThreadService?
    private var handlers: [Int: Handler] = [:]
    private var tasks: [Int: Task<Void, Never>] = [:]
    private var lastNumber = 0
    /// The messages that the last ``dispatch()`` left.
    private var waiting = Backlog<Inbox.Message>()

    /// A report of an observation.
    private enum Observed: Sendable {
        case started(Int)
        case change(Pasteboard.Change)
        case failure(any Error)
    }

    private enum Handler {
        case value((any Sendable) -> Void, isLasting: Bool)
        case provider(() throws -> Data)
    }

    /// Creates an object for the thread of this call.
    ///
    /// - Throws: ``PasteboardError`` with code ``PasteboardError/Code/unavailable`` if the system has no descriptor
    ///   left.
    public init() throws {
        do {
            inbox = Inbox(queue: try MessageQueue(), thread: .current)
        } catch {
            throw PasteboardError(code: .unavailable, message: "no descriptor is left for events: \(error)")
        }
        guard ThreadService.Thread.isLasting else { return }
        service = ThreadService { [weak self] in self?.keepPromises() }
        service?.start()
    }

    deinit {
        service?.stop()
        for task in tasks.values { task.cancel() }
        inbox.close()
        for message in waiting { message.fail() }
    }

    /// A file descriptor that is readable while ``dispatch()`` has closures to run. The descriptor is closed with this
    /// object. Do nothing but wait for it: poll(2) with `POLLIN`, `g_unix_fd_add`, `QSocketNotifier`.
    public var descriptor: Int32 { inbox.queue.fileDescriptor.rawValue }

    /// Runs the closures whose work is done, at most ``maxClosures`` of them, and returns. If there are more closures,
    /// the descriptor stays readable.
    ///
    /// A closure may start and cancel work, and may call this method.
    public func dispatch() {
        for message in inbox.queue.drain() { waiting.append(message) }
        var count = 0
        while count < Self.maxClosures, let message = waiting.next() {
            if perform(message) { count += 1 }
        }
        if !waiting.isEmpty { inbox.queue.send(.wake) }
    }

    /// Runs the providers whose bytes are requested, and leaves everything else to ``dispatch()``.
    private func keepPromises() {
        var messages = Array(waiting)
        messages += inbox.queue.drain()
        waiting = Backlog()
        for message in messages {
            if case .provide = message { _ = perform(message) } else { waiting.append(message) }
        }
        if !waiting.isEmpty { inbox.queue.send(.wake) }
    }

    /// Returns true if a closure has run.
    private func perform(_ message: Inbox.Message) -> Bool {
        switch message {
        case .wake: return false
        case .forget(let number):
            handlers[number] = nil
            tasks[number] = nil
            return false
        case .value(let number, let value, let credits):
            credits?.add()
            // The work may have been cancelled since its value was sent.
            guard tasks[number]?.isCancelled != true, case .value(let handler, let isLasting) = handlers[number] else {
                return false
            }
            if !isLasting {
                handlers[number] = nil
                tasks[number] = nil
            }
            handler(value)
        case .provide(let number, let completion):
            guard case .provider(let body) = handlers.removeValue(forKey: number) else {
                message.fail()
                return false
            }
            completion.complete(Result { try body() })
        }
        return true
    }

    private func newNumber(_ handler: Handler) -> Int {
        lastNumber += 1
        handlers[lastNumber] = handler
        return lastNumber
    }

    // MARK: Work

    /// Runs calls of ``AsyncPasteboard`` in the background, and then a closure with their result.
    ///
    /// ```swift
    /// events.perform({ try await Pasteboard.general.async.undo() }) { result in
    ///     if case .failure(let error) = result { print(error) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - work: The calls, which run on another thread.
    ///   - completion: Called once within ``dispatch()``.
    @discardableResult
    public func perform<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value,
        completion: @escaping (Result<Value, any Error>) -> Void
    ) -> Registration {
        let number = newNumber(
            .value(
                { value in if let result = value as? Result<Value, any Error> { completion(result) } }, isLasting: false
            ))
        return start(number) { inbox in
            let result: Result<Value, any Error>
            do {
                result = .success(try await work())
            } catch {
                result = .failure(error)
            }
            inbox.queue.send(.value(number, result, nil))
        }
    }

    private func start(_ number: Int, _ body: @escaping @Sendable (Inbox) async -> Void) -> Registration {
        let task = Task(executorPreference: WorkExecutor.shared) { [inbox] in await body(inbox) }
        tasks[number] = task
        return Registration(task: task, number: number, inbox: inbox)
    }

    /// Reads the first item's representation of the first of the types that the item has; see
    /// ``Pasteboard/data(forTypes:)``.
    ///
    /// - Parameters:
    ///   - pasteboard: The pasteboard.
    ///   - types: TYPEs in the order of preference.
    ///   - completion: Called with the bytes and the identifier of their type, or nil if the item has none of the
    ///     types.
    @discardableResult
    public func read(
        _ pasteboard: Pasteboard, types: [some PasteboardTypeName],
        completion: @escaping (Result<(data: Data, type: String)?, any Error>) -> Void
    ) -> Registration {
        let types = types.map(\.typeName)
        return perform({ try await pasteboard.async.data(forTypes: types) }, completion: completion)
    }

    /// Replaces the contents; see ``Pasteboard/setItems(_:options:ifChangeCount:formerOwner:)``.
    ///
    /// - Parameters:
    ///   - items: The items to write. The providers of promises run in the background; ``provider(_:)`` makes a
    ///     provider that runs within ``dispatch()``.
    ///   - pasteboard: The pasteboard.
    ///   - options: Options for the contents.
    ///   - count: The expected change count; nil to write in any case.
    ///   - completion: Called with the new change count.
    @discardableResult
    public func write(
        _ items: [PasteboardItem], to pasteboard: Pasteboard, options: PasteboardOptions = PasteboardOptions(),
        ifChangeCount count: Int? = nil, completion: @escaping (Result<Int, any Error>) -> Void = { _ in }
    ) -> Registration {
        perform(
            { try await pasteboard.async.setItems(items, options: options, ifChangeCount: count) },
            completion: completion)
    }

    // MARK: Changes

    /// Observes the changes of a pasteboard, in order and without gaps; see ``Pasteboard/Changes``.
    ///
    /// - Parameters:
    ///   - pasteboard: The pasteboard.
    ///   - since: An earlier change count. If the change count is already higher, the latest change comes first. With
    ///     nil, changes are reported once the bridge has received the call.
    ///   - failure: Called once if the pasteboard cannot be observed, or can no longer be observed.
    ///   - started: Called once with the change count from which on every change is reported. A program that writes
    ///     only then sees its own change.
    ///   - change: Called with each change.
    /// - Returns: The observation, which lasts until it is cancelled or this object is released.
    @discardableResult
    public func observe(
        _ pasteboard: Pasteboard, since: Int? = nil, failure: @escaping (any Error) -> Void = { _ in },
        started: @escaping (Int) -> Void = { _ in }, change: @escaping (Pasteboard.Change) -> Void
    ) -> Registration {
        let number = newNumber(
            .value(
                { value in
                    switch value as? Observed {
                    case .started(let count): started(count)
                    case .change(let next): change(next)
                    case .failure(let error): failure(error)
                    case nil: break
                    }
                }, isLasting: true))
        let inbox = inbox
        let changes = Pasteboard.Changes(pasteboard: pasteboard, since: since) { count in
            inbox.queue.send(.value(number, Observed.started(count), nil))
        }
        return start(number) { inbox in
            let credits = Credits(Self.maxWaitingChanges)
            do {
                for try await change in changes {
                    try await credits.take()
                    inbox.queue.send(.value(number, Observed.change(change), credits))
                }
            } catch is CancellationError {
                return
            } catch {
                inbox.queue.send(.value(number, Observed.failure(error), nil))
                inbox.queue.send(.forget(number))
            }
        }
    }

    // MARK: Promises

    /// Returns a provider for a promise of ``PasteboardItem`` whose body runs within ``dispatch()``, where it may use
    /// objects of the program's thread. While that thread is blocked in a call of ``Pasteboard``, perhaps for these
    /// very bytes, the body runs within the call.
    ///
    /// ```swift
    /// var item = PasteboardItem(Data("drawing".utf8), type: .plainText)
    /// item.setPromise(forType: .png, provider: events.provider { try window.renderSelection() })
    /// ```
    ///
    /// - Parameter body: The closure that returns the bytes. It is called at most once, and should finish within a
    ///   frame.
    public func provider(_ body: @escaping () throws -> Data) -> @Sendable () async throws -> Data {
        let promise = ProvidedPromise(number: newNumber(.provider(body)), inbox: inbox)
        return { try await promise.bytes() }
    }
}

/// The queue of messages from tasks to the thread of a ``PasteboardEvents``.
private final class Inbox: Sendable {
    enum Message: Sendable {
        /// The value for a closure. An observation gets its credit back when the value is taken.
        case value(Int, any Sendable, Credits?)
        case provide(Int, Completion<Data>)
        case forget(Int)
        /// Nothing but a reason to wake up.
        case wake

        /// Fails a promise that will not be kept.
        func fail() {
            guard case .provide(_, let completion) = self else { return }
            completion.complete(
                .failure(PasteboardError(code: .promiseBroken, message: "the window with the contents is closed")))
        }
    }

    let queue: MessageQueue<Message>
    private let thread: ThreadService.Thread
    private let isClosed = Mutex(false)

    init(queue: MessageQueue<Message>, thread: ThreadService.Thread) {
        self.queue = queue
        self.thread = thread
    }

    /// Sends a request for the bytes of a promise. The request fails if its receiver no longer exists.
    func request(_ number: Int, _ completion: Completion<Data>) {
        let message = Message.provide(number, completion)
        let isSent = isClosed.withLock { isClosed in
            if !isClosed { queue.send(message) }
            return !isClosed
        }
        if isSent { ThreadService.wake(thread) } else { message.fail() }
    }

    func close() {
        isClosed.withLock { $0 = true }
        for message in queue.drain() { message.fail() }
    }
}

/// A promise whose bytes the thread of a ``PasteboardEvents`` makes.
private final class ProvidedPromise: Sendable {
    private let number: Int
    private let inbox: Inbox

    init(number: Int, inbox: Inbox) {
        self.number = number
        self.inbox = inbox
    }

    /// Runs when the promise was kept or has become void.
    deinit { inbox.queue.send(.forget(number)) }

    func bytes() async throws -> Data {
        let completion = Completion<Data>()
        inbox.request(number, completion)
        return try await completion.value()
    }
}

/// The number of changes that may be on their way to a slow reader.
private final class Credits: Sendable {
    private struct State {
        var count: Int
        var waiter: Completion<Void>?
    }

    private let state: Mutex<State>

    init(_ count: Int) { state = Mutex(State(count: count)) }

    /// Takes a credit as soon as there is one. Only one task calls this method.
    func take() async throws {
        while true {
            let waiter = state.withLock { state -> Completion<Void>? in
                if state.count > 0 {
                    state.count -= 1
                    return nil
                }
                let waiter = Completion<Void>()
                state.waiter = waiter
                return waiter
            }
            guard let waiter else { return }
            try await waiter.value()
        }
    }

    func add() {
        let waiter = state.withLock { state in
            state.count += 1
            return state.waiter.take()
        }
        waiter?.complete(.success(()))
    }
}
