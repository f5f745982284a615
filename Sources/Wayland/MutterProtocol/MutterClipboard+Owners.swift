package import DataControlProtocol
import UniformTypes

/// The sources of this client.
extension MutterClipboard {
    mutating func wasSet(_ id: SourceID) -> [Effect] {
        sources[id]?.isRead = true
        guard let source = sources[id], !source.isConfirmed else { return [] }
        return wasNotSet(id)
    }

    mutating func wasNotSet(_ id: SourceID) -> [Effect] {
        guard let source = sources.removeValue(forKey: id), !source.isEmptying else { return [] }
        return [.ended(id, .refused)]
    }

    /// Ends the sources that were followed by another source of this client, or by another program's contents.
    private mutating func endSources(before id: SourceID? = nil) -> [Effect] {
        let ended = sources.filter { source in
            id.map { source.key.number < $0.number } ?? source.value.isConfirmed
        }
        for source in ended.keys { sources[source] = nil }
        return ended.filter { !$0.value.isEmptying }.keys.sorted { $0.number < $1.number }
            .map { .ended($0, id == nil ? .replaced : .superseded) }
    }

    /// Handles a request for the contents of the current source.
    package mutating func transfer(_ type: String, serial: UInt32) -> [Effect] {
        guard let current, let source = sources[current], !source.isEmptying else { return [.call(.refuse(serial))] }
        let isManager = !source.isRead
        sources[current]?.isRead = true
        if isManager, source.isWithheld { return [.call(.refuse(serial))] }
        return [.call(.write(current, type: type, serial: serial))]
    }
}

/// The owners of the selection.
extension MutterClipboard {
    /// The only type of the empty text that GNOME Shell sets when the screen is locked.
    private static let lockedType = "text/plain;charset=utf-8"

    /// Handles a change of the owner.
    ///
    /// - Parameters:
    ///   - types: The owner's types; nil if there is no owner.
    ///   - isOwn: True for a source of this client.
    package mutating func ownerChanged(to types: [String]?, isOwn: Bool) -> [Effect] {
        if phase == .locked { return isOwn ? owned(whileLocked: types ?? []) : changed(whileLockedTo: types ?? []) }
        guard phase == .running || phase == .opening else { return [] }
        let looked = look.map { stopLooking(at: $0, isBlank: false) } ?? []
        guard let types else { return looked + ownerEnded() }
        return looked + (isOwn ? owned(types) : changed(to: legal(types)))
    }

    /// Takes back a source that was being set when the screen was locked.
    private mutating func owned(whileLocked types: [String]) -> [Effect] {
        look = nil
        guard let id = sources.first(where: { types.last == $0.value.marker })?.key else { return empty(nextSource()) }
        sources[id] = nil
        return []
    }

    /// Records an owner while the screen is locked. Contents other than empty text show that the screen has been
    /// unlocked.
    private mutating func changed(whileLockedTo types: [String]) -> [Effect] {
        look = nil
        if types.isEmpty { return [] }
        let offer = nextOffer()
        guard types == [Self.lockedType] else {
            owner = .foreign(offer, types: legal(types))
            return unlocked()
        }
        look = Look(offer: offer, types: types)
        return []
    }

    private mutating func owned(_ types: [String]) -> [Effect] {
        guard let id = sources.first(where: { types.last == $0.value.marker })?.key else {
            // The source was being set when the screen was locked, and has ended. A later source replaces it.
            return sources.isEmpty ? empty(nextSource()) : []
        }
        sources[id]?.isConfirmed = true
        current = id
        end = nil
        let ended = endSources(before: id)
        return (sources[id]?.isEmptying == true ? [] : report(.ours(id))) + ended
    }

    private mutating func ownerEnded() -> [Effect] {
        if let current, sources[current]?.isEmptying == true {
            sources[current] = nil
            self.current = nil
            return report(.nobody)
        }
        current = nil
        lastFence += 1
        end = End(fence: lastFence, isOfSecret: owner.isSecret, kept: owner.keptType)
        return endSources() + [.call(.fence(lastFence))]
    }

    private mutating func changed(to types: [String]) -> [Effect] {
        if let end, !end.isRescued, let kept = end.kept, types == [kept] {
            self.end?.isRescued = true
            return []
        }
        end = nil
        current = nil
        let ended = endSources()
        if types.isEmpty { return report(.cleared) + ended }
        let offer = nextOffer()
        guard types == [Self.lockedType] else { return report(.foreign(offer, types: types)) + ended }
        look = Look(offer: offer, types: types)
        return ended + [.look(offer, type: Self.lockedType)]
    }

    /// Handles the answer to ``Effect/look(_:type:)``.
    ///
    /// - Parameters:
    ///   - isBlank: True if the text is empty.
    ///   - isLocked: True if the screen is locked.
    package mutating func looked(at offer: ForeignOfferID, isBlank: Bool, isLocked: Bool) -> [Effect] {
        guard let look, look.offer == offer, phase != .locked else { return [] }
        return isBlank && isLocked && phase == .running ? locked() : stopLooking(at: look, isBlank: isBlank)
    }

    private mutating func locked() -> [Effect] {
        let wasSettled = !isSettling
        reset()
        phase = .locked
        return [wasSettled ? .detached : .unavailable("the screen is locked")]
    }

    private mutating func stopLooking(at look: Look, isBlank: Bool) -> [Effect] {
        self.look = nil
        let found = DataControlClient.Owner.foreign(look.offer, types: look.types)
        let effects = report(isBlank ? .nobody : isSettling ? found.markedIfKept : found)
        guard isSettling else { return effects }
        isSettling = false
        return effects + [.settled]
    }

    /// Handles the answer to a fence: mutter has handled everything sent before the fence.
    mutating func answeredFence(_ number: Int) -> [Effect] {
        guard let end, end.fence == number else { return [] }
        self.end = nil
        return report(.nobody) + (end.isRescued ? rescued(end) : [])
    }

    private mutating func rescued(_ end: End) -> [Effect] {
        if end.isOfSecret { return empty(nextSource()) }
        return end.kept.map { report(.foreign(nextOffer(), types: [$0])) } ?? []
    }

    private mutating func report(_ new: DataControlClient.Owner) -> [Effect] {
        if new == owner { return [] }
        owner = new
        // The first owner is reported once the session is open.
        return phase == .running ? [.changed(new)] : []
    }

    private mutating func nextOffer() -> ForeignOfferID {
        lastOffer += 1
        return ForeignOfferID(lastOffer)
    }
}

extension DataControlClient.Owner {
    /// The types that mutter's clipboard manager reads, best first.
    private static let keptTypes = [
        "text/plain;charset=utf-8", "text/plain", "image/svg+xml", "image/png", "image/webp", "image/jpeg", "image/gif",
        "image/bmp", "image/tiff",
    ]

    /// The same owner with the mark of a secret, if it has a single type that mutter keeps.
    var markedIfKept: Self {
        guard case .foreign(let offer, let types) = self, types.count == 1, keptType != nil else { return self }
        return .foreign(offer, types: types + ["x-kde-passwordManagerHint"])
    }

    private var foreignTypes: [String] { if case .foreign(_, let types) = self { types } else { [] } }

    /// True for contents that their program has marked as a secret.
    fileprivate var isSecret: Bool { foreignTypes.contains(where: SecretMark.isMark) }

    /// The type of these contents that mutter's clipboard manager keeps.
    fileprivate var keptType: String? { Self.keptTypes.first { foreignTypes.contains($0) } }
}
