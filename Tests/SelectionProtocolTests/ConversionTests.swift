import SelectionProtocol
import Testing

@Suite struct ConversionTests {
    private typealias Reading = Conversion.Reading

    private var machine = Conversion(
        atoms: Sample.atoms, limits: Sample.limits, idleTimeout: .seconds(5), now: Sample.start)
    private let now = Sample.start

    private mutating func handle(_ event: Conversion.Event, at time: Duration = .zero) -> [Conversion.Effect] {
        machine.handle(event, now: now + time)
    }

    private static func reading(_ length: Int, type: Atom = Sample.utf8, format: Int = 8) -> Conversion.Event {
        .read(Reading(type: type, format: format, length: length))
    }

    private static let absent = reading(0, type: .none, format: 0)

    private static let incr = Conversion.Event.read(
        Reading(type: Sample.atoms.incr, format: 32, length: 4, firstWord: 10))

    private mutating func begin() {
        _ = handle(.notified(property: Sample.property))
        _ = handle(Self.incr)
    }

    // MARK: Answers without INCR

    @Test("An answer is read, stored and finished with its type", arguments: [0, 1, 1_000_000])
    mutating func plain(length: Int) {
        #expect(handle(.notified(property: Sample.property)) == [.read])
        #expect(handle(Self.reading(length)) == [.store, .finish(type: Sample.utf8, format: 8), .close])
        #expect(machine.deadline == nil)
    }

    @Test("A refusal fails at once")
    mutating func refused() {
        #expect(handle(.notified(property: .none)) == [.fail(.refused), .close])
    }

    @Test("A notify with a property that was never written is a refusal")
    mutating func refusedInDisguise() {
        _ = handle(.notified(property: Sample.property))
        #expect(handle(Self.absent) == [.fail(.refused), .close])
    }

    @Test("A property written before the notify is read after the notify")
    mutating func earlyWrite() {
        #expect(handle(.propertyWritten) == [])
        #expect(handle(.notified(property: Sample.property)) == [.read])
    }

    @Test("No event has an effect after the end")
    mutating func afterTheEnd() {
        _ = handle(.notified(property: .none))
        for event in [.notified(property: Sample.property), .propertyWritten, Self.reading(3), .ownerGone, .cancelled] {
            #expect(handle(event) == [])
        }
        #expect(machine.expire(now: now + .seconds(100)) == [])
    }

    @Test("A property replaced while it was read is rejected")
    mutating func changed() {
        _ = handle(.notified(property: Sample.property))
        let changed = Reading(type: Sample.utf8, format: 8, length: 3, isChanged: true)
        #expect(handle(.read(changed)) == [.fail(.inconsistent), .close])
    }

    // MARK: INCR

    @Test("A chunk replaced while it was read fails the conversion, and the rest is drained")
    mutating func changedPiece() {
        begin()
        let changed = Reading(type: Sample.utf8, format: 8, length: 3, isChanged: true)
        #expect(handle(.read(changed)) == [.fail(.inconsistent)])
        #expect(machine.isReceiving)
    }

    @Test("INCR: each new value is a chunk, and an empty value is the end")
    mutating func incremental() {
        begin()
        for _ in 0..<3 {
            #expect(handle(.propertyWritten) == [.read])
            #expect(handle(Self.reading(10)) == [.store])
        }
        #expect(handle(.propertyWritten) == [.read])
        #expect(handle(Self.reading(0)) == [.finish(type: Sample.utf8, format: 8), .close])
    }

    @Test("INCR: the notice of the INCR property itself finds no value, and is not the end")
    mutating func ownNotice() {
        begin()
        #expect(handle(.propertyWritten) == [.read])
        #expect(handle(Self.absent) == [])
        #expect(handle(Self.reading(10)) == [.store])
    }

    @Test("INCR: the value may be empty", arguments: [Atom.none, Sample.utf8])
    mutating func incrementalEmpty(type: Atom) {
        begin()
        let format = type == .none ? 0 : 8
        let effects = handle(Self.reading(0, type: type, format: format))
        #expect(effects == (type == .none ? [] : [.finish(type: type, format: format), .close]))
    }

    @Test("INCR: the announced length is a lower bound, zero, absent or wrong", arguments: [nil, 0, 1, 4_294_967_295])
    mutating func anyHint(hint: UInt32?) {
        _ = handle(.notified(property: Sample.property))
        let header = Reading(type: Sample.atoms.incr, format: 32, length: hint == nil ? 0 : 4, firstWord: hint)
        #expect(handle(.read(header)) == [])
        #expect(handle(Self.reading(10)) == [.store])
    }

    @Test("INCR: a second INCR property is neither a chunk nor the end", arguments: [0, 4])
    mutating func begunTwice(length: Int) {
        begin()
        #expect(handle(Self.reading(length, type: Sample.atoms.incr, format: 32)) == [.fail(.inconsistent)])
    }

    @Test("INCR: a chunk of another type or format is an error", arguments: [(Sample.png, 8), (Sample.utf8, 32)])
    mutating func inconsistent(type: Atom, format: Int) {
        begin()
        _ = handle(Self.reading(10))
        #expect(handle(Self.reading(12, type: type, format: format)) == [.fail(.inconsistent)])
    }

    @Test("INCR: the empty chunk may have another type, and the first chunk's type counts")
    mutating func typeOfTheEnd() {
        begin()
        _ = handle(Self.reading(10))
        #expect(handle(Self.reading(0, type: Sample.png)) == [.finish(type: Sample.utf8, format: 8), .close])
    }

    @Test("INCR: a hundred thousand chunks of one byte are all stored")
    mutating func manySmallPieces() {
        begin()
        for _ in 0..<100_000 {
            guard handle(Self.reading(1)) == [.store] else {
                Issue.record("a chunk was not stored")
                return
            }
        }
        #expect(handle(Self.reading(0)) == [.finish(type: Sample.utf8, format: 8), .close])
    }

    @Test("A second notify during INCR is ignored")
    mutating func doubleNotify() {
        begin()
        #expect(handle(.notified(property: Sample.property)) == [])
        #expect(handle(.notified(property: .none)) == [])
    }

    // MARK: Timeouts

    @Test("Without an answer a conversion times out, and its window stays while the owner owns the selection")
    mutating func silent() {
        #expect(machine.deadline == now + .seconds(5))
        #expect(machine.expire(now: now + .seconds(4)) == [])
        #expect(machine.expire(now: now + .seconds(5)) == [.fail(.silent)])
        #expect(machine.isAwaitingOwner && machine.deadline == nil)
        #expect(machine.expire(now: now + .seconds(1_000_000)) == [])
        #expect(handle(.ownerReplaced, at: .seconds(1_000_000)) == [])
        #expect(machine.deadline == now + .seconds(1_000_030))
        #expect(handle(.ownerReplaced, at: .seconds(1_000_010)) == [])
        #expect(machine.expire(now: now + .seconds(1_000_030)) == [.close])
    }

    @Test("An owner that dies before its first answer is no longer awaited")
    mutating func silentEnd() {
        _ = machine.expire(now: now + .seconds(5))
        #expect(handle(.ownerGone, at: .seconds(6)) == [.close])
    }

    @Test("A late answer is read, and the window is closed")
    mutating func lateAnswer() {
        _ = machine.expire(now: now + .seconds(5))
        #expect(handle(.notified(property: Sample.property), at: .seconds(6)) == [.read])
        #expect(handle(Self.reading(10), at: .seconds(6)) == [.close])
    }

    @Test("A late INCR is drained to its end, so that its owner is not blocked")
    mutating func lateIncrement() {
        _ = machine.expire(now: now + .seconds(5))
        #expect(handle(.notified(property: Sample.property), at: .seconds(6)) == [.read])
        #expect(handle(Self.incr, at: .seconds(6)) == [])
        #expect(handle(.propertyWritten, at: .seconds(7)) == [.read])
        #expect(handle(Self.reading(10), at: .seconds(7)) == [])
        #expect(machine.deadline == now + .seconds(37))
        #expect(handle(Self.reading(0), at: .seconds(8)) == [.close])
    }

    @Test("An owner that stops midway fails the conversion with the count received, and is drained")
    mutating func stalled() {
        begin()
        _ = handle(Self.reading(10), at: .seconds(1))
        #expect(machine.deadline == now + .seconds(6))
        #expect(machine.expire(now: now + .seconds(6)) == [.fail(.stalled(received: 10))])
        #expect(handle(.propertyWritten, at: .seconds(7)) == [.read])
        #expect(handle(Self.reading(0), at: .seconds(7)) == [.close])
    }

    @Test("A chunk just before each deadline keeps a slow transfer alive")
    mutating func slow() {
        begin()
        for chunk in 1...15 {
            let time = Duration.seconds(4 * chunk)
            #expect(machine.expire(now: now + time) == [])
            #expect(handle(Self.reading(1), at: time) == [.store])
        }
    }

    // MARK: Endings

    @Test("An owner that dies fails the conversion at once")
    mutating func ownerGone() {
        #expect(handle(.ownerGone) == [.fail(.ownerGone), .close])
    }

    @Test("After another program took the selection, a late answer is drained")
    mutating func ownerReplaced() {
        #expect(handle(.ownerReplaced) == [.fail(.ownerReplaced)])
        #expect(machine.deadline == now + .seconds(30))
        #expect(handle(.notified(property: .none)) == [.close])
    }

    @Test("A cancelled conversion is drained")
    mutating func cancelled() {
        begin()
        #expect(handle(.cancelled) == [.fail(.cancelled)])
        #expect(handle(.propertyWritten) == [.read])
        #expect(handle(Self.reading(10)) == [])
        #expect(handle(Self.reading(0)) == [.close])
    }

    @Test("An owner that sends forever is drained for five minutes")
    mutating func endless() {
        begin()
        _ = handle(.cancelled)
        for second in stride(from: 20, to: 300, by: 20) {
            #expect(machine.expire(now: now + .seconds(second)) == [])
            #expect(handle(Self.reading(1), at: .seconds(second)) == [])
        }
        #expect(machine.deadline == now + .seconds(300))
        #expect(machine.expire(now: now + .seconds(300)) == [.close])
    }

    @Test("A value over the limit is refused by its length, its announced length or its chunks")
    mutating func tooLong() {
        var limits = Sample.limits
        limits.incoming = 15
        let fresh = Conversion(atoms: Sample.atoms, limits: limits, idleTimeout: .seconds(5), now: now)

        machine = fresh
        _ = handle(.notified(property: Sample.property))
        #expect(handle(Self.reading(16)) == [.fail(.tooLong), .close])

        machine = fresh
        _ = handle(.notified(property: Sample.property))
        let header = Reading(type: Sample.atoms.incr, format: 32, length: 4, firstWord: 16)
        #expect(handle(.read(header)) == [.fail(.tooLong)])

        machine = fresh
        begin()
        #expect(handle(Self.reading(10)) == [.store])
        #expect(handle(Self.reading(6)) == [.fail(.tooLong)])
    }

    @Test("A transfer that is evicted for a new transfer fails as too slow, and reads nothing more")
    mutating func ended() {
        begin()
        #expect(handle(Self.reading(10)) == [.store])
        #expect(handle(.evicted) == [.fail(.tooSlow(received: 10)), .close])
        #expect(handle(.propertyWritten) == [])
        #expect(machine.deadline == nil)
    }

    @Test("A drained transfer is closed at once for a new transfer")
    mutating func endedDrain() {
        begin()
        _ = handle(.cancelled)
        #expect(handle(.evicted) == [.close])
        #expect(handle(.evicted) == [])
    }
}
