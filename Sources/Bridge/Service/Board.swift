import LinuxSystem
import PasteboardModel
import SelectionProtocol

/// One pasteboard as the service keeps it: its count, and who holds its contents.
final class Board {
    /// Contents that a client of the bridge wrote.
    struct Version {
        let id: OfferID
        let contents: Contents
        /// What the contents' representations are ranges of.
        let blobs: [Blob]
        /// When they go.
        let expiry: ContinuousClock.Instant?
        /// Whether they are offered on no display of another machine.
        let isLocalOnly: Bool
        let writer: Writer
        /// What can be had of them.
        let forms: Forms
        /// What X11 peers are offered.
        let plan: OfferPlan
        let maker: Maker
        /// The representations' bytes, in the order of the forms' sources.
        let supplies: [Supply]

        var promises: [Promise] { blobs.compactMap(\.promise) }
    }

    /// The client that wrote.
    struct Writer {
        let process: Int32
        let program: String?
    }

    enum Holder {
        /// Nobody: the pasteboard is empty.
        case nobody
        case client(Version)
        /// The owner of the selection, with the window's number. Its contents are asked of it when they are wanted.
        case foreign(WindowID)
    }

    let name: PasteboardName
    /// Writes to it, one after the other.
    let turns = Turns()
    /// One step for each change of contents or of owner. It never goes back.
    private(set) var count = 0
    private(set) var holder = Holder.nobody
    /// Whether the selection is being given up for contents that its display is not to see: one step, not two.
    var isSilent = false
    /// When the holder came, in milliseconds of the Unix epoch.
    private(set) var since: Int

    init(name: PasteboardName, since: Int) {
        self.name = name
        self.since = since
    }

    var selection: String { name.selection }

    /// A change: the next step of the count.
    func change(to holder: Holder, at time: Int) {
        let former = version
        count += 1
        adopt(holder, at: time)
        for promise in version?.promises ?? [] { promise.placed(on: self) }
        let present = version?.promises ?? []
        for promise in former?.promises ?? [] where !present.contains(where: { $0 === promise }) {
            promise.taken(from: self)
        }
    }

    /// The same contents seen anew, without a step.
    func revise(_ version: Version) {
        if case .client = holder { holder = .client(version) }
    }

    /// Who holds the contents, without a step: the owner that was there when the display was attached.
    func adopt(_ holder: Holder, at time: Int) {
        self.holder = holder
        since = time
    }

    /// What a client wrote, as long as it is the contents.
    var version: Version? {
        if case .client(let version) = holder { version } else { nil }
    }

    var isEmpty: Bool {
        switch holder {
        case .nobody: true
        case .client(let version): version.contents.isEmpty
        case .foreign: false
        }
    }
}
