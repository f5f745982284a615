package import DataControlProtocol

/// A client of mutter's clipboard on the session bus, `org.gnome.Mutter.RemoteDesktop`. Its sessions can see and own
/// CLIPBOARD without being started, so GNOME asks the user nothing and shows nothing.
///
/// This is a pure state machine: signals, answers and calls in, effects out, in the order in which to perform them. It
/// has no bus, no clock and no contents. mutter handles the calls of one client in order, and a signal that was sent
/// before an answer arrives before that answer.
///
/// ## Owners
///
/// `SelectionOwnerChanged` has the types of each owner. The signal has no list if the owner's program has ended, and an
/// empty list if a program has cleared the selection.
///
/// mutter's own clipboard manager reads the best text or picture of each owner. When the owner's program ends, the
/// manager becomes the owner at once, with only that text or picture: this is a *rescue*. If new types follow, the
/// program has not ended but copied again. So after an end, the machine asks mutter for an answer, and reports only the
/// state when the answer comes.
///
/// A rescued secret is no longer marked as a secret. The machine takes the selection for a moment with a type that
/// mutter does not keep, so that mutter forgets the secret. A single type that mutter has when the session begins may
/// be a rescued secret, so it is reported with the mark of a secret.
///
/// GNOME Shell sets empty text when it locks the screen. Contents that may be this text are read before they are
/// reported. Until the screen is unlocked, the machine acts as if it had no session: nothing is offered at the locked
/// screen.
///
/// ## Sources
///
/// Each source has a *marker*, a type that no other source has. mutter reports the types with the change, so the marker
/// tells which source has become the owner. The manager reads a source before mutter answers the call that set the
/// source; this read is refused for a source that is withheld from the manager.
package struct MutterClipboard: Sendable {
    enum Phase: Sendable {
        case created
        /// The session is being made; the signal with the first owner comes before the answer.
        case opening
        case running
        /// The selection is empty text, since the screen is locked.
        case locked
        /// mutter has refused or closed the session.
        case closed
        /// The bus has no mutter.
        case absent
    }

    struct Source: Sendable {
        let marker: String
        let isWithheld: Bool
        /// True for a source that only makes mutter forget the contents it keeps.
        let isEmptying: Bool
        /// True once mutter has made this source the owner.
        var isConfirmed = false
        /// True once the manager will no longer read the source.
        var isRead = false
    }

    /// The end of an owner's program that has not been reported yet.
    struct End: Sendable {
        let fence: Int
        let isOfSecret: Bool
        /// The type that the manager can rescue.
        let kept: String?
        /// True once the manager has become the owner.
        var isRescued = false
    }

    /// Contents that may be the empty text of a locked screen.
    struct Look: Sendable {
        let offer: ForeignOfferID
        let types: [String]
    }

    let limits: DataControlLimits
    var phase = Phase.created
    /// The owner that was reported last.
    var owner = DataControlClient.Owner.nobody
    var sources: [SourceID: Source] = [:]
    /// The source that mutter asks for contents.
    var current: SourceID?
    var end: End?
    var look: Look?
    /// True while the first owner's text is being read.
    var isSettling = false
    /// The number of refused sessions since the last session that was opened.
    private var refusals = 0
    /// True once the machine has reported whether the selection is known.
    var isKnown = false
    private var lastSource = 0
    var lastOffer = 0
    var lastFence = 0
    private var lastSync = 0

    package init(limits: DataControlLimits = DataControlLimits()) { self.limits = limits }

    /// True while the selection is known.
    package var isAttached: Bool { phase == .running && !isSettling }

    // MARK: The session

    /// Asks for a session. Call this first, and again after each ``Effect/retry(after:)``, when that time has passed or
    /// the screen has been unlocked.
    package mutating func open() -> [Effect] {
        if phase == .locked { return unlocked() }
        guard phase == .created || phase == .closed else { return [] }
        phase = .opening
        return [.call(.createSession)]
    }

    package mutating func answered(_ call: Call, _ answer: Answer) -> [Effect] {
        switch (call, answer) {
        case (.createSession, .done): return phase == .opening ? [.call(.enableClipboard)] : []
        case (.enableClipboard, .done): return enabled()
        case (.createSession, .noService), (.enableClipboard, .noService):
            phase = .absent
            return [.unavailable(nil)]
        case (.createSession, .failed(let reason)), (.enableClipboard, .failed(let reason)): return refused(reason)
        case (.set(let id, _), .done): return wasSet(id)
        case (.set(let id, _), _): return wasNotSet(id)
        case (.fence(let number), _): return answeredFence(number)
        case (.sync(let id), _): return [.synced(id)]
        case (.unset, _), (.write, _), (.refuse, _): return []
        }
    }

    private mutating func enabled() -> [Effect] {
        guard phase == .opening else { return [] }
        phase = .running
        refusals = 0
        isKnown = true
        isSettling = look != nil
        owner = owner.markedIfKept
        return [.attached] + (isSettling ? [] : [.changed(owner), .settled])
    }

    private mutating func refused(_ reason: String) -> [Effect] {
        guard phase == .opening else { return [] }
        phase = .closed
        reset()
        let delay = Self.retryDelay(after: refusals)
        refusals += 1
        defer { isKnown = true }
        return (isKnown ? [] : [.unavailable(reason)]) + [.retry(after: delay)]
    }

    /// Returns the delay before the next attempt, up to a minute: a screen may be locked for days.
    private static func retryDelay(after refusals: Int) -> Duration { .seconds(min(1 << min(refusals, 6), 60)) }

    /// Handles the end of the session.
    package mutating func closed() -> [Effect] {
        guard phase == .running || phase == .opening || phase == .locked else { return [] }
        let wasRunning = phase == .running
        phase = .closed
        reset()
        return (wasRunning ? [.detached] : []) + [.retry(after: Self.retryDelay(after: refusals))]
    }

    mutating func unlocked() -> [Effect] {
        phase = .running
        guard let look else { return [.attached, .changed(owner), .settled] }
        isSettling = true
        return [.attached, .look(look.offer, type: look.types[0])]
    }

    mutating func reset() {
        owner = .nobody
        sources = [:]
        current = nil
        end = nil
        look = nil
        isSettling = false
    }

    // MARK: Calls

    /// Offers contents.
    ///
    /// - Parameters:
    ///   - types: The types in order.
    ///   - marker: A further type, at the end, that no other source has.
    ///   - isWithheld: True if mutter's clipboard manager must not read the contents.
    /// - Returns: nil, and no effects, without a session.
    package mutating func set(
        types: [String], marker: String, isWithheld: Bool
    ) -> (source: SourceID?, effects: [Effect]) {
        guard isAttached else { return (nil, []) }
        let id = nextSource()
        sources[id] = Source(marker: marker, isWithheld: isWithheld, isEmptying: false)
        return (id, [.call(.set(id, types: legal(types) + [marker]))])
    }

    /// Empties the selection, whoever owns it.
    package mutating func clear() -> (number: SourceID?, effects: [Effect]) {
        guard isAttached else { return (nil, []) }
        let id = nextSource()
        return (id, empty(id))
    }

    /// Asks mutter to answer once it has handled everything sent so far.
    ///
    /// - Returns: nil, and no effects, without a session.
    package mutating func sync() -> (id: SyncID?, effects: [Effect]) {
        guard isAttached else { return (nil, []) }
        lastSync += 1
        let id = SyncID(lastSync)
        return (id, [.call(.sync(id))])
    }

    /// Returns true if an offer belongs to the current owner.
    package func isPresent(_ offer: ForeignOfferID) -> Bool { types(of: offer) != nil }

    /// Returns true if an offer belongs to the current owner and has the type.
    package func has(_ offer: ForeignOfferID, type: String) -> Bool { types(of: offer)?.contains(type) == true }

    private func types(of offer: ForeignOfferID) -> [String]? {
        if let look { return look.offer == offer ? look.types : nil }
        guard end == nil, case .foreign(offer, let types) = owner else { return nil }
        return types
    }

    mutating func empty(_ id: SourceID) -> [Effect] {
        let marker = "application/x-xpb-nothing;id=\(id.number)"
        sources[id] = Source(marker: marker, isWithheld: true, isEmptying: true)
        return [.call(.set(id, types: [marker])), .call(.unset)]
    }

    mutating func nextSource() -> SourceID {
        lastSource += 1
        return SourceID(lastSource)
    }

    func legal(_ types: [String]) -> [String] {
        var known: Set<String> = []
        return Array(
            types.filter { !$0.isEmpty && $0.utf8.count <= limits.typeName && known.insert($0).inserted }
                .prefix(limits.types))
    }
}
