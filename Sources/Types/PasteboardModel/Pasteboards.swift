/// All pasteboards of a bridge: for each, its change count, the holder of its contents, and its lifetime.
///
/// This is a value without a clock and without a source of random numbers: callers pass times and random bits.
/// A step increments a count, and observers see it. An operation that throws has changed nothing.
///
/// `Holding` is the bridge's form of contents that a client wrote. `Client` identifies a client, which is a connection.
package struct Pasteboards<Holding, Client: Hashable> {
    package struct Entry {
        package let name: PasteboardName
        /// The change count: one step for each change of contents or of owner, like NSPasteboard's `changeCount`. It
        /// never decreases, not even if the pasteboard is removed and made again.
        package internal(set) var count: Int
        package internal(set) var holder: Holder
        /// The time since which the pasteboard has this holder, in milliseconds since the Unix epoch.
        package internal(set) var since: Int
        /// True if the pasteboard outlives its clients and the bridge, as after UIPasteboard's `setPersistent(_:)`.
        package internal(set) var isPersistent: Bool
        /// True if the pasteboard has no selection, so that X11 programs do not see it.
        package let isHidden: Bool
        package internal(set) var lifetime: Lifetime
    }

    /// The owner of a pasteboard's contents: the client or the other program that wrote last.
    package enum Holder {
        case nobody
        case client(Holding)
        /// A program that is not a client of the bridge. Its contents are read on demand.
        case foreign(ForeignOwner)
    }

    package enum Lifetime: Equatable {
        /// The pasteboard exists until the bridge ends.
        case lasting
        /// The pasteboard exists as long as one of the clients is connected. The set is empty for a persistent
        /// pasteboard that all clients have left.
        case clients(Set<Client>)
    }

    /// The removal of a pasteboard, with its last state.
    package struct Removal {
        package let former: Entry

        /// The count after the removal, which is the pasteboard's last step.
        package var count: Int { former.count + 1 }
    }

    package static var defaultLimit: Int { 1_024 }

    /// The limit on the number of pasteboards. Each has an atom of the X server, and atoms are never freed.
    package let limit: Int
    private var table: [PasteboardName: Entry] = [:]
    private var remembered: RememberedCounts

    /// Creates the system pasteboards, all empty.
    ///
    /// - Parameters:
    ///   - time: The present time, in milliseconds since the Unix epoch.
    ///   - floor: The count at which all pasteboards start.
    ///   - limit: The limit on the number of pasteboards.
    ///   - remembered: The limit on the number of removed pasteboards whose own counts are remembered.
    package init(at time: Int, floor: Int = 0, limit: Int = Self.defaultLimit, remembered: Int = Self.defaultLimit) {
        self.limit = limit
        self.remembered = RememberedCounts(limit: remembered, floor: floor)
        for name in [PasteboardName.general, .find, .secondary] {
            table[name] = Entry(
                name: name, count: floor, holder: .nobody, since: time, isPersistent: true, isHidden: false,
                lifetime: .lasting)
        }
    }

    // MARK: Finding

    package subscript(name: PasteboardName) -> Entry? { table[name] }

    package func find(_ name: PasteboardName) throws(PasteboardsError) -> Entry {
        guard let entry = table[name] else { throw .noSuchPasteboard(name) }
        return entry
    }

    /// All pasteboards, in no particular order.
    package var unordered: some Collection<Entry> { table.values }

    /// All pasteboards: those of the system first, each group by name.
    package var entries: [Entry] {
        table.values.sorted { left, right in
            (left.name.isSystem ? 0 : 1, left.name.string) < (right.name.isSystem ? 0 : 1, right.name.string)
        }
    }

    /// Throws if the pasteboard's count is not the count that a write expects.
    package func check(_ name: PasteboardName, ifCount: Int?) throws(PasteboardsError) {
        _ = try find(name)
        try checkBeforeMaking(name, ifCount: ifCount)
    }

    /// Throws if the pasteboard's count is not the count that a write expects. A missing pasteboard has the count at
    /// which it would start.
    package func checkBeforeMaking(_ name: PasteboardName, ifCount: Int?) throws(PasteboardsError) {
        let count = table[name]?.count ?? remembered.next(of: name)
        guard let ifCount, ifCount != count else { return }
        throw .countMismatch(name, count: count)
    }

    /// Throws if there is no room for the pasteboards that do not exist yet.
    package func checkRoom(for names: [PasteboardName]) throws(PasteboardsError) {
        guard Set(names.filter { table[$0] == nil }).count <= limit - table.count else { throw .tooMany(table.count) }
    }

    // MARK: Changing

    /// Records a change of contents or of owner: one step, or several steps, but observers see only the last step.
    ///
    /// - Returns: The count after the change.
    package mutating func change(
        _ name: PasteboardName, to holder: Holder, at time: Int, steps: Int = 1
    ) throws(PasteboardsError) -> Int {
        try setHolder(name, holder, at: time)
        var entry = try find(name)
        entry.count += steps
        put(entry)
        return entry.count
    }

    /// Sets the holder without a step: for the owner that a selection already has when the bridge connects to the
    /// display.
    package mutating func setHolder(_ name: PasteboardName, _ holder: Holder, at time: Int) throws(PasteboardsError) {
        var entry = try find(name)
        entry.holder = holder
        entry.since = time
        put(entry)
    }

    /// Replaces a client's contents with another form of the same contents, without a step. Does nothing if no client
    /// holds the pasteboard.
    package mutating func updateContents(_ name: PasteboardName, _ holding: Holding) throws(PasteboardsError) {
        var entry = try find(name)
        guard case .client = entry.holder else { return }
        entry.holder = .client(holding)
        put(entry)
    }

    // MARK: After a restart

    /// Restores a persistent pasteboard without a step, with its count when the last bridge ended, or, if it is higher,
    /// the count at which a pasteboard of the same name was removed since. Call this before any count of the pasteboard
    /// is reported.
    package mutating func restore(_ name: PasteboardName, count: Int, _ holder: Holder, at time: Int) {
        guard table[name] != nil || table.count < limit else { return }
        table[name] = Entry(
            name: name, count: max(count, remembered.take(name) ?? count), holder: holder, since: time,
            isPersistent: true, isHidden: false, lifetime: name.isSystem ? .lasting : .clients([]))
    }

    /// Restores a count that the last bridge had: that of a system pasteboard, or the count from which an app's
    /// pasteboard continues when it is made again. Call this before any count of the pasteboard is reported.
    package mutating func restore(_ count: Int, of name: PasteboardName, at time: Int) {
        if name.isSystem {
            restore(name, count: count, .nobody, at: time)
        } else {
            remembered.remember(count, of: name)
        }
    }

    /// The counts of all pasteboards, and of removed pasteboards as far as their counts are remembered.
    package var allCounts: [PasteboardName: Int] {
        remembered.counts.merging(table.mapValues(\.count)) { $1 }
    }

    /// Raises all counts, present and future, to at least `floor`, without a step.
    package mutating func raise(to floor: Int) {
        remembered.raise(to: floor)
        table = table.mapValues { entry in
            var entry = entry
            entry.count = max(entry.count, floor)
            return entry
        }
    }

    // MARK: Making and removing

    /// Makes a pasteboard that does not exist. Its count continues from that of a removed pasteboard of the same name.
    mutating func make(
        _ name: PasteboardName, lifetime: Lifetime, isPersistent: Bool, isHidden: Bool = false, at time: Int
    ) throws(PasteboardsError) {
        guard table.count < limit else { throw .tooMany(table.count) }
        table[name] = Entry(
            name: name, count: remembered.start(of: name), holder: .nobody, since: time, isPersistent: isPersistent,
            isHidden: isHidden, lifetime: lifetime)
    }

    /// Returns true if there is no pasteboard of that name, and none is known to have been removed.
    func isUnused(_ name: PasteboardName) -> Bool { table[name] == nil && !remembered.contains(name) }

    mutating func put(_ entry: Entry) { table[entry.name] = entry }

    /// Removes an app's pasteboard with its contents. The removal is its last step.
    package mutating func remove(_ name: PasteboardName) throws(PasteboardsError) -> Removal {
        let former = try find(name)
        guard !name.isSystem else { throw .belongsToSystem(name) }
        table[name] = nil
        let removal = Removal(former: former)
        remembered.remember(removal.count, of: name)
        return removal
    }
}

extension Pasteboards: Sendable where Holding: Sendable, Client: Sendable {}
extension Pasteboards.Entry: Sendable where Holding: Sendable, Client: Sendable {}
extension Pasteboards.Holder: Sendable where Holding: Sendable {}
extension Pasteboards.Lifetime: Sendable where Client: Sendable {}
extension Pasteboards.Removal: Sendable where Holding: Sendable, Client: Sendable {}

extension Pasteboards: Equatable where Holding: Equatable {}
extension Pasteboards.Entry: Equatable where Holding: Equatable {}
extension Pasteboards.Holder: Equatable where Holding: Equatable {}
extension Pasteboards.Removal: Equatable where Holding: Equatable {}

/// The error of an operation on pasteboards, which then changed nothing.
package enum PasteboardsError: Error, Equatable, Sendable {
    case noSuchPasteboard(PasteboardName)
    /// A system pasteboard can neither be removed nor made less persistent.
    case belongsToSystem(PasteboardName)
    /// X11 programs see the pasteboard already.
    case visible(PasteboardName)
    /// A pasteboard that X11 programs do not see cannot be persistent.
    case hidden(PasteboardName)
    /// The number of pasteboards has reached its limit, which is the associated value.
    case tooMany(Int)
    /// The pasteboard has changed since the caller read its count. The value is its present count.
    case countMismatch(PasteboardName, count: Int)

    /// A sentence without a final period.
    package var message: String {
        switch self {
        case .noSuchPasteboard(let name): "there is no pasteboard '\(name)'"
        case .belongsToSystem(let name): "'\(name)' is a system pasteboard, which always exists and persists"
        case .visible(let name): "'\(name)' exists, and X11 programs see it; choose another name"
        case .hidden(let name): "'\(name)' is hidden from X11 programs, and a hidden pasteboard ends with the bridge"
        case .tooMany(let count): "there are \(count) pasteboards, and no room for another"
        case .countMismatch(let name, let count):
            "the count of '\(name)' is \(count) now; nothing was changed"
        }
    }
}
