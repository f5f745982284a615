import BridgeState
import EventLoop
import LinuxSystem
import PasteboardModel
import PasteboardWire
import X11Bridge

/// An app's own pasteboards: `Create`, `Persist` and `Remove`.
extension Service {
    func create(
        _ parameters: Methods.Create.Parameters, for client: Client
    ) async throws(BridgeError) -> Methods.Create.Reply {
        guard !isLeaving else { throw .leaving }
        let name = try PasteboardName(ofCall: parameters.pasteboard)
        let (lasting, persistent) = (parameters.lasting ?? false, parameters.persistent ?? false)
        let hidden = parameters.hidden ?? false
        if persistent, name?.isSystem != true { try await checkPersistence(of: name) }
        let owner = ObjectIdentifier(client)
        let created = try BridgeError.wrapping { () throws(PasteboardsError) -> (name: PasteboardName, isNew: Bool) in
            if let name {
                let isNew = try registry.value.create(
                    name, for: owner, lasting: lasting, persistent: persistent, hidden: hidden, at: UnixTime.now)
                return (name, isNew)
            }
            let unique = try registry.value.createUnique(
                random: UInt128.random(in: .min ... .max), for: owner, lasting: lasting, persistent: persistent,
                hidden: hidden, at: UnixTime.now)
            return (unique, true)
        }
        if created.isNew, !hidden { display.watch(created.name.selection) }
        if persistent, let pasteboard = registry[created.name] {
            try await updatePersistence(of: pasteboard, madeBy: client)
        }
        return Methods.Create.Reply(pasteboard: created.name.string, created: created.isNew)
    }

    func persist(_ parameters: Methods.Persist.Parameters, for client: Client) async throws(BridgeError) {
        let name = try PasteboardName(ofCall: parameters.pasteboard)
        if parameters.persistent, registry[name] != nil, !name.isSystem { try await checkPersistence(of: name) }
        try BridgeError.wrapping { () throws(PasteboardsError) in
            try registry.value.setPersistent(name, parameters.persistent, for: ObjectIdentifier(client))
        }
        if let pasteboard = registry[name] { try await updatePersistence(of: pasteboard, madeBy: client) }
    }

    /// Throws if nothing outlives this bridge, so that no pasteboard can be persistent.
    private func checkPersistence(of name: PasteboardName?) async throws(BridgeError) {
        await persistence.reopenStore()
        guard store.thread == nil, let absence = store.absence else { return }
        throw BridgeError(
            .refused,
            "\(name.map { "'\($0)'" } ?? "the pasteboard") cannot be persistent, since nothing outlives this "
                + "bridge: \(absence.message)")
    }

    /// Stores the contents of a persistent pasteboard, or removes the contents of any other pasteboard from the store.
    /// Waits for other writes first: their contents may be on their way to the store, or bypass it.
    private func updatePersistence(
        of pasteboard: PasteboardState, madeBy client: Client
    ) async throws(BridgeError) {
        if !pasteboard.name.isSystem { pasteboard.maker = ProcessState.programPath(of: client.process) }
        try await asWriter(of: pasteboard) { () async throws(BridgeError) in
            if !pasteboard.isPersistent {
                pasteboard.undo.removeAll { _ in true }
                persistence.removeRecord(of: pasteboard)
            } else if !persistence.storeLate(pasteboard) {
                persistence.writeRecord(of: pasteboard)
            }
            try await persistence.settle([pasteboard])
        }
    }

    /// Removes a pasteboard, after writes that have begun.
    func remove(_ name: String) async throws(BridgeError) {
        let pasteboard = try registry.existing(name)
        try await asWriter(of: pasteboard) { () async throws(BridgeError) in
            // Another pasteboard may have this name by now.
            guard !pasteboard.isRemoved else { throw BridgeError(.noSuchPasteboard(pasteboard.name)) }
            remove(
                try BridgeError.wrapping { () throws(PasteboardsError) in try registry.value.remove(pasteboard.name) })
        }
        try await persistence.settle([pasteboard])
    }
}
