package import Configuration
import EventLoop
package import SelectionProtocol
package import X11Display

/// One display, from its opening to its end: the owners of its selections, our offers, and our conversions.
package final class DisplaySession {
    package let display: XDisplay
    package let ownerDriver: SelectionOwnerDriver
    package let requestor: SelectionRequestor
    let report: (DisplayReport) -> Void
    let counters: DisplayCounters
    package let bytes: TransferBytes
    /// The manager selection, which is owned as long as this bridge serves the display (ICCCM 2.8).
    let manager: ManagerSelection
    /// The watched selections.
    var trackers: [Atom: OwnershipTracker] = [:]
    /// The number of changes of each selection since its owner was reported as found.
    private var changeCounts: [Atom: Int] = [:]
    var names: [Atom: String] = [:]
    /// The selections that are watched only until we lose them.
    var unwatchedWhenLost: Set<Atom> = []
    /// The conversions that wait until the death of an owner is known to be final, or until the next owner comes.
    var deferredConversions: [Atom: [ConversionRequest]] = [:]
    var handledEvents = 0
    /// The server time for the next claim, and the time at which it expires.
    var preparedTime: (time: ServerTime, until: ContinuousClock.Instant)?
    /// The offers whose ownership the server has confirmed, until their claims return.
    var confirmedClaims: Set<OfferID> = []
    /// The selections whose release the server has confirmed, until the release returns.
    var confirmedReleases: Set<Atom> = []
    var managerSelections: Set<Atom> = []
    var recentWindows = RecentWindows()
    /// True if the compositor is reported as a separate kind of owner. Each change of an owner then takes one more
    /// round trip to the server.
    private(set) var recognizesCompositor = false

    /// Opens a display. `connection` is a connection to that display, if there is one already.
    package init(
        opening name: String, on connection: XDisplay? = nil, replacing: Bool, limits: Configuration.Limits = .init(),
        counters: DisplayCounters = DisplayCounters(), bytes: TransferBytes = TransferBytes(),
        report: @escaping (DisplayReport) -> Void
    ) throws(AttachFailure) {
        do {
            display = if let connection { connection } else { try XDisplay(opening: name) }
        } catch {
            throw .display(error)
        }
        manager = try ManagerSelection(on: display, replacing: replacing)
        let own = TransferLimits(limits, on: display)
        ownerDriver = SelectionOwnerDriver(display: display, limits: own, counters: counters, report: report)
        requestor = SelectionRequestor(display: display, limits: own, counters: counters, report: report)
        ownerDriver.serve(manager)
        self.report = report
        self.counters = counters
        self.bytes = bytes
        apply(limits)
        _ = display.intern(OwnAtoms.names)
        shareQuota()
        recordActiveWindow()
        ownerDriver.isOfCompositor = { [unowned self] in isOfCompositor($0) }
    }

    // MARK: Limits

    package var limits: TransferLimits { ownerDriver.limits }

    package func apply(_ limits: Configuration.Limits) {
        let own = TransferLimits(limits, on: display)
        ownerDriver.limits = own
        requestor.limits = own
        display.atomLimit = limits.atoms
        display.maxNameLength = limits.typeName
    }

    /// Makes sent and received transfers count towards the same limits.
    private func shareQuota() {
        ownerDriver.otherTransfers = { [unowned requestor, bytes] in
            .init(transfers: requestor.quotaTransfers, bytes: bytes.ofService)
        }
        ownerDriver.endOtherTransfer = { [unowned requestor] in requestor.endTransfer($0) }
        requestor.otherTransfers = { [unowned ownerDriver, bytes] in
            .init(transfers: ownerDriver.quotaTransfers, bytes: bytes.ofService)
        }
        requestor.endOtherTransfer = { [unowned ownerDriver] in ownerDriver.endTransfer($0) }
    }

    package var transferCount: Int { ownerDriver.transferCount + requestor.transferCount }

    /// The memory that the transfers hold, in bytes.
    package var heldBytes: Int {
        guard transferCount > 0 else { return 0 }
        return TransferQuota(limits).held(by: ownerDriver.quotaTransfers + requestor.quotaTransfers)
    }

    // MARK: Watching

    /// Reports the owner of a selection, even if the selection is already watched, and watches it.
    package func reportOwner(of name: String) {
        let selection = display.internForeign(name)
        guard let tracker = trackers[selection] else {
            watch(name)
            return
        }
        unwatchedWhenLost.remove(selection)
        reportFound(tracker.owner, of: selection, name)
    }

    private func reportFound(_ owner: OwnershipTracker.Owner, of selection: Atom, _ name: String) {
        changeCounts[selection] = 0
        report(.found(selection: name, owner))
    }

    /// Returns the number of changes of a selection that were reported since its owner was found.
    func changeCount(of selection: Atom) -> Int { changeCounts[selection] ?? 0 }

    func reportChanges(_ changes: [OwnershipTracker.Change], of selection: Atom) {
        guard let name = names[selection] else { return }
        for change in changes {
            changeCounts[selection, default: 0] += change.steps
            report(.changed(selection: name, change))
        }
    }

    /// Reports the owner of a selection, now and after each change.
    ///
    /// - Returns: false if the name needs an atom beyond the limit. The selection has no owner then.
    @discardableResult
    package func watch(_ name: String) -> Bool {
        let selection = display.internForeign(name)
        guard selection != .none else {
            if !display.isBroken { counters.refused(.atoms) }
            return display.isBroken
        }
        unwatchedWhenLost.remove(selection)
        guard trackers[selection] == nil else { return true }
        // The events are selected before the owner is read, so that a change in between arrives as an event.
        display.watchSelection(selection)
        let owner = owner(for: display.owner(of: selection))
        trackers[selection] = OwnershipTracker(found: owner, windowBits: display.windowBits)
        names[selection] = name
        reportFound(owner, of: selection, name)
        return true
    }

    /// Stops the reports about a selection. A selection of ours is watched until we lose it.
    package func unwatch(_ name: String) {
        let selection = display.internForeign(name)
        guard let tracker = trackers[selection] else { return }
        if case .ours = tracker.owner { unwatchedWhenLost.insert(selection) } else { forget(selection) }
    }

    func forget(_ selection: Atom) {
        display.unwatchSelection(selection)
        unwatchedWhenLost.remove(selection)
        trackers[selection] = nil
        changeCounts[selection] = nil
        names[selection] = nil
        // The owner of an unwatched selection is not known, so the waiting conversions ask any owner.
        startDeferredConversions(of: selection)
    }

    /// Returns the foreign owner of a watched selection; `none` if it is not known.
    func foreignOwner(of selection: Atom) -> WindowID {
        switch trackers[selection]?.owner {
        case .foreign(let window), .compositor(let window): window
        case .ours, .some(.none), nil: .none
        }
    }

    func owner(for window: WindowID) -> OwnershipTracker.Owner {
        if window == .none { return .none }
        if let offer = ownerDriver.offer(of: window) { return .ours(offer) }
        return isOfCompositor(window) ? .compositor(window) : .foreign(window)
    }

    /// Reports the compositor as a separate kind of owner from now on, if this is a display of Xwayland.
    func recognizeCompositor() {
        recognizesCompositor = display.isXwayland
    }

    /// Returns true for a window of the program that manages windows, which is the compositor in a Wayland session
    /// (ICCCM 4.3).
    private func isOfCompositor(_ window: WindowID) -> Bool {
        guard recognizesCompositor else { return false }
        let manager = display.owner(of: display.intern("WM_S\(display.screen)"))
        return manager != .none && display.isSameClient(manager, window)
    }

    /// True while a window of an X11 program has the keyboard focus. A compositor passes contents between Wayland
    /// programs and X11 programs only at that time.
    var hasFocusedWindow: Bool {
        let window = display.focusedWindow
        return window != .none && !isOfCompositor(window)
    }

    // MARK: Time

    package var deadline: ContinuousClock.Instant? {
        trackers.values.reduce(ownerDriver.deadline.orEarlier(requestor.deadline)) { $0.orEarlier($1.deadline) }
    }

    package func expire(now: ContinuousClock.Instant) {
        guard let deadline, deadline <= now else { return }
        for selection in names.keys {
            let changes = trackers[selection]?.expire(now: now) ?? []
            guard !changes.isEmpty else { continue }
            reportChanges(changes, of: selection)
            startDeferredConversions(of: selection)
        }
        ownerDriver.expire(now: now)
        requestor.expire(now: now)
    }
}

/// The names that the bridge itself uses. They are interned when a display is opened and count towards no limit, so
/// that text can be copied whatever other programs do.
enum OwnAtoms {
    static let names =
        [
            "CLIPBOARD", "PRIMARY", ClipboardManagerProtocol.selection, ClipboardManagerProtocol.saveTargets, "NULL",
            "TEXT", "COMPOUND_TEXT",
        ]
        + SelectionRequestor.commonTargets
}

extension TransferLimits {
    /// Creates the limits that the user's settings give for the display.
    fileprivate init(_ configured: Configuration.Limits, on display: XDisplay) {
        self.init(maximumRequest: display.maximumRequest)
        transfers = configured.transfers
        programTransfers = configured.programTransfers
        bytes = configured.transferBytes
        programBytes = configured.programBytes
        slowTransferAge = .seconds(configured.dripAge)
        minTransferRate = configured.dripRate
        typeName = configured.typeName
        windowBits = display.windowBits
    }
}
