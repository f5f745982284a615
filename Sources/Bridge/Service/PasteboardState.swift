import LinuxSystem
import PasteboardModel
import PasteboardStore
import SelectionProtocol

/// The service's handle of one pasteboard, which the model keeps.
final class PasteboardState {
    typealias Holder = PasteboardRegistry.Value.Holder

    /// Contents that a client of the bridge wrote.
    struct Version {
        let id: OfferID
        let draft: Draft
        let writer: Writer
        /// Why they came.
        let cause: ChangeCause
        /// As they can be gone back to; nil for what is neither stored nor gone back to.
        let kept: RestorableContents?
        /// What can be had of them.
        let forms: FormatCatalog
        let planner: OfferPlanner
        let maker: ConversionCache
        /// The representations' bytes, in the order of the forms' sources.
        let supplies: [RepresentationSource]

        var contents: Contents { draft.contents }
        /// What X11 peers are offered.
        var plan: OfferPlan { planner.plan }
        /// What the contents' representations are ranges of.
        var blobs: [Backing] { draft.blobs }
        /// When they go.
        var expiry: ContinuousClock.Instant? { draft.expiry }
        /// But for the expiry, which is an instant here.
        var options: ContentsOptions { draft.options }
        var promises: [Promise] { blobs.compactMap(\.promise) }
        /// Whether they are offered on no display of another machine.
        var isLocalOnly: Bool { options.localOnly }
    }

    /// The client that wrote.
    struct Writer {
        let process: Int32
        let program: String?
    }

    let name: PasteboardName
    /// Writes to it, one after the other.
    let turns = Turns()
    /// What can be undone and redone from what is there.
    var undo: UndoStack<RestorableContents>
    /// The present contents, as they can be gone back to.
    var kept: RestorableContents?
    /// What is stored in advance of its being the contents, and whether it was stored for that.
    var coming: (kept: RestorableContents, isNew: Bool)?
    /// What the store was told last; nil where it does not know.
    var record: StoredBoard?
    /// The event of its user because of which the foreign owner, if it is one, took the selection.
    var foreignEvent: String?
    /// Why the last change could not be stored.
    var notKept: String?
    /// The group of changes that came last, and its number.
    private var group: (name: String, number: Int)?
    /// Whether the selection is being given up for contents that its display is not to see: one step, not two.
    var isSilent = false
    /// What was captured of the contents of the foreign owner that there is.
    var captured: Version?
    /// The targets that this owner has listed.
    var listed: [String]?
    /// The count since which the version that came last was there.
    private var written: (id: OfferID, count: Int)?
    /// The count since which nobody held it last.
    private var emptied: Int?
    private unowned let table: PasteboardRegistry
    /// What it was last, as long as it is gone.
    private var last: PasteboardRegistry.Value.Entry?
    private var entry: PasteboardRegistry.Value.Entry {
        guard let entry = last ?? table.value[name] else {
            preconditionFailure("the table says when a pasteboard is gone")
        }
        return entry
    }

    init(_ entry: PasteboardRegistry.Value.Entry, in table: PasteboardRegistry, undo: UndoStack<RestorableContents>) {
        name = entry.name
        self.table = table
        self.undo = undo
    }

    /// A number for a group of changes: the same for those in a row that name the same group.
    func event(of name: String) -> Int {
        if let group, group.name == name { return group.number }
        let number = (group?.number ?? 0) + 1
        group = (name, number)
        return number
    }

    var selection: String { name.selection }
    /// One step for each change of contents or of owner. It never goes back.
    var count: Int { isRemoved ? entry.count + 1 : entry.count }
    var holder: Holder { isRemoved ? .nobody : entry.holder }
    /// When the holder came, in milliseconds of the Unix epoch.
    var since: Int { entry.since }
    var isPersistent: Bool { entry.isPersistent }
    var isRemoved: Bool { last != nil }

    /// A change: the next step of the count. ``handOver(from:)`` comes behind it.
    func change(to holder: Holder, at time: Int, steps: Int = 1) {
        captured = nil
        listed = nil
        guard !isRemoved, let step = try? table.value.change(name, to: holder, at: time, steps: steps) else { return }
        switch holder {
        case .client(let version): written = (version.id, step.count)
        case .nobody: emptied = step.count
        case .foreign: break
        }
    }

    /// The count of the step that a version came with: others may have come since.
    func count(of version: Version) -> Int { written?.id == version.id ? written?.count ?? count : count }

    /// The count of the last step to nobody.
    var countEmptied: Int { emptied ?? count }

    /// It was removed. ``handOver(from:)`` comes behind it.
    func end(_ removal: PasteboardRegistry.Value.Removal) {
        last = removal.former
    }

    /// What former contents promised is void, unless it is among the present ones.
    func handOver(from former: Version?) {
        let present = version?.promises ?? []
        for promise in present { promise.placed(on: self) }
        // There may be thousands of both.
        let kept = Set(present.map { ObjectIdentifier($0) })
        for promise in former?.promises ?? [] where !kept.contains(ObjectIdentifier(promise)) {
            promise.taken(from: self)
        }
    }

    /// To be called with what the present owner lists. A later owner's list it is not taken for.
    func notesList() -> ([String]) -> Void {
        let count = count
        return { [weak self] names in
            if let self, self.count == count, case .foreign = holder { listed = names }
        }
    }

    /// The same contents seen anew, without a step.
    func revise(_ version: Version) {
        try? table.value.revise(name, version)
    }

    /// Who holds the contents, without a step: the owner that was there when the display was attached.
    func adopt(_ holder: Holder, at time: Int) {
        captured = nil
        listed = nil
        try? table.value.adopt(name, holder, at: time)
    }

    /// What a client wrote, as long as it is the contents.
    var version: Version? {
        if case .client(let version) = holder { version } else { nil }
    }

    var isHeldByNobody: Bool {
        if case .nobody = holder { true } else { false }
    }

    var isEmpty: Bool {
        switch holder {
        case .nobody: true
        case .client(let version): version.contents.isEmpty
        case .foreign: false
        }
    }
}
