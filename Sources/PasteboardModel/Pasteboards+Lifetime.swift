/// Pasteboards of an app's own: how they come, how long they live, and what goes with a client.
extension Pasteboards {
    /// Makes a pasteboard that is to be written to, where there is none of that name. It is a lasting one.
    ///
    /// - Returns: Whether it was made.
    package mutating func makeForWriting(_ name: PasteboardName, at time: Int) throws(PasteboardsError) -> Bool {
        guard self[name] == nil else { return false }
        try make(name, lifetime: .lasting, isPersistent: false, at: time)
        return true
    }

    /// Makes a pasteboard, or finds it. It lives at least as long as the client from now on; what it was granted before
    /// it keeps.
    ///
    /// - Returns: Whether it was made.
    package mutating func create(
        _ name: PasteboardName, for client: Client, lasting: Bool = false, persistent: Bool = false, at time: Int
    ) throws(PasteboardsError) -> Bool {
        guard var entry = self[name] else {
            try make(name, lifetime: lasting ? .lasting : .clients([client]), isPersistent: persistent, at: time)
            return true
        }
        if case .clients(let clients) = entry.lifetime {
            entry.lifetime = lasting ? .lasting : .clients(clients.union([client]))
        }
        entry.isPersistent = entry.isPersistent || persistent
        put(entry)
        return false
    }

    /// Makes a pasteboard of a name that nobody has, nor is known to have had: `com.xpb.unique.` and 32 hexadecimal
    /// digits.
    ///
    /// - Parameter bits: Random ones. Where they are taken, the next number is.
    package mutating func createUnique(
        random bits: UInt128, for client: Client, lasting: Bool = false, persistent: Bool = false, at time: Int
    ) throws(PasteboardsError) -> PasteboardName {
        var bits = bits
        while !isUnheardOf(Self.uniqueName(bits)) { bits &+= 1 }
        let name = Self.uniqueName(bits)
        _ = try create(name, for: client, lasting: lasting, persistent: persistent, at: time)
        return name
    }

    private static func uniqueName(_ bits: UInt128) -> PasteboardName {
        let digits = String(bits, radix: 16)
        return .app("com.xpb.unique." + String(repeating: "0", count: 32 - digits.count) + digits)
    }

    /// Whether a pasteboard outlives those it lives for, and the bridge. The system's do.
    ///
    /// - Parameter client: Who asks. One that is persistent no more, and that all others have left, lives as long as this
    ///   client.
    package mutating func setPersistent(
        _ name: PasteboardName, _ isPersistent: Bool, for client: Client
    ) throws(PasteboardsError) {
        var entry = try find(name)
        guard isPersistent || !name.isSystem else { throw .belongsToSystem(name) }
        entry.isPersistent = isPersistent
        if !isPersistent, entry.lifetime == .clients([]) { entry.lifetime = .clients([client]) }
        put(entry)
    }

    /// A client is gone, and with it the pasteboards that lived as long as it, and for nobody else.
    ///
    /// - Returns: Those that are removed by it, by name.
    package mutating func clientLeft(_ client: Client) -> [Removal] {
        // Most clients have none, and each that leaves is looked at. (A key path into a generic type is made anew each
        // time that it is used, which would cost more than all the rest.)
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

    /// The clients that a pasteboard goes with.
    package var livingClients: Set<Client> {
        unordered.reduce(into: []) { living, entry in
            if case .clients(let clients) = entry.lifetime { living.formUnion(clients) }
        }
    }
}

extension Pasteboards.Entry {
    fileprivate func lives(for client: Client) -> Bool {
        if case .clients(let clients) = lifetime { clients.contains(client) } else { false }
    }
}
