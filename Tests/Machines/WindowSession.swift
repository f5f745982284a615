import SelectionCrossing
import SelectionProtocol

/// A session of a compositor that shows the bridge no seat: one selection of its X display, where the compositor's
/// window stands for Wayland programs. mutter also has a clipboard manager, which keeps one format of each copy.
struct WindowSession {
    enum Compositor: Int, CaseIterable {
        /// mutter up to 48, which sends the kept format of a program's first copy just before the second copy.
        case pairingMutter
        /// mutter from 50 on.
        case mutter
        /// Weston keeps nothing, and passes copies on to X11 programs only while an X11 window has the focus.
        case weston
    }

    struct Contents: Equatable {
        let number: Int
        var formats: Int
        let isSecret: Bool
        /// True if the clipboard manager has kept these contents, without any mark.
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
        /// The compositor's window; nil after its Wayland program has cleared the selection or lost it.
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

    let compositor: Compositor
    private(set) var owner = Owner.nobody
    private(set) var serial = 0
    private var time: UInt32 = 1_000
    /// True if an X11 window has the focus.
    var isFocused = false
    /// The program that has the selection on the Wayland side.
    private var copier: Int?
    private(set) var kept: Contents?
    /// True while mutter itself has the selection, for the contents that it has kept.
    private var hasKept = false
    /// The second half of a pair, which mutter has sent at the same time as the first half.
    private var secondHalf: (contents: Contents, program: Int, time: UInt32)?
    /// Changes of the owner that mutter has not handled.
    private var unhandled: [(owner: Owner, isDeath: Bool)] = []
    var events: [Event] = []
    var requests: [Request] = []

    init(_ compositor: Compositor) { self.compositor = compositor }

    var isQuiet: Bool { isComposed && events.isEmpty && requests.isEmpty }

    /// True if the compositor has handled all changes of the owner.
    var isComposed: Bool { unhandled.isEmpty && secondHalf == nil }

    // MARK: The X server

    mutating func pass() { time += 10 }

    mutating func set(_ owner: Owner, isDeath: Bool = false) {
        finishPair()
        change(owner, isDeath: isDeath, at: time)
    }

    private mutating func change(_ owner: Owner, isDeath: Bool = false, at time: UInt32) {
        guard owner != .nobody || self.owner != .nobody else { return }
        self.owner = owner
        serial += 1
        if case .compositor = owner {} else { copier = nil }
        unhandled.append((owner, isDeath))
        // A death is reported with the next owner, if that owner follows at once.
        let followsDeath = owner != .nobody && events.last?.isDeath == true
        if followsDeath { events.removeLast() }
        events.append(
            Event(owner: owner, time: time, serial: serial, isDeath: isDeath, followsDeath: followsDeath))
    }

    /// Performs a claim or release of the bridge, unless another owner has followed.
    mutating func perform(_ request: Request) {
        switch request {
        case .claim(let owner, let seen): if seen >= serial { change(owner, at: time) }
        case .release(let seen): if seen >= serial { change(.nobody, at: time) }
        case .look: break
        }
    }

    /// Ends the connection of the bridge.
    mutating func disconnect() {
        requests = []
        finishPair()
        if case .bridge = owner { set(.nobody, isDeath: true) }
    }

    // MARK: Wayland programs

    /// True if the X11 side learns of a Wayland program's copy.
    var passesCopies: Bool { compositor != .weston || isFocused }

    mutating func copy(_ contents: Contents, by program: Int) {
        finishPair()
        guard passesCopies else { return losePassedCopy() }
        if compositor == .pairingMutter, copier == program, let kept {
            set(.compositor(kept))
            secondHalf = (contents, program, time)
        } else {
            pass(contents, of: program, at: time)
        }
    }

    private mutating func pass(_ contents: Contents, of program: Int, at time: UInt32) {
        change(.compositor(contents), at: time)
        copier = program
        (kept, hasKept) = (compositor == .weston ? nil : contents.kept, false)
    }

    /// Sends the second half of a pair, if there is one. Only the bridge can act between the two halves.
    private mutating func finishPair() {
        guard let (contents, program, time) = secondHalf else { return }
        secondHalf = nil
        pass(contents, of: program, at: time)
    }

    /// Ends the program that has the selection on the Wayland side.
    mutating func endCopier() {
        finishPair()
        guard copier != nil else { return }
        if let kept { set(.compositor(kept)) } else { losePassedCopy() }
        copier = nil
    }

    /// Takes the contents from the compositor's window. The X11 side does not hear about it.
    private mutating func losePassedCopy() {
        copier = nil
        if case .compositor = owner { owner = .compositor(nil) }
    }

    mutating func clear() {
        finishPair()
        kept = nil
        set(.compositor(nil))
        copier = nil
    }

    mutating func lock() {
        finishPair()
        kept = nil
        set(.compositor(Contents(number: 0, formats: 1, isSecret: false, isBlank: true)))
        copier = nil
    }

    var hasCopier: Bool { copier != nil }

    // MARK: mutter

    mutating func compose() {
        finishPair()
        guard !unhandled.isEmpty else { return }
        let (owner, isDeath) = unhandled.removeFirst()
        guard compositor != .weston else { return }
        switch owner {
        case .compositor: break
        // Only the present owner is asked.
        case .program where self.owner != owner, .bridge where self.owner != owner: break
        case .program(_, let contents): (kept, hasKept) = (contents.kept, false)
        // Secrets are withheld from the clipboard manager.
        case .bridge(_, let contents): (kept, hasKept) = (contents?.isSecret == true ? nil : contents?.kept, false)
        case .nobody where isDeath:
            guard self.owner == .nobody, let kept else { return }
            set(.compositor(kept))
            hasKept = true
        // A Wayland program may have copied since then. Contents that mutter itself offers do not end with the release.
        case .nobody: if copier == nil, !hasKept { kept = nil }
        }
    }
}
