import DataControlProtocol
import Machines
import MutterProtocol
import PasteboardModel
import PasteboardSharing
import SelectionCrossing
import SelectionProtocol
import Testing
import WaylandWire

/// Tests with injected faults: each fault must be detected within a few operations.
@Suite struct FaultInjectionTests {
    @Test("A missing or repeated answer is detected")
    func answers() {
        catches(SelectionOwnerWorld.self, within: 1, effects: { $0.removeAll(where: \.isNotify) })
        catches(SelectionOwnerWorld.self, within: 1, effects: { $0 += $0.filter(\.isNotify) })
        catches(SelectionOwnerWorld.self, within: 1, effects: { $0.reverse() })
        catches(SelectionOwnerWorld.self, within: 2, receives: { if case .made = $0 { false } else { true } })
        catches(SelectionOwnerWorld.self, within: 2, receives: { if case .performed = $0 { false } else { true } })
        catches(SelectionOwnerWorld.self, within: 2, receives: { $0 != .leaving })
    }

    @Test("A faulty transfer is detected")
    func transfers() {
        catches(SelectionOwnerWorld.self, within: 1, effects: { $0.removeAll(where: \.isWatch) })
        catches(SelectionOwnerWorld.self, within: 2, effects: { $0.removeAll(where: \.isUnwatch) })
        catches(SelectionOwnerWorld.self, within: 2, effects: { $0.removeAll(where: \.isPiece) })
        catches(SelectionOwnerWorld.self, within: 2, effects: { $0 += $0.filter(\.isPiece) })
        // The last chunk is empty.
        catches(SelectionOwnerWorld.self, within: 4, effects: { $0.removeAll(where: \.isEmptyPiece) })
        catches(SelectionOwnerWorld.self, within: 2, receives: { if case .deleted = $0 { false } else { true } })
        catches(SelectionOwnerWorld.self, within: 2, receives: { if case .gone = $0 { false } else { true } })
    }

    @Test("An endless wait is detected")
    func waits() {
        let receives: (SelectionOwnerOperation) -> Bool = {
            switch $0 {
            case .due, .expired: false
            default: true
            }
        }
        catches(SelectionOwnerWorld.self, within: 2, receives: receives)
        catches(ConversionWorld.self, within: 1, receives: { if case .due = $0 { false } else { true } })
    }

    @Test("A conversion that ends twice or never, or that stores the wrong bytes, is detected")
    func conversions() {
        catches(ConversionWorld.self, within: 1, effects: { $0.removeAll { $0 == .close } })
        catches(ConversionWorld.self, within: 1, effects: { $0 += $0.filter { $0 == .close } })
        catches(ConversionWorld.self, within: 1, effects: { $0.removeAll { $0 == .read } })
        catches(ConversionWorld.self, within: 2, effects: { $0.removeAll { $0 == .store } })
        catches(ConversionWorld.self, within: 2, effects: { $0 += $0.filter { $0 == .store } })
        catches(ConversionWorld.self, within: 1, receives: { $0 != .cancelled })
        catches(ConversionWorld.self, within: 3, receives: { if case .read(2, _, _, _) = $0 { false } else { true } })
    }

    @Test("A missing or repeated change of owner is detected")
    func owners() {
        catches(OwnershipWorld.self, within: 1, effects: { $0.removeAll() })
        catches(OwnershipWorld.self, within: 1, effects: { $0 += $0 })
        catches(OwnershipWorld.self, within: 2, receives: { if case .died = $0 { false } else { true } })
        catches(OwnershipWorld.self, within: 4, receives: { $0 != .expired })
    }

    @Test("Lost, changed or repeated bytes are detected")
    func bytes() {
        catches(FramerWorld.self, within: 2, effects: { $0.removeAll() })
        catches(FramerWorld.self, within: 2, effects: { $0 += $0 })
        catches(FramerWorld.self, within: 2, receives: { $0 != .taken })
        catches(OutboxWorld.self, within: 3, effects: { $0 = [UInt8]($0.dropLast()) })
        catches(OutboxWorld.self, within: 3, effects: { bytes in bytes = bytes.map { $0 &+ 1 } })
        catches(
            OutboxWorld.self, within: 2,
            receives: { if case .message(_, let files) = $0 { files.isEmpty } else { true } }
        )
    }

    @Test("A faulty client of mutter is detected")
    func mutter() {
        catches(MutterWorld.self, within: 12, effects: { $0.removeAll { if case .ended = $0 { true } else { false } } })
        catches(
            MutterWorld.self, within: 12, effects: { $0.removeAll { if case .changed = $0 { true } else { false } } })
        catches(
            MutterWorld.self, within: 12, effects: { $0 += $0.filter { if case .changed = $0 { true } else { false } } }
        )
        catches(
            MutterWorld.self, within: 12, effects: { $0.removeAll { if case .synced = $0 { true } else { false } } })
        catches(MutterWorld.self, within: 12, effects: { $0.removeAll { if case .look = $0 { true } else { false } } })
        catches(
            MutterWorld.self, within: 12,
            effects: { $0.removeAll { if case .call(.unset) = $0 { true } else { false } } })
        catches(
            MutterWorld.self, within: 12,
            effects: { $0.removeAll { if case .call(.fence) = $0 { true } else { false } } })
    }

    @Test("A faulty client of a compositor is detected")
    func compositors() {
        catches(DataControlWorld.self, within: 4, effects: { $0.removeAll(where: \.isOfferEnd) })
        catches(DataControlWorld.self, within: 4, effects: { $0 += $0.filter(\.isOfferEnd) })
        catches(DataControlWorld.self, within: 2, effects: { $0.removeAll(where: \.isChange) })
        catches(DataControlWorld.self, within: 4, effects: { $0.removeAll(where: \.isEnd) })
        catches(DataControlWorld.self, within: 4, effects: { $0 += $0.filter(\.isEnd) })
        catches(DataControlWorld.self, within: 5, effects: { $0.removeAll(where: \.isDescriptor) })
        catches(DataControlWorld.self, within: 5, effects: { $0 += $0.filter(\.isDescriptor) })
        catches(DataControlWorld.self, within: 3, receives: { if case .copy = $0 { false } else { true } })
        catches(DataControlWorld.self, within: 3, receives: { if case .faulty = $0 { false } else { true } })
    }

    @Test("A faulty link is detected")
    func links() {
        catches(ShareWorld.self, within: 1, effects: { $0.removeAll() })
        catches(ShareWorld.self, within: 1, effects: { $0 += $0 })
        catches(ShareWorld.self, within: 1, effects: { $0 = $0.map(\.reversed) })
        catches(ShareWorld.self, within: 1, effects: { $0 = $0.map(\.renamed) })
        catches(ShareWorld.self, within: 7, receives: { if case .cut = $0 { false } else { true } })
    }

    @Test("A faulty crossing is detected")
    func crossings() {
        catches(CrossingWorld.self, within: 3, effects: { $0.removeAll { $0 == .ask } })
        catches(CrossingWorld.self, within: 2, effects: { $0.removeAll(where: \.isStep) })
        catches(CrossingWorld.self, within: 2, effects: { $0 += $0.filter(\.isStep) })
        catches(CrossingWorld.self, within: 4, effects: { $0.removeAll(where: \.isClaim) })
        catches(CrossingWorld.self, within: 4, effects: { $0.removeAll(where: \.isOffer) })
        catches(CrossingWorld.self, within: 5, effects: { $0.removeAll { $0 == .clearSeat } })
        catches(WindowWorld.self, within: 2, effects: { $0.removeAll(where: \.isStep) })
        catches(WindowWorld.self, within: 4, effects: { $0.removeAll(where: \.isClaim) })
        catches(WindowWorld.self, within: 4, effects: { $0.removeAll { $0 == .forget } })
        catches(WindowWorld.self, within: 5, effects: { $0.removeAll { $0 == .look } })
    }

    private func catches<World: MachineWorld>(
        _ world: World.Type, within length: Int,
        effects: @escaping (inout [World.Effect]) -> Void = { _ in },
        receives: @escaping (World.Operation) -> Bool = { _ in true },
        at location: SourceLocation = #_sourceLocation
    ) {
        let injection = FaultInjection<World.Operation, World.Effect>(effects: effects, receives: receives)
        let runs = (1...200).lazy.map { Trial<World>.run(seed: $0, injection: injection) }
        guard let run = runs.first(where: { $0.failure != nil }) else {
            Issue.record("no fault was detected", sourceLocation: location)
            return
        }
        let shortest = Shrinking<World>.shortest(run.operations, injection: injection)
        #expect(
            shortest.count <= length, "\(OperationText.lines(shortest))", sourceLocation: location)
        #expect(Trial<World>.failure(of: shortest, injection: injection) != nil, sourceLocation: location)
        #expect(Trial<World>.failure(of: shortest) == nil, "it failed without the fault too", sourceLocation: location)
    }
}

extension CrossingEffect {
    fileprivate var isStep: Bool { if case .step = self { true } else { false } }
    fileprivate var isClaim: Bool { if case .own = self { true } else { false } }
    fileprivate var isOffer: Bool { if case .offer = self { true } else { false } }
}

extension SelectionOwner.Effect {
    fileprivate var isNotify: Bool { if case .notify = self { true } else { false } }
    fileprivate var isWatch: Bool { if case .watch = self { true } else { false } }
    fileprivate var isUnwatch: Bool { if case .unwatch = self { true } else { false } }
    /// True for a value, whether it is a chunk or the whole.
    fileprivate var isPiece: Bool { if case .write(_, _, .slice) = self { true } else { false } }
    fileprivate var isEmptyPiece: Bool {
        if case .write(_, _, .slice(_, body: _, let range)) = self {
            range.isEmpty && range.lowerBound > 0
        } else {
            false
        }
    }
}

extension DataControlClient.Effect {
    fileprivate var isOfferEnd: Bool { if case .request(.offer(_, .destroy)) = self { true } else { false } }
    fileprivate var isChange: Bool { if case .changed = self { true } else { false } }
    fileprivate var isEnd: Bool { if case .ended = self { true } else { false } }
    fileprivate var isDescriptor: Bool {
        switch self {
        case .write, .close: true
        default: false
        }
    }
}

extension ShareEffect {
    /// The copy in the other direction.
    fileprivate var reversed: ShareEffect {
        switch self {
        case .copy(let token, let from, let count, let origin):
            .copy(token: token, from: from.other, count: count, origin: origin)
        case .withdraw(let from): .withdraw(from: from.other)
        }
    }

    /// The copy under another machine's name.
    fileprivate var renamed: ShareEffect {
        switch self {
        case .copy(let token, let from, let count, let origin):
            .copy(
                token: token, from: from, count: count,
                origin: ContentsOrigin(time: origin.time, machine: origin.machine + "'"))
        case .withdraw: self
        }
    }
}
