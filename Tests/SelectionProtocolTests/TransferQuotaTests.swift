import SelectionProtocol
import Testing

@Suite struct TransferQuotaTests {
    private static let start = Sample.start
    private static let (one, two) = (ProgramID(0x40_0000), ProgramID(0x60_0000))
    private static let now = start + .seconds(100)

    /// Limits of four transfers in all and three with one program, and of 1,000 bytes in all and 600 for one program.
    private static let limits: TransferLimits = {
        var limits = TransferLimits()
        (limits.transfers, limits.programTransfers) = (4, 3)
        (limits.bytes, limits.programBytes) = (1_000, 600)
        (limits.slowTransferAge, limits.minTransferRate) = (.seconds(60), 10)
        return limits
    }()

    private let quota = TransferQuota(limits)

    /// Returns a transfer, by default fast and 100 seconds old.
    private static func transfer(
        _ number: Int, of program: ProgramID? = one, age: Int = 100, moved: Int = 1_000_000,
        held: [TransferQuota.Held] = [], isEvictable: Bool = true
    ) -> TransferQuota.Transfer {
        TransferQuota.Transfer(
            id: id(number), program: program, started: now - .seconds(age), moved: moved, held: held,
            isEvictable: isEvictable)
    }

    private static func id(_ number: Int) -> SelectionOwner.Destination {
        Sample.destination(Atom(UInt32(1_000 + number)))
    }

    private func decide(
        _ program: ProgramID? = one, among transfers: [TransferQuota.Transfer], besides bytes: Int = 0
    ) -> TransferQuota.Decision {
        quota.decide(program, among: transfers, besides: bytes, now: Self.now)
    }

    @Test("Below the limits every transfer is admitted, even if others are slow")
    func below() {
        #expect(decide(among: []) == .admitted)
        #expect(decide(among: [Self.transfer(1, moved: 0), Self.transfer(2)]) == .admitted)
    }

    @Test("At the total limit, a transfer is refused if no transfer is slow")
    func full() {
        let all = (1...4).map { Self.transfer($0, of: ProgramID(UInt32($0))) }
        #expect(decide(Self.one, among: all) == .refused(.transfers))
    }

    @Test("At one program's limit, its transfer is refused, and another program's transfer is admitted")
    func programFull() {
        let own = (1...3).map { Self.transfer($0) }
        #expect(decide(Self.one, among: own) == .refused(.programTransfers))
        #expect(decide(Self.two, among: own) == .admitted)
        // The program may be unknown.
        #expect(decide(nil, among: own) == .admitted)
    }

    @Test("The slowest transfer is ended for the new transfer")
    func slowest() {
        let all = [300, 200, 100, 5_000].enumerated().map { Self.transfer($0, of: ProgramID(UInt32($0)), moved: $1) }
        #expect(decide(Self.two, among: all) == .admittedEvicting(Self.id(2), .transfers))
    }

    @Test("A transfer that is young or fast enough is not ended", arguments: [(59, 0), (60, 600), (100, 1_000)])
    func notSlow(age: Int, moved: Int) {
        let others = (2...4).map { Self.transfer($0, of: nil) }
        #expect(decide(among: others + [Self.transfer(1, age: age, moved: moved)]) == .refused(.transfers))
    }

    @Test("A transfer just old enough and one byte too slow is ended")
    func justSlow() {
        let others = (2...4).map { Self.transfer($0, of: nil) }
        let slow = Self.transfer(1, age: 60, moved: 599)
        #expect(decide(among: others + [slow]) == .admittedEvicting(Self.id(1), .transfers))
    }

    @Test("A transfer that has just started is never ended, whatever the limits")
    func justBegun() {
        var limits = Self.limits
        (limits.transfers, limits.slowTransferAge, limits.minTransferRate) = (1, .zero, .max)
        let decision = TransferQuota(limits).decide(
            Self.two, among: [Self.transfer(1, age: 0, moved: 0)], now: Self.now)
        #expect(decision == .refused(.transfers))
    }

    @Test("At a program's own limit, only a slow transfer of that program is ended")
    func ownSlowTransfer() {
        let foreign = Self.transfer(9, of: Self.two, moved: 0)
        let own = [Self.transfer(1), Self.transfer(2)]
        #expect(decide(among: own + [Self.transfer(3), foreign]) == .refused(.programTransfers))
        #expect(
            decide(among: own + [Self.transfer(3, moved: 50), foreign])
                == .admittedEvicting(Self.id(3), .programTransfers))
    }

    @Test("A request that waits for the bridge counts, and is not ended")
    func waiting() {
        let all = (1...4).map { Self.transfer($0, of: nil, moved: 0, isEvictable: false) }
        #expect(decide(among: all) == .refused(.transfers))
    }

    @Test("Shared bytes count once, however many transfers hold them")
    func shared() {
        let held = TransferQuota.Held(name: 1, length: 500)
        let transfers = [Self.transfer(1, held: [held]), Self.transfer(2, held: [held])]
        #expect(quota.held(by: transfers) == 500)
        #expect(decide(among: transfers) == .admitted)
        #expect(quota.room(for: Self.one, among: transfers) == (100, .programBytes))
        #expect(quota.room(for: Self.two, among: transfers) == (500, .bytes))
        #expect(quota.room(for: nil, among: transfers, besides: 700) == (0, .bytes))
    }

    @Test("At the limit of bytes a transfer is refused; the limit of a program is separate")
    func bytes() {
        let own = [Self.transfer(1, held: [.init(name: 1, length: 600)])]
        #expect(decide(Self.one, among: own) == .refused(.programBytes))
        #expect(decide(Self.two, among: own) == .admitted)
        #expect(decide(Self.two, among: own, besides: 400) == .refused(.bytes))
    }

    @Test("For bytes, only a transfer that holds bytes is ended, and only if its end makes room")
    func bytesOfSlowTransfers() {
        let held = TransferQuota.Held(name: 1, length: 1_000)
        let slow = Self.transfer(1, of: Self.two, moved: 10, held: [held])
        let idle = Self.transfer(2, of: nil, moved: 0)
        #expect(decide(among: [slow, idle]) == .admittedEvicting(Self.id(1), .bytes))
        let sharer = Self.transfer(3, of: nil, held: [held])
        #expect(decide(among: [slow, idle, sharer]) == .refused(.bytes))
    }

    @Test("A request waiting at the same property as the ended transfer still counts")
    func waitsBeside() {
        let held = TransferQuota.Held(name: 1, length: 600)
        let slow = Self.transfer(1, moved: 0)
        let waiting = Self.transfer(1, held: [held], isEvictable: false)
        #expect(decide(among: [slow, waiting, Self.transfer(2)]) == .refused(.programBytes))
    }

    @Test("The oldest of equally slow transfers is ended, whatever their order")
    func oldest() {
        let all = [(1, 70), (2, 90), (3, 80)].map { Self.transfer($0.0, age: $0.1, moved: 0) }
        #expect(decide(among: all) == .admittedEvicting(Self.id(2), .programTransfers))
        #expect(decide(among: all.reversed()) == .admittedEvicting(Self.id(2), .programTransfers))
    }

    @Test("If the limits were lowered and ending one transfer is not enough, the new transfer is refused")
    func lowered() {
        let all = (1...9).map { Self.transfer($0, of: nil, moved: 0) }
        #expect(decide(among: all) == .refused(.transfers))
    }
}
