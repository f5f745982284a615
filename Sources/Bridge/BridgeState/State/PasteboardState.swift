package import EventLoop
package import FormatConversion
package import PasteboardModel
package import PasteboardWire
package import SelectionProtocol
package import UniformTypes

/// One pasteboard as the service works on it. The model keeps its count and its holder.
package final class PasteboardState {
    package typealias Holder = PasteboardRegistry.Value.Holder

    /// Contents that a client of the bridge wrote.
    package struct Version {
        package let id: OfferID
        package let draft: Draft
        package let writer: Writer
        package let cause: ChangeCause
        /// The contents as undo and the store use them; nil if they support neither.
        package let restorable: RestorableContents?
        package let formats: FormatCatalog
        let planner: OfferPlanner
        package let conversions: ConversionCache
        /// The representations' bytes, in the order of the catalog's sources.
        package let sources: [RepresentationSource]

        package var contents: Contents { draft.contents }
        /// The targets that X clients are offered.
        package var plan: OfferPlan { planner.plan }
        package var backings: [Backing] { draft.backings }
        package var expiry: ContinuousClock.Instant? { draft.expiry }
        /// The options without the expiry, which is an instant here.
        package var options: ContentsOptions { draft.options }
        /// True if a paste of the contents has an effect.
        package var tracksPastes: Bool { options.once || draft.isFollowed }
        package var promises: [Promise] { backings.compactMap(\.promise) }
        /// True if the contents are offered on no display of another machine.
        package var isLocalOnly: Bool { options.localOnly }
    }

    package struct Writer {
        package let process: Int32
        package let program: String?
        /// True for a program of the display, from which the bridge took the contents over.
        package let isForeign: Bool
        /// The name of the link over which all of the contents came.
        package let link: String?
        /// The origin of the copy, if it is known before the step.
        package let origin: ContentsOrigin?
        /// True for the copy of an earlier copy: another machine's, or the other pasteboard's. It does not replace what
        /// a program has copied since its origin.
        package let yieldsToLater: Bool

        package init(
            process: Int32, program: String?, isForeign: Bool = false, link: String? = nil,
            origin: ContentsOrigin? = nil, yieldsToLater: Bool = false
        ) {
            self.process = process
            self.program = program
            self.isForeign = isForeign
            self.link = link
            self.origin = origin
            self.yieldsToLater = yieldsToLater
        }

        /// The name of a change that undo shows if the writer gives none.
        package var action: String { program.map { "Copy from \($0)" } ?? "Copy" }
    }

    /// Contents that were lost.
    private struct UndoLoss {
        let loss: WireLoss
        /// The contents that undo restores instead, if there are any.
        let next: RestorableContents?
    }

    package let name: PasteboardName
    /// A lock that is held by one writer at a time. A write involves two threads and an X server; no other client's
    /// write may start between a write's check of the count and its step.
    package let writing = AsyncMutex()
    package var undo: UndoStack<RestorableContents>
    package var stored = StoredState()
    /// The origin of the last change, on this machine or another.
    package var origin = ContentsOrigin(time: 0, machine: "")
    /// The origin of a clear of another machine that is under way.
    package var clearingOrigin: ContentsOrigin?
    /// The user's event with which the present foreign owner took the selection, if the owner named one.
    package var foreignEvent: String?
    /// The latest group of changes, and its number.
    private var group: (name: String, number: Int)?
    /// The contents that undo passes over because they were not captured, oldest first.
    private var losses: [UndoLoss] = []
    /// True if the window that owns the selection is the compositor's, and stands for a Wayland program.
    package var isBehindCompositor = false
    /// True if the previous contents were, or may have been, a secret.
    package var followsSecret = false
    /// The capture of the present foreign owner's contents.
    package var captured: Version?
    /// The targets that the present foreign owner has listed.
    package var listedTargets: [String]?
    /// The latest version, and the count of its step.
    private var written: (id: OfferID, count: Int)?
    /// The count of the latest step that emptied the pasteboard.
    private var emptied: Int?
    private unowned let registry: PasteboardRegistry
    /// The last entry of a pasteboard that was removed.
    private var last: PasteboardRegistry.Value.Entry?
    private var entry: PasteboardRegistry.Value.Entry {
        guard let entry = last ?? registry.value[name] else {
            preconditionFailure("the registry says when a pasteboard is removed")
        }
        return entry
    }

    package init(
        _ entry: PasteboardRegistry.Value.Entry, in registry: PasteboardRegistry, undo: UndoStack<RestorableContents>
    ) {
        name = entry.name
        self.registry = registry
        self.undo = undo
    }

    package var selection: String { name.selection }
    /// The number of changes of contents or of owner. It never decreases.
    package var count: Int { isRemoved ? entry.count + 1 : entry.count }
    package var holder: Holder { isRemoved ? .nobody : entry.holder }
    /// The time at which the holder got the contents, in milliseconds since the Unix epoch.
    package var since: Int { entry.since }
    package var isPersistent: Bool { entry.isPersistent }
    /// The path of the program that made the pasteboard persistent, if it is known.
    package var maker: String?
    /// True if X11 programs do not see the pasteboard, which then has no selection.
    package var isHidden: Bool { entry.isHidden }
    package var isRemoved: Bool { last != nil }
    /// True for the system's pasteboards, and for an app's persistent pasteboards.
    var hasUndo: Bool { isPersistent }
    /// The cause of the last change.
    package var lastCause: Methods.Monitor.Reply.Cause {
        guard let version else { return .copy }
        return switch version.cause {
        case .copy: .copy
        case .undo(.undo, _): .undo
        case .undo(.redo, _): .redo
        }
    }

    /// The version on the pasteboard, if a client wrote it.
    package var version: Version? {
        if case .client(let version) = holder { version } else { nil }
    }

    package var isForeign: Bool {
        if case .foreign = holder { true } else { false }
    }

    /// True if an X11 program owns the selection.
    package var isOwnedByWindow: Bool {
        if case .foreign(.window) = holder { true } else { false }
    }

    /// True if a Wayland program owns the selection.
    package var isOwnedByOffer: Bool {
        if case .foreign(.offer) = holder { true } else { false }
    }

    package var isHeldByNobody: Bool {
        if case .nobody = holder { true } else { false }
    }

    package var isEmpty: Bool {
        switch holder {
        case .nobody: true
        case .client(let version): version.contents.isEmpty
        case .foreign: false
        }
    }

    /// The types, if they are known without asking the owner.
    package var knownTypes: [UniformType]? {
        switch holder {
        case .nobody: []
        case .client(let version): version.contents.types
        case .foreign: nil
        }
    }

    // MARK: Changes

    /// Makes the next step of the count. The caller calls ``replacePromises(of:)`` afterwards.
    package func change(to holder: Holder, at time: Int, steps: Int = 1) {
        captured = nil
        listedTargets = nil
        guard !isRemoved, let count = try? registry.value.change(name, to: holder, at: time, steps: steps) else {
            return
        }
        switch holder {
        case .client(let version): written = (version.id, count)
        case .nobody: emptied = count
        case .foreign: break
        }
    }

    /// Counts steps, and leaves the holder and its contents as they are.
    package func advance(by steps: Int) {
        guard !isRemoved else { return }
        _ = try? registry.value.change(name, to: holder, at: since, steps: steps)
        // A clear of an empty pasteboard that counts.
        if case .nobody = holder { emptied = count }
    }

    /// Sets the holder without a step: the owner that was there when the display was attached, or another holder of the
    /// same contents.
    package func setHolder(_ holder: Holder, at time: Int) {
        captured = nil
        listedTargets = nil
        try? registry.value.setHolder(name, holder, at: time)
    }

    /// Replaces the version with the same contents under new rules, without a step.
    package func updateContents(_ version: Version) {
        try? registry.value.updateContents(name, version)
    }

    /// Marks the pasteboard as removed. The caller calls ``replacePromises(of:)`` afterwards.
    func didRemove(_ removal: PasteboardRegistry.Value.Removal) {
        last = removal.former
    }

    /// Voids the promises of the previous contents that the present contents do not share.
    package func replacePromises(of former: Version?) {
        let present = version?.promises ?? []
        for promise in present { promise.place(on: self) }
        // A set is fast even for thousands of promises.
        let remaining = Set(present.map { ObjectIdentifier($0) })
        for promise in former?.promises ?? [] where !remaining.contains(ObjectIdentifier(promise)) {
            promise.remove(from: self)
        }
    }

    // MARK: Counts

    /// Returns the count of the step of a version. Other steps may have followed.
    package func count(of version: Version) -> Int { written?.id == version.id ? written?.count ?? count : count }

    /// The count of the latest step that emptied the pasteboard.
    package var countEmptied: Int { emptied ?? count }

    /// Returns the number of a group of changes: the same for successive changes that name the same group.
    package func event(of name: String) -> Int {
        if let group, group.name == name { return group.number }
        let number = (group?.number ?? 0) + 1
        group = (name, number)
        return number
    }

    /// Names the last change after its program, which is known some time after the change.
    package func nameLastChange(by owner: WireOwner) {
        guard isForeign, let program = owner.program else { return }
        undo.nameLastChange(Writer(process: 0, program: program).action)
    }

    // MARK: Losses

    /// The maximum number of recorded losses that undo passes over.
    private static let maxLosses = 32

    /// Returns true if a change joins the group of the last one, so that undo reverts both together.
    func isGrouped(_ cause: ChangeCause) -> Bool {
        guard case .copy(_, let group?) = cause else { return false }
        return undo.isGrouped(event(of: group))
    }

    /// Records that the contents before the last change cannot be restored.
    package func noteLoss(_ loss: WireLoss) {
        losses = losses.suffix(Self.maxLosses - 1) + [UndoLoss(loss: loss, next: undo.undoable.last?.value)]
    }

    /// Returns the losses that an undo to these contents passes over; for nil, the losses without earlier contents.
    package func losses(before contents: RestorableContents?) -> [WireLoss] {
        losses.filter { $0.next === contents }.map(\.loss)
    }

    // MARK: Foreign owners

    /// Returns a closure that records the targets that the present owner lists, unless the owner has changed by then.
    package func notesTargets() -> ([String]) -> Void {
        let count = count
        return { [weak self] names in
            if let self, self.count == count, isForeign { listedTargets = names }
        }
    }
}
