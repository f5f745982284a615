import PasteboardModel
import PasteboardSharing

/// A model of a bridge as far as links see it: one pasteboard with its origin, and a clock that may be wrong.
struct ShareBridge {
    /// Contents by their number. Emptiness and withheld contents have numbers too.
    struct Version: Equatable {
        var contents = 0
        var kind = SideState.Kind.empty
    }

    let name: String
    /// The difference of the machine's clock from the true time, in microseconds.
    var skew = 0
    private(set) var version = Version()
    private(set) var isIncomplete = false
    /// True for emptiness after withheld contents; links need not pass this emptiness on.
    private(set) var followsWithheld = false
    /// The link that provides the promises; nil if this machine provides them.
    private(set) var provider: Int?
    private var count = 0
    private var origin = ContentsOrigin(time: 0, machine: "")
    private var clock = HybridClock()
    /// The origins of all contents that the pasteboard has had, in order.
    private(set) var history: [ContentsOrigin] = []

    init(name: String) { self.name = name }

    var state: SideState {
        SideState(origin: origin, count: count, kind: version.kind, isIncomplete: isIncomplete)
    }

    // MARK: Steps

    mutating func copy(_ version: Version, at now: Int) throws(BrokenInvariant) -> ContentsOrigin {
        let origin = ContentsOrigin(time: clock.next(at: now + skew), machine: name)
        try step(version, origin, isIncomplete: false, from: nil)
        return origin
    }

    /// Accepts contents from a link if they are newer, or renews the promises of the same contents.
    mutating func accept(
        _ sent: ShareLink.Contents, from link: Int, at now: Int
    ) throws(BrokenInvariant) -> (result: CopyResult, isChanged: Bool) {
        guard sent.origin >= origin else { return (.superseded, false) }
        guard sent.origin != origin else {
            let isRenewal = isIncomplete && !sent.isIncomplete
            if isRenewal { (isIncomplete, provider) = (false, link) }
            return (.done, isRenewal)
        }
        guard !sent.origin.isTooFarAhead(of: now + skew) else { return (.failed, false) }
        clock.observe(sent.origin.time)
        try step(sent.version, sent.origin, isIncomplete: sent.isIncomplete, from: link)
        return (.done, true)
    }

    /// Ends the provider of the promises.
    ///
    /// - Returns: True if the state changed.
    mutating func spoil() -> Bool {
        guard version.kind == .contents, !isIncomplete else { return false }
        (isIncomplete, provider) = (true, nil)
        return true
    }

    private mutating func step(
        _ version: Version, _ origin: ContentsOrigin, isIncomplete: Bool, from link: Int?
    ) throws(BrokenInvariant) {
        try expect(origin > self.origin, "the origin of \(name) does not go back from \(self.origin) to \(origin)")
        history.append(origin)
        count += 1
        followsWithheld = version.kind == .empty && (self.version.kind == .withheld || followsWithheld)
        (self.version, self.origin, self.isIncomplete, provider) = (version, origin, isIncomplete, link)
    }
}
