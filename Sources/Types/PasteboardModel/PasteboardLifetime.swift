/// The lifetimes of apps' pasteboards: creation, persistence, and removal with the last client.
///
/// As with UIPasteboard, an app's pasteboard exists as long as the app that made it, unless it is persistent. Here, the
/// app is a client's connection.
extension Pasteboards {
    /// Makes a lasting pasteboard for a write to a name that no pasteboard has yet.
    ///
    /// - Returns: true if the pasteboard was made.
    package mutating func createForWriting(_ name: PasteboardName, at time: Int) throws(PasteboardsError) -> Bool {
        guard self[name] == nil else { return false }
        try make(name, lifetime: .lasting, isPersistent: false, at: time)
        return true
    }

    /// Makes a pasteboard, or joins an existing one. From then on, the pasteboard exists at least as long as the client
    /// is connected. A call can extend that lifetime or make the pasteboard persistent, but cannot revoke either.
    ///
    /// - Parameter hidden: True for a pasteboard that X11 programs do not see.
    /// - Returns: true if the pasteboard was made.
    package mutating func create(
        _ name: PasteboardName, for client: Client, lasting: Bool = false, persistent: Bool = false,
        hidden: Bool = false, at time: Int
    ) throws(PasteboardsError) -> Bool {
        if persistent, self[name]?.isHidden ?? hidden { throw .hidden(name) }
        guard var entry = self[name] else {
            try make(
                name, lifetime: lasting ? .lasting : .clients([client]), isPersistent: persistent, isHidden: hidden,
                at: time)
            return true
        }
        if hidden, !entry.isHidden { throw .visible(name) }
        if case .clients(let clients) = entry.lifetime {
            entry.lifetime = lasting ? .lasting : .clients(clients.union([client]))
        }
        entry.isPersistent = entry.isPersistent || persistent
        put(entry)
        return false
    }

    /// Makes a pasteboard with a name that no pasteboard has or, as far as is known, had: `com.xpb.unique.` and 32
    /// hexadecimal digits.
    ///
    /// - Parameter bits: Random bits for the name. If that name is used, the following numbers are tried.
    package mutating func createUnique(
        random bits: UInt128, for client: Client, lasting: Bool = false, persistent: Bool = false,
        hidden: Bool = false, at time: Int
    ) throws(PasteboardsError) -> PasteboardName {
        var bits = bits
        while !isUnused(Self.uniqueName(bits)) { bits &+= 1 }
        let name = Self.uniqueName(bits)
        _ = try create(name, for: client, lasting: lasting, persistent: persistent, hidden: hidden, at: time)
        return name
    }

    private static func uniqueName(_ bits: UInt128) -> PasteboardName {
        let digits = String(bits, radix: 16)
        return .app("com.xpb.unique." + String(repeating: "0", count: 32 - digits.count) + digits)
    }

    /// Sets whether a pasteboard outlives its clients and the bridge. System pasteboards always do.
    ///
    /// - Parameter client: The client that asks. If the pasteboard stops being persistent and all of its clients have
    ///   left, it exists as long as this client is connected.
    package mutating func setPersistent(
        _ name: PasteboardName, _ isPersistent: Bool, for client: Client
    ) throws(PasteboardsError) {
        var entry = try find(name)
        guard isPersistent || !name.isSystem else { throw .belongsToSystem(name) }
        if isPersistent, entry.isHidden { throw .hidden(name) }
        entry.isPersistent = isPersistent
        if !isPersistent, entry.lifetime == .clients([]) { entry.lifetime = .clients([client]) }
        put(entry)
    }

    /// Makes persistent a pasteboard that an earlier bridge stored and that was made again before the store was usable.
    /// A hidden pasteboard stays as it is.
    package mutating func persist(_ name: PasteboardName) {
        guard var entry = self[name], !entry.isHidden else { return }
        entry.isPersistent = true
        put(entry)
    }

    /// Removes the pasteboards whose last client has left.
    ///
    /// - Returns: The removed pasteboards, in the order of their names.
    package mutating func removeClient(_ client: Client) -> [Removal] {
        // This runs for each client that disconnects, and most clients have no pasteboard. A loop is used because a key
        // path into a generic type is instantiated at each use, which costs more than everything else.
        var names: [PasteboardName] = []
        for entry in unordered where entry.lives(for: client) { names.append(entry.name) }
        var removals: [Removal] = []
        for name in names.sorted(by: { $0.string < $1.string }) {
            guard var entry = self[name], case .clients(var clients) = entry.lifetime else { continue }
            clients.remove(client)
            entry.lifetime = .clients(clients)
            put(entry)
            guard clients.isEmpty, !entry.isPersistent, let removal = try? remove(name) else { continue }
            removals.append(removal)
        }
        return removals
    }

    /// Returns true if the disconnection of a client may remove a pasteboard.
    package func hasPasteboards(of client: Client) -> Bool { unordered.contains { $0.lives(for: client) } }
}

extension Pasteboards.Entry {
    fileprivate func lives(for client: Client) -> Bool {
        if case .clients(let clients) = lifetime { clients.contains(client) } else { false }
    }
}

/// The counts of removed pasteboards, from which pasteboards of the same names continue.
///
/// A limited number is remembered. Older counts are merged into a floor, where all other pasteboards start, so that no
/// count is reported twice.
struct RememberedCounts: Equatable, Sendable {
    /// The count at which a pasteboard starts if its own count is not remembered.
    private(set) var floor: Int
    private let limit: Int
    private(set) var counts: [PasteboardName: Int] = [:]
    /// The remembered names, in the order of removal.
    private var order: [PasteboardName] = []

    init(limit: Int, floor: Int) {
        self.limit = limit
        self.floor = floor
    }

    mutating func raise(to floor: Int) {
        self.floor = max(floor, self.floor)
        counts = counts.mapValues { max($0, floor) }
    }

    func contains(_ name: PasteboardName) -> Bool { counts[name] != nil }

    /// Returns the count at which a pasteboard would start if it were made now.
    func next(of name: PasteboardName) -> Int { counts[name] ?? floor }

    /// Returns the count of a name, and forgets it; nil if it is not remembered.
    mutating func take(_ name: PasteboardName) -> Int? {
        guard let count = counts.removeValue(forKey: name) else { return nil }
        order.removeAll { $0 == name }
        return count
    }

    /// Returns the count at which a pasteboard made now starts, and forgets it.
    mutating func start(of name: PasteboardName) -> Int { take(name) ?? floor }

    mutating func remember(_ count: Int, of name: PasteboardName) {
        counts[name] = count
        order.append(name)
        guard order.count > limit else { return }
        floor = max(floor, counts.removeValue(forKey: order.removeFirst()) ?? floor)
    }
}
