import SelectionProtocol
import Testing

@Suite struct TransferQuotaTests {
    private static let start = Sample.start
    private static let (one, two) = (ProgramID(0x40_0000), ProgramID(0x60_0000))
    private static let now = start + .seconds(100)

    /// Four in all, three with one program; 1,000 bytes in all, 600 for one program.
    private static let limits: TransferLimits = {
        var limits = TransferLimits()
        (limits.transfers, limits.programTransfers) = (4, 3)
        (limits.bytes, limits.programBytes) = (1_000, 600)
        (limits.dripAge, limits.dripRate) = (.seconds(60), 10)
        return limits
    }()

    private let quota = TransferQuota(limits)

    /// One that is 100 seconds old, unless said otherwise, and fast.
    private static func transfer(
        _ number: Int, of program: ProgramID? = one, age: Int = 100, moved: Int = 1_000_000,
        held: [TransferQuota.Held] = [], canEnd: Bool = true
    ) -> TransferQuota.Transfer {
        TransferQuota.Transfer(
            id: id(number), program: program, started: now - .seconds(age), moved: moved, held: held, canEnd: canEnd)
    }

    private static func id(_ number: Int) -> SelectionOwner.Destination {
        Sample.destination(Atom(UInt32(1_000 + number)))
    }

    private func decide(
        _ program: ProgramID? = one, among transfers: [TransferQuota.Transfer], besides bytes: Int = 0
    ) -> TransferQuota.Decision {
        quota.decide(program, among: transfers, besides: bytes, now: Self.now)
    }

    @Test("Below the limits everybody is admitted, dripping neighbours or not")
    func below() {
        #expect(decide(among: []) == .admitted)
        #expect(decide(among: [Self.transfer(1, moved: 0), Self.transfer(2)]) == .admitted)
    }

    @Test("At the limit of all, the newcomer is refused where nothing drips")
    func full() {
        let all = (1...4).map { Self.transfer($0, of: ProgramID(UInt32($0))) }
        #expect(decide(Self.one, among: all) == .refused(.transfers))
    }

    @Test("At the limit of a program its newcomer is refused, and another's is served")
    func programFull() {
        let own = (1...3).map { Self.transfer($0) }
        #expect(decide(Self.one, among: own) == .refused(.programTransfers))
        #expect(decide(Self.two, among: own) == .admitted)
        // Whose it is may not be known.
        #expect(decide(nil, among: own) == .admitted)
    }

    @Test("The slowest that drips ends for the newcomer")
    func slowest() {
        let all = [300, 200, 100, 5_000].enumerated().map { Self.transfer($0, of: ProgramID(UInt32($0)), moved: $1) }
        #expect(decide(Self.two, among: all) == .admittedFor(Self.id(2), .transfers))
    }

    @Test("What is young, or as fast as it has to be, does not end", arguments: [(59, 0), (60, 600), (100, 1_000)])
    func notDripping(age: Int, moved: Int) {
        let others = (2...4).map { Self.transfer($0, of: nil) }
        #expect(decide(among: others + [Self.transfer(1, age: age, moved: moved)]) == .refused(.transfers))
    }

    @Test("What is just old enough and too slow by a byte ends")
    func justDripping() {
        let others = (2...4).map { Self.transfer($0, of: nil) }
        let drip = Self.transfer(1, age: 60, moved: 599)
        #expect(decide(among: others + [drip]) == .admittedFor(Self.id(1), .transfers))
    }

    @Test("What began in this very moment never ends, whatever the limits")
    func justBegun() {
        var limits = Self.limits
        (limits.transfers, limits.dripAge, limits.dripRate) = (1, .zero, .max)
        let decision = TransferQuota(limits).decide(
            Self.two, among: [Self.transfer(1, age: 0, moved: 0)], now: Self.now)
        #expect(decision == .refused(.transfers))
    }

    @Test("At its own limit a program ends what drips of its own only")
    func ownDrips() {
        let foreign = Self.transfer(9, of: Self.two, moved: 0)
        let own = [Self.transfer(1), Self.transfer(2)]
        #expect(decide(among: own + [Self.transfer(3), foreign]) == .refused(.programTransfers))
        #expect(
            decide(among: own + [Self.transfer(3, moved: 50), foreign]) == .admittedFor(Self.id(3), .programTransfers))
    }

    @Test("What waits for an answer of ours counts, and does not end")
    func waiting() {
        let all = (1...4).map { Self.transfer($0, of: nil, moved: 0, canEnd: false) }
        #expect(decide(among: all) == .refused(.transfers))
    }

    @Test("Bytes count once, by whatever number of transfers they are held")
    func shared() {
        let held = TransferQuota.Held(name: 1, length: 500)
        let transfers = [Self.transfer(1, held: [held]), Self.transfer(2, held: [held])]
        #expect(quota.held(by: transfers) == 500)
        #expect(decide(among: transfers) == .admitted)
        #expect(quota.room(for: Self.one, among: transfers) == (100, .programBytes))
        #expect(quota.room(for: Self.two, among: transfers) == (500, .bytes))
        #expect(quota.room(for: nil, among: transfers, besides: 700) == (0, .bytes))
    }

    @Test("At the limit of bytes a newcomer is refused; a program's own limit is its own")
    func bytes() {
        let own = [Self.transfer(1, held: [.init(name: 1, length: 600)])]
        #expect(decide(Self.one, among: own) == .refused(.programBytes))
        #expect(decide(Self.two, among: own) == .admitted)
        #expect(decide(Self.two, among: own, besides: 400) == .refused(.bytes))
    }

    @Test("For bytes only what holds some ends, and only where that makes room")
    func bytesOfDrips() {
        let held = TransferQuota.Held(name: 1, length: 1_000)
        let drip = Self.transfer(1, of: Self.two, moved: 10, held: [held])
        let idle = Self.transfer(2, of: nil, moved: 0)
        #expect(decide(among: [drip, idle]) == .admittedFor(Self.id(1), .bytes))
        let sharer = Self.transfer(3, of: nil, held: [held])
        #expect(decide(among: [drip, idle, sharer]) == .refused(.bytes))
    }

    @Test("Who waits for an answer at the property of what ends keeps its place")
    func waitsBeside() {
        let held = TransferQuota.Held(name: 1, length: 600)
        let drip = Self.transfer(1, moved: 0)
        let waiting = Self.transfer(1, held: [held], canEnd: false)
        #expect(decide(among: [drip, waiting, Self.transfer(2)]) == .refused(.programBytes))
    }

    @Test("Of those that are as slow the oldest ends, in whatever order they stand")
    func oldest() {
        let all = [(1, 70), (2, 90), (3, 80)].map { Self.transfer($0.0, age: $0.1, moved: 0) }
        #expect(decide(among: all) == .admittedFor(Self.id(2), .programTransfers))
        #expect(decide(among: all.reversed()) == .admittedFor(Self.id(2), .programTransfers))
    }

    @Test("Where the limits became lower, one that ends is not enough")
    func lowered() {
        let all = (1...9).map { Self.transfer($0, of: nil, moved: 0) }
        #expect(decide(among: all) == .refused(.transfers))
    }
}
