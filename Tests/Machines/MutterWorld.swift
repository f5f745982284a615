import DataControlProtocol
package import MutterProtocol
package import TestRandom

/// An operation on a ``MutterClipboard``, on mutter or on the bus between them.
package enum MutterOperation: MachineOperation {
    /// A program copies: with marks of a secret, with a single text, or with other types.
    case copy(kind: Int)
    /// The owner's program ends.
    case end
    /// The owner's program ends, and a program copies in the same turn.
    case again(kind: Int)
    /// A program clears the selection.
    case clear
    /// A program pastes.
    case paste
    case lock
    case unlock
    case close
    /// mutter refuses sessions from now on, or accepts them again.
    case deny(Bool)
    case retry
    /// The bridge offers contents, withheld from mutter's clipboard manager or not.
    case set(isWithheld: Bool)
    case empty
    case sync
    /// mutter handles the next call.
    case handle
    /// The bridge gets the next signal or answer.
    case deliver

    package var kind: Int {
        switch self {
        case .copy(let kind): 20 + abs(kind % 4)
        case .end: 1
        case .again(let kind): 24 + abs(kind % 4)
        case .clear: 2
        case .paste: 3
        case .lock: 4
        case .unlock: 5
        case .close: 6
        case .deny(let denies): denies ? 7 : 8
        case .retry: 9
        case .set(let isWithheld): isWithheld ? 10 : 11
        case .empty: 12
        case .sync: 13
        case .handle: 14
        case .deliver: 15
        }
    }
}

/// The clipboard of mutter on the session bus, with programs, users and a bus that may take any time.
package struct MutterWorld: MachineWorld {
    package typealias Operation = MutterOperation
    package typealias Effect = MutterClipboard.Effect

    package static let name = "mutter"

    private var machine = MutterClipboard()
    private let injection: FaultInjection<Operation, Effect>?
    private var mutter = MutterModel()
    /// The machine's calls that mutter has not handled, with their session.
    private var calls: [(question: MutterModel.Question, session: Int?)] = []
    /// The session that the machine knows; nil once it is closed.
    private var session: Int?
    /// The owner that the machine reported last.
    private var reported: DataControlClient.Owner?
    /// The copies that the machine has reported.
    private var copies: Set<String> = []
    private var sources: Set<SourceID> = []
    private var syncs: Set<SyncID> = []
    /// The syncs that detachments have ended. Their answers are ignored.
    private var dropped: Set<SyncID> = []
    private var lastMarker = 0

    package init(injection: FaultInjection<Operation, Effect>?) { self.injection = injection }

    package var phase: Int {
        (machine.isAttached ? 1 : 0) + min(calls.count, 3) * 2 + min(mutter.signals.count, 3) * 8 + mutter.phase * 32
    }

    package func random(using generator: inout SeededGenerator) -> Operation {
        switch generator.number(0..<40) {
        case 0...3: .copy(kind: generator.number(0..<4))
        case 4, 5: .end
        case 6, 7: .again(kind: generator.number(0..<4))
        case 8: .clear
        case 9, 10: .paste
        case 11: generator.one(in: 3) ? .lock : .unlock
        case 12: generator.one(in: 4) ? .close : .retry
        case 13: .deny(generator.one(in: 3))
        case 14, 15: .retry
        case 16...19: .set(isWithheld: generator.one(in: 2))
        case 20: .empty
        case 21: .sync
        case 22...30: .handle
        default: .deliver
        }
    }

    package mutating func step(_ operation: Operation) throws(BrokenInvariant) {
        guard injection?.receives(operation) ?? true else { return }
        switch operation {
        case .copy(let kind): mutter.copy(kind)
        case .end: mutter.end()
        case .again(let kind): if mutter.end() { mutter.copy(kind) }
        case .clear: mutter.clear()
        case .paste: mutter.paste()
        case .lock: mutter.lock()
        case .unlock: mutter.unlock()
        case .close: mutter.close()
        case .deny(let denies): mutter.isDenying = denies
        case .retry: try retry()
        case .set(let isWithheld): try set(isWithheld: isWithheld)
        case .empty: try perform(machine.clear().effects)
        case .sync:
            let (id, effects) = machine.sync()
            if let id { syncs.insert(id) }
            try perform(effects)
        case .handle: try handle()
        case .deliver: try deliver()
        }
    }

    package mutating func finish() throws(BrokenInvariant) {
        mutter.isDenying = false
        mutter.unlock()
        // After the screen is unlocked, it may take several attempts until the machine knows the owner.
        for _ in 0..<4 {
            try retry()
            while !calls.isEmpty || !mutter.signals.isEmpty {
                if mutter.signals.isEmpty { try handle() } else { try deliver() }
            }
        }
        try expect(machine.isAttached, "the selection is known again")
        try expect(syncs.isEmpty, "each sync is answered, unless the session ends")
        try mutter.expectAgreement(with: reported)
        try expect(copies == mutter.told, "each copy is reported once: \(copies) is not \(mutter.told)")
        if case .ours(let source) = reported {
            try expect(sources == [source], "the sources that are no longer offered have ended: \(sources)")
        } else {
            try expect(sources.isEmpty, "the sources that are no longer offered have ended: \(sources)")
        }
    }

    // MARK: The machine

    private mutating func retry() throws(BrokenInvariant) { try perform(machine.open()) }

    private mutating func set(isWithheld: Bool) throws(BrokenInvariant) {
        lastMarker += 1
        let (source, effects) = machine.set(
            types: ["text/plain", "text/html"], marker: "marker/\(lastMarker)", isWithheld: isWithheld)
        if let source {
            sources.insert(source)
            if isWithheld { mutter.withheld.insert(source) }
        }
        try perform(effects)
    }

    /// Handles the next call in mutter's place.
    private mutating func handle() throws(BrokenInvariant) {
        guard !calls.isEmpty else { return }
        let (question, session) = calls.removeFirst()
        if case .call(.createSession) = question { return try mutter.handle(question) }
        if session == mutter.session { try mutter.handle(question) }
    }

    private mutating func deliver() throws(BrokenInvariant) {
        guard !mutter.signals.isEmpty else { return }
        switch mutter.signals.removeFirst() {
        case .owner(let types, let isOwn): try perform(machine.ownerChanged(to: types, isOwn: isOwn))
        case .transfer(let type, let serial): try perform(machine.transfer(type, serial: serial))
        case .answer(.createSession, let answer, let session):
            if answer == .done { self.session = session }
            try perform(machine.answered(.createSession, answer))
        // The driver drops the answers of a session that has ended.
        case .answer(let call, let answer, session):
            try perform(machine.answered(call, answer))
        case .looked(let offer, let isBlank, let isLocked, session):
            try perform(machine.looked(at: offer, isBlank: isBlank, isLocked: isLocked))
        case .answer, .looked: break
        case .unlocked: try retry()
        case .closed:
            session = nil
            try perform(machine.closed())
        }
    }

    private mutating func perform(_ effects: [Effect]) throws(BrokenInvariant) {
        var effects = effects
        injection?.effects(&effects)
        for effect in effects { try perform(effect) }
    }

    private mutating func perform(_ effect: Effect) throws(BrokenInvariant) {
        switch effect {
        case .call(let call): calls.append((.call(call), session))
        case .look(let offer, _): calls.append((.look(offer), session))
        case .attached: reported = .nobody
        case .settled, .unavailable, .retry: break
        case .detached:
            reported = nil
            sources = []
            dropped.formUnion(syncs)
            syncs = []
        case .changed(let owner): try report(owner)
        case .ended(let source, _):
            try expect(sources.remove(source) != nil, "a source ends once")
        case .synced(let id):
            try expect((syncs.remove(id) ?? dropped.remove(id)) != nil, "a sync is answered once")
        }
    }

    private mutating func report(_ owner: DataControlClient.Owner) throws(BrokenInvariant) {
        reported = owner
        guard case .foreign(_, let types) = owner, let copy = types.first(where: { $0.hasPrefix("copy/") }) else {
            return
        }
        let isNew = copies.insert(copy).inserted
        // An owner is found again when a session begins.
        try expect(isNew || mutter.mayBeFoundAnew.contains(copy), "a copy is reported once")
    }
}
