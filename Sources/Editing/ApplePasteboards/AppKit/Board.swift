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

    private static let boards = Mutex<[NSPasteboard.Name: Board]>([:])

    let name: NSPasteboard.Name
    private let target: Result<Pasteboard, any Error>
    /// Protects the state.
    private let lock = NoticeLock()
    private var contents: BoardContents?
    /// Lost contents by number whose promises other programs may still ask for: a program has added items to them, or
    /// reads them still.
    private var lost: [Int: BoardContents] = [:]
    /// The number of contents that were begun.
    private var begun = 0
    /// The number of the bridge's steps that are not changes of ownership. It is negative if more changes of ownership
    /// than steps were counted.
    private var extraSteps = 0
    private var isScheduled = false
    /// The number of timers that have ended. A timer that has ended does nothing.
    private var endedTimers = 0
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
        lock.withLock { endContents() }
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
        lock.withLock {
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
        // The pasteboard may have been removed.
        Self.boards.withLock { if $0[name] == nil { $0[name] = self } }
        return lock.withLock {
            send()
            guard let count = bridgeCount() else { return 0 }
            endContents()
            begun += 1
            contents = BoardContents(number: begun, owner: owner, options: options, count: count)
            // The timer of contents that were lost before they were sent is not that of these contents.
            endTimer()
            schedule()
            return count - extraSteps + 1
        }
    }

    /// Makes this program the owner of a pasteboard that it has just created.
    func adopt() {
        ExitHandler.install
        lock.withLock {
            guard let count = bridgeCount() else { return }
            begun += 1
            contents = BoardContents(number: begun, count: count, isWritten: true, isChanged: false)
        }
    }

    /// Adds items to this program's contents.
    ///
    /// - Returns: False if an item has been written before, or if the contents are not this program's.
    func add(_ items: [NSPasteboardItem]) -> Bool {
        lock.withLock {
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
        lock.withLock {
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
        lock.withLock {
            guard changeFirst(body) else { return 0 }
            if let owner { contents?.owner = owner }
            return changeCount
        }
    }

    /// Called when an item of the contents has changed.
    ///
    /// - Returns: False if the contents are no longer this program's.
    func itemChanged(_ item: NSPasteboardItem) -> Bool {
        lock.withLock {
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

    private func endTimer() {
        isScheduled = false
        endedTimers += 1
    }

    private func schedule() {
        guard !isScheduled else { return }
        isScheduled = true
        let pause = Self.pause.withLock(\.self)
        Task { [endedTimers] in
            try? await Task.sleep(for: pause)
            lock.withLock {
                guard endedTimers == self.endedTimers else { return }
                endTimer()
                send()
            }
        }
    }

    /// Sends collected changes to the bridge.
    func send() {
        lock.withLock {
            guard let contents, contents.isChanged, !isSending else { return }
            endTimer()
            self.contents?.isChanged = false
            // Owners and observers may be called while this thread waits, and may begin other contents.
            isSending = true
            let written = Result { try write(contents) }
            isSending = false
            finish(written, of: contents)
        }
    }

    private func write(_ contents: BoardContents) throws -> Int {
        let hasPromise = contents.items.contains(where: \.hasPromise)
        let promises = hasPromise ? PromisesOfWrite(of: contents.number, on: self) : nil
        if hasPromise { self.contents?.openWrites += 1 }
        let items = contents.libraryItems(on: pasteboard, write: promises)
        let target = try target.get()
        do {
            return try MainThread.serving {
                guard !items.isEmpty else {
                    return try target.clear(ifChangeCount: contents.count, alwaysCounts: !contents.isWritten)
                }
                return try target.setItems(items, options: contents.options, ifChangeCount: contents.count)
            }
        } catch let error as PasteboardError where error.code == .notStored {
            Diagnostics.report("\(error)")
            return try target.changeCount
        }
    }

    private func finish(_ written: Result<Int, any Error>, of contents: BoardContents) {
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

    // MARK: Losing the contents

    /// Detects copies of other programs, for contents with an owner or a provider.
    private func watch(since count: Int) -> Task<Void, Never>? {
        guard contents?.isWatched == true, let changes = try? target.get().changes(since: count) else {
            return nil
        }
        return Task {
            // Without the bridge the contents are lost as well, which the next call notices.
            _ = try? await self.checkOwner(after: changes)
        }
    }

    private func checkOwner(after changes: Pasteboard.Changes) async throws {
        for try await _ in changes {
            lock.withLock { _ = isOwned }
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
    func promisesEnded(of number: Int) {
        lock.withLock {
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

    private func end(_ former: BoardContents) { lock.notify(former.end(on: pasteboard)) }

    /// Tells the object of a source that all its promises are kept, if they are. Each request of the source ends with
    /// this call.
    func noteProvided(by source: DataSource, for item: NSPasteboardItem) {
        lock.withLock {
            let present = lost.values + [contents].compactMap(\.self)
            guard let owner = present.first(where: { $0.items.contains { $0 === item } }),
                owner.removeSources(asking: source.object)
            else { return }
            lock.notify([{ [self] in source.finish(pasteboard) }])
        }
    }

    // MARK: Reading

    /// This program's items, if the contents are its own, without items that have no types and so are not written.
    var ownItems: [NSPasteboardItem]? {
        lock.withLock {
            send()
            return isOwned ? contents?.writableItems : nil
        }
    }
}

#endif
