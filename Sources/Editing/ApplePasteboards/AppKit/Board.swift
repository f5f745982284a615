#if !canImport(Darwin)

import Foundation
import Pasteboard
import Synchronization

/// The part of a pasteboard that all its `NSPasteboard` objects share: the contents that this program has written, and
/// the change count.
///
/// NSPasteboard is written by several calls, `clearContents()` first, and the bridge is written in one step, so that no
/// program sees the pasteboard empty or half written. So calls that write are collected, and reach the bridge together:
/// before a call that reads, when ``pause`` has passed since the first of them, and when the program exits.
///
/// NSPasteboard counts changes of ownership, which `clearContents()` and `declareTypes(_:owner:)` are, and the bridge
/// counts steps. The count of this class is that of the bridge without the steps that only added to this program's
/// contents.
final class Board: @unchecked Sendable {
    /// The time that calls are collected. Tests set it.
    static let pause = Mutex(Duration.milliseconds(20))

    /// Contents that this program has written.
    struct Contents {
        /// A number that distinguishes these contents from later contents.
        let number: Int
        var items: [NSPasteboardItem] = []
        var owner: (any NSPasteboardTypeOwner)?
        var options = PasteboardOptions()
        /// The bridge's count at the last write; before the first write, its count when the contents were begun.
        var count: Int
        var isWritten = false
        /// True if the bridge does not have the latest changes.
        var isChanged = true
        /// A task that detects the loss of the contents, for owners and providers; nil before the first write.
        var watch: Task<Void, Never>?
        /// The number of writes whose promises other programs may still ask for.
        var openWrites = 0
    }

    private static let boards = Mutex<[NSPasteboard.Name: Board]>([:])

    let name: NSPasteboard.Name
    private let target: Result<Pasteboard, any Error>
    /// Protects the state. It is recursive, since a blocked call performs the work of the main thread, which may call
    /// this object.
    private let lock = NSRecursiveLock()
    /// The number of times that the thread with the lock has taken it.
    private var depth = 0
    /// Calls of owners and providers that are due, which are made without the lock.
    private var notices: [() -> Void] = []
    private var contents: Contents?
    /// Lost contents by number whose promises other programs may still ask for: a program has added items to them, or
    /// reads them still.
    private var lost: [Int: Contents] = [:]
    /// The number of contents that were begun.
    private var begun = 0
    /// The number of the bridge's steps that are not changes of ownership. It is negative if more changes of ownership
    /// than steps were counted.
    private var extraSteps = 0
    private var isScheduled = false
    /// The number of times that changes were sent. A timer of an earlier time does nothing.
    private var sent = 0
    /// True while changes are on their way to the bridge.
    private var isSending = false

    private init(_ name: NSPasteboard.Name) {
        self.name = name
        target = Result { try Pasteboard(name: BoardNames.name(of: name)) }
    }

    static func shared(named name: NSPasteboard.Name) -> Board {
        boards.withLock { boards in
            if let board = boards[name] { return board }
            let board = Board(name)
            boards[name] = board
            return board
        }
    }

    /// The library's pasteboard. Throws if the name cannot be one.
    var libraryPasteboard: Pasteboard {
        get throws { try target.get() }
    }

    static var all: [Board] { boards.withLock { Array($0.values) } }

    /// Writes the collected changes of a pasteboard of the library.
    static func send(to library: Pasteboard) {
        for board in all where (try? board.target.get()) == library { board.send() }
    }

    /// The object that owners and providers receive.
    var pasteboard: NSPasteboard { NSPasteboard(self) }

    /// Runs `body` with the lock. If it takes the lock for this thread, the calls that become due are made afterwards,
    /// on the main thread.
    private func locked<Value>(_ body: () throws -> Value) rethrows -> Value {
        lock.lock()
        depth += 1
        defer {
            depth -= 1
            let due = depth == 0 ? notices : []
            if depth == 0 { notices = [] }
            lock.unlock()
            for notice in due { MainThread.tell(notice) }
        }
        return try body()
    }

    /// Sends this program's collected changes, and then performs a call of the library.
    ///
    /// - Returns: nil if the call fails.
    func read<Value>(_ body: (Pasteboard) throws -> Value?) -> Value? {
        send()
        return Diagnostics.value { try body(try target.get()) } ?? nil
    }

    /// Removes the pasteboard with its contents.
    func remove() {
        Self.boards.withLock { if $0[name] === self { $0[name] = nil } }
        locked { endContents() }
        do {
            try MainThread.serving { try Pasteboard.remove(named: try target.get().name) }
        } catch let error as PasteboardError where error.code == .noSuchPasteboard {
            return
        } catch {
            Diagnostics.report("\(error)")
        }
    }

    // MARK: The count

    /// The number of changes of ownership; 0 if no bridge can be reached.
    var changeCount: Int {
        locked {
            guard let count = bridgeCount() else { return 0 }
            guard let contents, !contents.isWritten else { return count - extraSteps }
            if contents.count == count || isSending { return contents.count - extraSteps + 1 }
            lose()
            return count - extraSteps
        }
    }

    private func bridgeCount() -> Int? { Diagnostics.value { try target.get().changeCount } }

    // MARK: Writing

    /// Replaces the present contents with new contents, which are empty at first.
    ///
    /// - Returns: The change count; 0 if no bridge can be reached.
    func begin(options: PasteboardOptions, owner: (any NSPasteboardTypeOwner)?) -> Int {
        ExitHandler.install
        return locked {
            send()
            guard let count = bridgeCount() else { return 0 }
            endContents()
            begun += 1
            contents = Contents(number: begun, owner: owner, options: options, count: count)
            schedule()
            return count - extraSteps + 1
        }
    }

    /// Makes this program the owner of a pasteboard that it has just created.
    func adopt() {
        ExitHandler.install
        locked {
            guard let count = bridgeCount() else { return }
            begun += 1
            contents = Contents(number: begun, count: count, isWritten: true, isChanged: false)
        }
    }

    /// Adds items to this program's contents.
    ///
    /// - Returns: False if an item has been written before, or if the contents are not this program's.
    func add(_ items: [NSPasteboardItem]) -> Bool {
        locked {
            guard Set(items.map(ObjectIdentifier.init)).count == items.count, items.allSatisfy(\.isNew) else {
                return false
            }
            guard isOwned else { return false }
            for item in items where item.take(for: self) { contents?.items.append(item) }
            return change()
        }
    }

    /// Changes the first item of this program's contents. If there is no item, the function makes one.
    ///
    /// - Returns: False if the contents are not this program's, or if the body returns false.
    func changeFirst(_ body: (NSPasteboardItem) -> Bool) -> Bool {
        locked {
            guard isOwned else { return false }
            if contents?.items.isEmpty == true, !add([NSPasteboardItem()]) { return false }
            guard let item = contents?.items.first else { return false }
            return body(item)
        }
    }

    /// Adds types, and sets their owner.
    ///
    /// - Returns: The change count; 0 if the contents are not this program's.
    func addTypes(_ body: (NSPasteboardItem) -> Bool, owner: (any NSPasteboardTypeOwner)?) -> Int {
        locked {
            guard changeFirst(body) else { return 0 }
            if let owner { contents?.owner = owner }
            return changeCount
        }
    }

    /// Called when an item of the contents has changed.
    ///
    /// - Returns: False if the contents are no longer this program's.
    func itemChanged(_ item: NSPasteboardItem) -> Bool {
        locked {
            guard contents?.items.contains(where: { $0 === item }) == true, isOwned else { return false }
            return change()
        }
    }

    private func change() -> Bool {
        contents?.isChanged = true
        schedule()
        return true
    }

    /// True if this program has written the present contents, as far as is known. Another program may have copied
    /// since.
    private var isOwned: Bool {
        guard let contents else { return false }
        // The count is checked when changes that are collected already are sent.
        if contents.isChanged || isSending { return true }
        if bridgeCount() == contents.count { return true }
        lose()
        return false
    }

    private func schedule() {
        guard !isScheduled else { return }
        isScheduled = true
        let pause = Self.pause.withLock(\.self)
        Task { [sent] in
            try? await Task.sleep(for: pause)
            locked { if sent == self.sent { send() } }
        }
    }

    /// Sends collected changes to the bridge.
    func send() {
        locked {
            guard let contents, contents.isChanged, !isSending else { return }
            isScheduled = false
            sent += 1
            self.contents?.isChanged = false
            // Owners and observers may be called while this thread waits, and may begin other contents.
            isSending = true
            let written = Result { try write(contents) }
            isSending = false
            finish(written, of: contents)
        }
    }

    private func write(_ contents: Contents) throws -> Int {
        let hasPromise = contents.items.contains(where: \.hasPromise)
        let promises = hasPromise ? PromisesOfWrite(of: contents.number, on: self) : nil
        if hasPromise { self.contents?.openWrites += 1 }
        let items = contents.items.compactMap { libraryItem(of: $0, promises) }
        let pasteboard = try target.get()
        do {
            return try MainThread.serving {
                guard !items.isEmpty else {
                    return try pasteboard.clear(ifChangeCount: contents.count, alwaysCounts: !contents.isWritten)
                }
                return try pasteboard.setItems(items, options: contents.options, ifChangeCount: contents.count)
            }
        } catch let error as PasteboardError where error.code == .notStored {
            Diagnostics.report("\(error)")
            return try pasteboard.changeCount
        }
    }

    private func finish(_ written: Result<Int, any Error>, of contents: Contents) {
        guard let count = try? written.get() else {
            if case .failure(let error) = written, (error as? PasteboardError)?.code != .countMismatch {
                Diagnostics.report("the contents of the pasteboard could not be written: \(error)")
            }
            if self.contents?.number == contents.number { lose() }
            return
        }
        extraSteps += count - contents.count - (contents.isWritten ? 0 : 1)
        guard self.contents?.number == contents.number else { return }
        self.contents?.count = count
        self.contents?.isWritten = true
        let watch = contents.watch ?? watch(since: count)
        self.contents?.watch = watch
    }

    /// Returns the item as the library writes it; nil for an item without types, which cannot be written.
    private func libraryItem(of item: NSPasteboardItem, _ promises: PromisesOfWrite?) -> PasteboardItem? {
        var result = PasteboardItem()
        let types = item.ownTypes
        for (type, data) in types {
            if let data {
                result.setData(data, forType: type.rawValue)
            } else {
                result.setPromise(forType: type.rawValue) { [self] in
                    defer { withExtendedLifetime(promises) {} }
                    guard let data = await item.promisedData(forType: type, on: pasteboard) else {
                        throw PasteboardError(
                            code: .promiseBroken, message: "the program provides no data of type \(type.rawValue)")
                    }
                    return data
                }
            }
        }
        return types.isEmpty ? nil : result
    }

    // MARK: Losing the contents

    /// Watches for copies of other programs if the contents have an owner or a provider. Owners and providers are told
    /// on the main thread.
    private func watch(since count: Int) -> Task<Void, Never>? {
        let hasProvider = contents?.items.contains { $0.hasSource } == true
        guard contents?.owner != nil || hasProvider, let changes = try? target.get().changes(since: count) else {
            return nil
        }
        return Task {
            // Without the bridge the contents are lost as well, which the next call notices.
            _ = try? await self.checkOwner(after: changes)
        }
    }

    private func checkOwner(after changes: Pasteboard.Changes) async throws {
        for try await _ in changes {
            await MainThread.value { [self] in locked { _ = isOwned } }
        }
    }

    /// Gives up the contents, because another program has copied or because a write has failed. Programs that may still
    /// ask for promises are answered until the library has released the promises.
    private func lose() {
        guard let former = contents else { return }
        if !former.isWritten { extraSteps -= 1 }
        guard former.openWrites > 0 else { return endContents() }
        former.watch?.cancel()
        contents = nil
        lost[former.number] = former
    }

    /// Called when the library has released the promises of a write.
    fileprivate func promisesEnded(of number: Int) {
        locked {
            guard contents?.number != number else {
                contents?.openWrites -= 1
                return
            }
            lost[number]?.openWrites -= 1
            if let former = lost[number], former.openWrites == 0 {
                lost[number] = nil
                end(former)
            }
        }
    }

    private func endContents() {
        guard let former = contents else { return }
        contents = nil
        end(former)
    }

    /// Ends contents, and tells their providers and their owner.
    private func end(_ former: Contents) {
        former.watch?.cancel()
        var told: Set<ObjectIdentifier> = []
        for source in former.items.flatMap({ $0.leave() }) where told.insert(ObjectIdentifier(source.object)).inserted {
            notices.append { [self] in source.finish(pasteboard) }
        }
        if let owner = former.owner { notices.append { [self] in owner.pasteboardChangedOwner(pasteboard) } }
    }

    /// Called when a source was asked for data of an item. If all promises of its object are kept, the object is told.
    func noteProvided(by source: DataSource, for item: NSPasteboardItem) {
        locked {
            let present = [contents?.items ?? []] + lost.values.map(\.items)
            guard let items = present.first(where: { $0.contains { $0 === item } }),
                !items.contains(where: { $0.isPromised(by: source.object) })
            else { return }
            for item in items { item.removeSources(asking: source.object) }
            notices.append { [self] in source.finish(pasteboard) }
        }
    }

    // MARK: Reading

    /// This program's items, if the contents are its own, without items that have no types and so are not written.
    var ownItems: [NSPasteboardItem]? {
        locked {
            send()
            return isOwned ? contents?.items.filter { !$0.knownTypes.isEmpty } : nil
        }
    }
}

/// The promises of one write of contents. The library releases this object with them.
private final class PromisesOfWrite: Sendable {
    private let number: Int
    private let board: Board

    init(of number: Int, on board: Board) {
        self.number = number
        self.board = board
    }

    // The library's threads must not wait for the lock of the board.
    deinit { MainThread.perform { [board, number] in board.promisesEnded(of: number) } }
}

#endif
