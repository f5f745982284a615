/// All pasteboards of a bridge: what there is, at which count, who holds it, and how long it lives.
///
/// A value without a clock and without chance: times and random bits come from outside. What observers have to be told
/// is what the operations return. One that throws has changed nothing.
///
/// `Holding` is what a client wrote, in whatever form the bridge keeps it. `Client` tells clients apart, as connections.
package struct Pasteboards<Holding, Client: Hashable> {
    /// One pasteboard.
    package struct Entry {
        package let name: PasteboardName
        /// One step for each change of contents or of owner. It never goes back, not even past a removal.
        package internal(set) var count: Int
        package internal(set) var holder: Holder
        /// When the holder came, in milliseconds of the Unix epoch.
        package internal(set) var since: Int
        /// It outlives those it lives for, and the bridge.
        package internal(set) var isPersistent: Bool
        package internal(set) var lifetime: Lifetime
    }

    package enum Holder {
        case nobody
        case client(Holding)
        /// The owner of the selection, by its window. Its contents are asked of it when they are wanted.
        case foreign(UInt32)

        package var kind: HolderKind {
            switch self {
            case .nobody: .nobody
            case .client: .client
            case .foreign: .foreign
            }
        }
    }

    package enum Lifetime: Equatable {
        /// Until the bridge ends.
        case lasting
        /// As long as one of the clients stays. There is none when all left one that is persistent.
        case clients(Set<Client>)
    }

    /// A pasteboard that is gone, with what it held.
    package struct Removal {
        package let step: PasteboardStep
        package let former: Entry
    }

    package static var usualLimit: Int { 1_024 }

    /// How many pasteboards there may be. Each has an atom of the X server, which is never freed.
    package let limit: Int
    private var table: [PasteboardName: Entry] = [:]
    private var remembered: RememberedCounts

    /// The system's pasteboards alone, each empty.
    ///
    /// - Parameters:
    ///   - time: In milliseconds of the Unix epoch.
    ///   - floor: Where all counts start.
    ///   - limit: How many pasteboards there may be.
    ///   - remembered: Of how many removed pasteboards the counts are remembered one by one.
    package init(
        at time: Int, floor: Int = 0, limit: Int = Self.usualLimit, remembered: Int = Self.usualLimit
    ) {
        self.limit = limit
        self.remembered = RememberedCounts(limit: remembered, floor: floor)
        for name in [PasteboardName.general, .find, .secondary] {
            table[name] = Entry(
                name: name, count: floor, holder: .nobody, since: time, isPersistent: true, lifetime: .lasting)
        }
    }

    // MARK: Finding

    package subscript(name: PasteboardName) -> Entry? { table[name] }

    package func find(_ name: PasteboardName) throws(PasteboardsError) -> Entry {
        guard let entry = table[name] else { throw .noSuchPasteboard(name) }
        return entry
    }

    /// The one that an X11 selection of that name carries.
    package func entry(ofSelection selection: String) -> Entry? { table[PasteboardName(selection: selection)] }

    package var count: Int { table.count }

    /// In no order.
    package var unordered: some Collection<Entry> { table.values }

    /// The system's first, each group by name.
    package var entries: [Entry] {
        table.values.sorted { left, right in
            (left.name.isSystem ? 0 : 1, left.name.string) < (right.name.isSystem ? 0 : 1, right.name.string)
        }
    }

    /// Refuses a write to contents that are not those its caller looked at.
    package func check(_ name: PasteboardName, ifCount: Int?) throws(PasteboardsError) {
        _ = try find(name)
        try checkBeforeMaking(name, ifCount: ifCount)
    }

    /// The same of a pasteboard that may still have to be made: its count is the one that it would begin with.
    package func checkBeforeMaking(_ name: PasteboardName, ifCount: Int?) throws(PasteboardsError) {
        let count = table[name]?.count ?? remembered.next(of: name)
        guard let ifCount, ifCount != count else { return }
        throw .countMismatch(name, count: count)
    }

    /// Refuses to make those of the names that are not there, where there is no room for all of them.
    package func checkRoom(for names: [PasteboardName]) throws(PasteboardsError) {
        guard Set(names.filter { table[$0] == nil }).count <= limit - table.count else { throw .tooMany(table.count) }
    }

    // MARK: Changing

    /// Contents or owner changed: a step, or several of which the last alone is known.
    package mutating func change(
        _ name: PasteboardName, to holder: Holder, at time: Int, steps: Int = 1
    ) throws(PasteboardsError) -> PasteboardStep {
        try adopt(name, holder, at: time)
        var entry = try find(name)
        entry.count += steps
        put(entry)
        return PasteboardStep(name: name, count: entry.count, holder: holder.kind)
    }

    /// Who holds the contents, without a step: the owner that was there when the display was attached.
    package mutating func adopt(_ name: PasteboardName, _ holder: Holder, at time: Int) throws(PasteboardsError) {
        var entry = try find(name)
        entry.holder = holder
        entry.since = time
        put(entry)
    }

    /// The same contents seen anew, without a step. What no client wrote stays as it is.
    package mutating func revise(_ name: PasteboardName, _ holding: Holding) throws(PasteboardsError) {
        var entry = try find(name)
        guard case .client = entry.holder else { return }
        entry.holder = .client(holding)
        put(entry)
    }

    /// A pasteboard is as it was when the last bridge ended: persistent, at that count, without a step. To be called before
    /// a count is told.
    package mutating func restore(_ name: PasteboardName, count: Int, _ holder: Holder, at time: Int) {
        guard table[name] != nil || table.count < limit else { return }
        _ = remembered.start(of: name)
        table[name] = Entry(
            name: name, count: count, holder: holder, since: time, isPersistent: true,
            lifetime: name.isSystem ? .lasting : .clients([]))
    }

    /// A count as it was when the last bridge ended: of one of the system's, or where a pasteboard of that name goes on. To
    /// be called before a count is told.
    package mutating func restore(_ count: Int, of name: PasteboardName, at time: Int) {
        if name.isSystem {
            restore(name, count: count, .nobody, at: time)
        } else {
            remembered.remember(count, of: name)
        }
    }

    /// Of all pasteboards that are there, and of those that were removed as far as they are remembered.
    package var allCounts: [PasteboardName: Int] {
        remembered.counts.merging(table.mapValues(\.count)) { $1 }
    }

    /// No count starts below that from now on. To be called before a count is told.
    package mutating func raise(to floor: Int) {
        remembered.raise(to: floor)
        table = table.mapValues { entry in
            var entry = entry
            entry.count = max(entry.count, floor)
            return entry
        }
    }

    // MARK: Making and removing

    /// Makes a pasteboard that is not there. It goes on from its former count.
    mutating func make(
        _ name: PasteboardName, lifetime: Lifetime, isPersistent: Bool, at time: Int
    ) throws(PasteboardsError) {
        guard table.count < limit else { throw .tooMany(table.count) }
        table[name] = Entry(
            name: name, count: remembered.start(of: name), holder: .nobody, since: time, isPersistent: isPersistent,
            lifetime: lifetime)
    }

    /// Whether nobody has, or is known to have had, a pasteboard of that name.
    func isUnheardOf(_ name: PasteboardName) -> Bool { table[name] == nil && !remembered.contains(name) }

    mutating func put(_ entry: Entry) { table[entry.name] = entry }

    /// Removes a pasteboard of an app's own, with what is on it: a step, the last one.
    package mutating func remove(_ name: PasteboardName) throws(PasteboardsError) -> Removal {
        let former = try find(name)
        guard !name.isSystem else { throw .belongsToSystem(name) }
        table[name] = nil
        remembered.remember(former.count + 1, of: name)
        let step = PasteboardStep(name: name, count: former.count + 1, holder: .nobody, isRemoval: true)
        return Removal(step: step, former: former)
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
