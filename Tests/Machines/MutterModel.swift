import DataControlProtocol
import MutterProtocol

/// A model of mutter's selection and clipboard manager, and of GNOME Shell's lock, as a session on the bus sees them.
struct MutterModel {
    enum Owner: Equatable {
        case nobody
        /// A source without types: a program has cleared the selection.
        case empty
        case program(types: [String])
        case bridge(SourceID, types: [String])
        /// The manager, with the contents that it has kept.
        case rescue(type: String, isSecret: Bool)
        /// The empty text of a locked screen.
        case blank
    }

    enum Question {
        case call(MutterClipboard.Call)
        case look(ForeignOfferID)
    }

    enum Signal {
        case owner(types: [String]?, isOwn: Bool)
        case transfer(String, serial: UInt32)
        case answer(MutterClipboard.Call, MutterClipboard.Answer, session: Int)
        case looked(ForeignOfferID, isBlank: Bool, isLocked: Bool, session: Int)
        case unlocked
        case closed
    }

    private static let text = "text/plain;charset=utf-8"
    private static let mark = "x-kde-passwordManagerHint"

    var signals: [Signal] = []
    var isDenying = false
    /// The sources that the manager must not read.
    var withheld: Set<SourceID> = []
    /// The copies that were reported to the session.
    private(set) var told: Set<String> = []
    /// The copies that were present when a later session began.
    private(set) var mayBeFoundAnew: Set<String> = []

    private var owner = Owner.nobody
    private var saved: (type: String, isSecret: Bool)?
    /// The number of the latest session; calls of earlier sessions fail.
    private(set) var session = 0
    private var isOpen = false
    private var isEnabled = false
    private var isLocked = false
    /// True if the selection was cleared while the screen was locked. The machine does not report that.
    private var isClearedBehindLock = false
    private var lastCopy = 0
    private var lastSerial: UInt32 = 0
    /// The serial numbers of the manager's reads of withheld sources.
    private var forbidden: Set<UInt32> = []

    var phase: Int {
        let owner =
            switch owner {
            case .nobody: 0
            case .empty: 1
            case .program: 2
            case .bridge: 3
            case .rescue: 4
            case .blank: 5
            }
        return owner * 4 + (isEnabled ? 2 : 0) + (isLocked ? 1 : 0)
    }

    // MARK: Programs and the user

    mutating func copy(_ kind: Int) {
        lastCopy += 1
        let copy = "copy/\(lastCopy)"
        let types =
            switch abs(kind % 4) {
            case 0: ["text/plain", Self.mark, copy]
            case 1: [Self.text]
            case 2: ["application/x-own", copy]
            default: [Self.text, "text/html", copy]
            }
        own(.program(types: types))
    }

    /// Ends the owner's program, and returns true if there was one.
    @discardableResult mutating func end() -> Bool {
        guard case .program = owner else { return false }
        release()
        return true
    }

    mutating func clear() {
        own(.empty)
        isClearedBehindLock = isLocked
    }

    mutating func paste() {
        guard case .bridge(_, let types) = owner, types.count > 1 else { return }
        transfer(types[0], isForbidden: false)
    }

    mutating func lock() {
        guard !isLocked else { return }
        isLocked = true
        own(.blank)
    }

    mutating func unlock() {
        guard isLocked else { return }
        isLocked = false
        signals.append(.unlocked)
    }

    mutating func close() {
        guard isOpen else { return }
        (isOpen, isEnabled) = (false, false)
        signals.append(.closed)
        if case .bridge = owner { release() }
    }

    // MARK: The selection

    private mutating func own(_ new: Owner) {
        owner = new
        tellOwner()
        // The manager reads the best type of each owner.
        saved = nil
        guard let kept = types(of: new)?.first(where: { $0.hasPrefix("text/plain") }) else { return }
        switch new {
        case .program(let types): saved = (kept, types.contains(Self.mark))
        case .blank: saved = (kept, false)
        case .bridge(let source, _): transfer(kept, isForbidden: withheld.contains(source))
        case .nobody, .empty, .rescue: break
        }
    }

    private mutating func release() {
        owner = .nobody
        tellOwner()
        guard let saved else { return }
        owner = .rescue(type: saved.type, isSecret: saved.isSecret)
        tellOwner()
    }

    private func types(of owner: Owner) -> [String]? {
        switch owner {
        case .nobody: nil
        case .empty: []
        case .program(let types), .bridge(_, let types): types
        case .rescue(let type, _): [type]
        case .blank: [Self.text]
        }
    }

    private mutating func tellOwner() {
        guard isEnabled else { return }
        let types = types(of: owner)
        if case .bridge = owner {
            signals.append(.owner(types: types, isOwn: true))
        } else {
            signals.append(.owner(types: types, isOwn: false))
            if let copy = types?.first(where: { $0.hasPrefix("copy/") }), !told.insert(copy).inserted {
                mayBeFoundAnew.insert(copy)
            }
        }
    }

    private mutating func transfer(_ type: String, isForbidden: Bool) {
        guard isEnabled else { return }
        lastSerial += 1
        if isForbidden { forbidden.insert(lastSerial) }
        signals.append(.transfer(type, serial: lastSerial))
    }

    // MARK: The bus

    mutating func handle(_ question: Question) throws(BrokenInvariant) {
        switch question {
        case .look(let offer):
            signals.append(.looked(offer, isBlank: owner == .blank, isLocked: isLocked, session: session))
        case .call(let call): try handle(call)
        }
    }

    private mutating func handle(_ call: MutterClipboard.Call) throws(BrokenInvariant) {
        switch call {
        case .createSession:
            guard !isDenying else { return answer(call, .failed("denied")) }
            isOpen = true
            session += 1
        case .enableClipboard:
            guard isOpen else { return answer(call, .failed("closed")) }
            isEnabled = true
            if owner != .nobody { tellOwner() }
        case .set(let source, let types):
            guard isEnabled else { return }
            own(.bridge(source, types: types))
        case .unset:
            guard isEnabled else { return }
            if case .bridge = owner { release() }
        case .write(let source, let type, let serial):
            try expect(!forbidden.contains(serial), "the manager reads nothing that is withheld from it")
            if case .bridge(source, _) = owner { saved = saved ?? (type, false) }
        case .refuse, .fence, .sync: break
        }
        answer(call, .done)
    }

    private mutating func answer(_ call: MutterClipboard.Call, _ answer: MutterClipboard.Answer) {
        signals.append(.answer(call, answer, session: session))
    }

    /// Throws if the owner that was reported last is not the present owner.
    func expectAgreement(with reported: DataControlClient.Owner?) throws(BrokenInvariant) {
        let agrees =
            switch (owner, reported) {
            case (.nobody, .nobody), (.empty, .cleared), (.blank, .nobody): true
            case (.bridge(let source, _), .ours(let found)): source == found
            case (.empty, .nobody): isClearedBehindLock
            // Text that mutter had when the session began may be the rest of a secret.
            case (.rescue, .foreign(_, let found)) where found.last == Self.mark: true
            case (.program(let types), .foreign(_, let found)) where types.count == 1: found.first == types[0]
            case (_, .foreign(_, let found)): types(of: owner) == found
            default: false
            }
        if case .rescue(_, isSecret: true) = owner {
            try expect(reported?.isMarked == true, "the text that mutter keeps of a secret is forgotten, or marked")
        }
        try expect(agrees, "the owner is reported: \(owner) is not \(reported.map { "\($0)" } ?? "known")")
    }
}

extension DataControlClient.Owner {
    fileprivate var isMarked: Bool {
        if case .foreign(_, let types) = self { types.contains("x-kde-passwordManagerHint") } else { false }
    }
}
