import SelectionCrossing
import SelectionProtocol

/// A session of mutter: one selection of its X display, where mutter's window stands for Wayland programs, and mutter's
/// clipboard manager, which keeps one format of each copy.
struct WindowSession {
    struct Contents: Equatable {
        let number: Int
        var formats: Int
        let isSecret: Bool
        /// True if the clipboard manager has kept this, without any mark.
        var isKept = false
        /// True for the empty text that GNOME sets when the screen is locked.
        var isBlank = false

        var kept: Contents { Contents(number: number, formats: 1, isSecret: isSecret, isKept: true) }
        /// True if the bridge sees that this is a secret.
        var isMarked: Bool { isSecret && !isKept }
    }

    enum Owner: Equatable {
        case nobody
        case program(WindowID, Contents)
        /// mutter's window, with nothing after a Wayland program has cleared the selection.
        case compositor(Contents?)
        /// The bridge. It has no contents while mutter forgets a secret.
        case bridge(CrossingContents, Contents?)
    }

    struct Event {
        let owner: Owner
        let time: UInt32
        let serial: Int
        var isDeath = false
        var followsDeath = false
    }

    enum Request {
        case claim(Owner, unlessAfter: Int)
        case release(unlessAfter: Int)
        case look
    }

    static let window = WindowID(1)

    /// True until mutter 48: a second copy of the same program is preceded by what was kept of the first.
    let makesPairs: Bool
    private(set) var owner = Owner.nobody
    private var serial = 0
    private var time: UInt32 = 1_000
    /// The program that has the selection on the Wayland side.
    private var copier: Int?
    private(set) var kept: Contents?
    /// Changes of the owner that mutter has not handled.
    private var unhandled: [(owner: Owner, isDeath: Bool)] = []
    var events: [Event] = []
    var requests: [Request] = []

    init(makesPairs: Bool) { self.makesPairs = makesPairs }

    var isQuiet: Bool { unhandled.isEmpty && events.isEmpty && requests.isEmpty }

    // MARK: The X server

    mutating func pass() { time += 10 }

    mutating func set(_ owner: Owner, isDeath: Bool = false) {
        guard owner != .nobody || self.owner != .nobody else { return }
        self.owner = owner
        serial += 1
        if case .compositor = owner {} else { copier = nil }
        unhandled.append((owner, isDeath))
        // A death is reported with the next owner, if that follows at once.
        let followsDeath = owner != .nobody && events.last?.isDeath == true
        if followsDeath { events.removeLast() }
        events.append(
            Event(owner: owner, time: time, serial: serial, isDeath: isDeath, followsDeath: followsDeath))
    }

    /// Performs a claim or release of the bridge, unless another owner has followed.
    mutating func perform(_ request: Request) {
        switch request {
        case .claim(let owner, let seen): if seen >= serial { set(owner) }
        case .release(let seen): if seen >= serial { set(.nobody) }
        case .look: break
        }
    }

    // MARK: Wayland programs

    mutating func copy(_ contents: Contents, by program: Int) {
        if makesPairs, copier == program, let kept { set(.compositor(kept)) }
        set(.compositor(contents))
        copier = program
        kept = contents.kept
    }

    /// Ends the program that has the selection on the Wayland side.
    mutating func endCopier() {
        guard copier != nil, let kept else { return }
        set(.compositor(kept))
        copier = nil
    }

    mutating func clear() {
        kept = nil
        set(.compositor(nil))
        copier = nil
    }

    mutating func lock() {
        kept = nil
        set(.compositor(Contents(number: 0, formats: 1, isSecret: false, isBlank: true)))
        copier = nil
    }

    var hasCopier: Bool { copier != nil }

    // MARK: mutter

    mutating func compose() {
        guard !unhandled.isEmpty else { return }
        let (owner, isDeath) = unhandled.removeFirst()
        switch owner {
        case .compositor: break
        // The present owner is asked.
        case .program where self.owner != owner, .bridge where self.owner != owner: break
        case .program(_, let contents): kept = contents.kept
        // Secrets are withheld from the clipboard manager.
        case .bridge(_, let contents): kept = contents?.isSecret == true ? nil : contents?.kept
        case .nobody where isDeath:
            guard self.owner == .nobody, let kept else { return }
            set(.compositor(kept))
        case .nobody: kept = nil
        }
    }
}
