import Configuration
import LinuxSystem
import PasteboardWire
import SelectionProtocol
import SystemPackage
import TestSupport
import Testing

@testable import Bridge
@testable import FormatConversion
@testable import X11Bridge
@testable import X11Display

/// The display thread's limits, on a real server.
@Suite(.requiresXvfb, .serialized) struct DisplaySessionLimitsTests {
    private final class Told {
        var reports: [DisplayReport] = []

        private var outcomes: [(offer: OfferID, outcome: ClaimOutcome)] = []

        var claimed: Int { outcomes.count { $0.outcome == .done } }
        var nameless: Int { outcomes.count { $0.outcome == .nameLimit } }

        /// Claims a selection, and notes the outcome.
        func claim(
            _ offer: Offer, _ claim: SelectionClaim = .always, on session: DisplaySession,
            until deadline: ContinuousClock.Instant
        ) {
            outcomes.append((offer.id, session.claim(offer, claim, until: deadline)))
        }
        var failures: [Conversion.Failure] {
            reports.compactMap { if case .converted(_, .failure(let failure)) = $0 { failure } else { nil } }
        }
        var found: [String] {
            reports.compactMap { if case .found(let selection, _) = $0 { selection } else { nil } }
        }
    }

    private static let selection = "CLIPBOARD"
    private let told = Told()
    private let counters = DisplayCounters()
    private let soon = ContinuousClock.now + .seconds(60)

    private func session(_ limits: Configuration.Limits) throws -> DisplaySession {
        let session = try DisplaySession(
            opening: try #require(Xvfb.display), replacing: true, limits: limits, counters: counters
        ) { [told] in told.reports.append($0) }
        session.watch(Self.selection)
        return session
    }

    private static func limits(_ change: (inout Configuration.Limits) -> Void) -> Configuration.Limits {
        var limits = Configuration.Limits()
        change(&limits)
        return limits
    }

    /// A name that no client of the server has used.
    private func newName(_ length: Int = 40) -> String {
        let name = "XPB_NEW_\(UInt64.random(in: .min ... .max))_"
        return name + String(repeating: "x", count: max(length - name.utf8.count, 0))
    }

    /// A megabyte under these names.
    private func offer(_ number: Int = 1, on selection: String = selection, as names: [String]) throws -> Offer {
        let file = try MemoryFile.containing([UInt8](repeating: 0x61, count: 1 << 20))
        return Offer(
            id: OfferID(number), selection: selection, targets: names.map { .init(name: $0, type: $0, body: 0) },
            bodies: [.init(content: .held(.init(.file(file), 0..<file.length)))])
    }

    private func settle(_ session: DisplaySession) {
        for _ in 0..<2 {
            session.display.synchronize()
            session.drainEvents(limit: 10_000)
        }
    }

    /// Another program asks, with a window of its own, and never takes what comes. Returns whether it was not refused.
    private func ask(_ target: String = "UTF8_STRING", by asker: XDisplay, of session: DisplaySession) -> Bool {
        let window = asker.createWindow(for: .requestor)
        asker.convert(
            asker.intern(Self.selection), to: asker.intern(target), into: asker.intern("ANSWER"), of: window,
            time: .current)
        asker.synchronize()
        settle(session)
        asker.synchronize()
        while let event = asker.nextEvent() {
            if case .notified(window, _, _, let property, _) = event { return property != .none }
        }
        Issue.record("there was no answer")
        return false
    }

    private func client() throws -> XDisplay { try XDisplay(opening: try #require(Xvfb.display)) }

    // MARK: Transfers

    @Test("A program beyond its limit is refused, while another is served")
    func programs() throws {
        let session = try session(Self.limits { $0.programTransfers = 2 })
        told.claim(try offer(as: ["UTF8_STRING"]), on: session, until: soon)
        let (greedy, modest) = (try client(), try client())
        #expect((0..<5).map { _ in ask(by: greedy, of: session) } == [true, true, false, false, false])
        #expect(ask(by: modest, of: session))
        #expect(counters.refusals.count(of: .programTransfers) == 3)
        let traffic = session.traffic(now: .now)
        #expect(traffic.use.transfers == 3)
        #expect(traffic.use.programTransfers == 2)
        #expect(traffic.transfers.count == 3)
        #expect(
            traffic.transfers.allSatisfy { $0.length == 1 << 20 && $0.process != nil && $0.target == "UTF8_STRING" })
    }

    @Test("Where transfers drip, the slowest ends for each newcomer")
    func drips() throws {
        let limits = Self.limits { ($0.transfers, $0.dripAge, $0.dripRate) = (3, 0, .max) }
        let session = try session(limits)
        told.claim(try offer(as: ["UTF8_STRING"]), on: session, until: soon)
        let drippers = try client()
        for _ in 0..<6 { #expect(ask(by: drippers, of: session)) }
        #expect(ask(by: try client(), of: session))
        #expect(session.traffic(now: .now).use.transfers == 3)
        #expect(counters.refusals.count(of: .slowTransfer) == 4)
        #expect(session.traffic(now: .now).ended == [.transfers: 4])
    }

    @Test("A conversion that drips ends for a requestor, and one that is asked for ends a send that drips")
    func bothWays() throws {
        let limits = Self.limits { ($0.transfers, $0.dripAge, $0.dripRate) = (1, 0, .max) }
        let session = try session(limits)
        let owner = try client()
        let other = owner.intern("PRIMARY")
        owner.setOwner(of: other, to: owner.createWindow(for: .owner), time: owner.serverTime())
        owner.synchronize()
        told.claim(try offer(as: ["UTF8_STRING"]), on: session, until: soon)
        session.convert("PRIMARY", to: "STRING", ticket: Ticket(number: 2), idleTimeout: .seconds(60))
        settle(session)
        #expect(ask(by: try client(), of: session))
        #expect(told.failures == [.dripped(received: 0)])
        session.convert("PRIMARY", to: "STRING", ticket: Ticket(number: 3), idleTimeout: .seconds(60))
        #expect(told.failures.count == 1)
        #expect(session.ownerDriver.transferCount == 0)
        #expect(session.requestor.transferCount == 1)
    }

    @Test("What is asked of an owner beyond its limit fails at once, and names the limit")
    func conversions() throws {
        let session = try session(Self.limits { $0.programTransfers = 1 })
        let owner = try client()
        owner.setOwner(
            of: owner.intern(Self.selection), to: owner.createWindow(for: .owner), time: owner.serverTime())
        owner.synchronize()
        settle(session)
        for number in 1...2 {
            session.convert(Self.selection, to: "STRING", ticket: Ticket(number: number), idleTimeout: .seconds(60))
        }
        #expect(told.failures == [.limit(.programTransfers)])
        #expect(session.requestor.transferCount == 1)
    }

    @Test("Bytes of a version that is not offered any more count until they are sent")
    func retired() throws {
        let session = try session(Self.limits { $0.transferBytes = 1 << 20 })
        told.claim(try offer(1, as: ["UTF8_STRING"]), on: session, until: soon)
        let asker = try client()
        #expect(ask(by: asker, of: session))
        #expect(ask(by: asker, of: session))
        told.claim(try offer(2, as: ["UTF8_STRING"]), on: session, until: soon)
        settle(session)
        #expect(session.heldBytes == 1 << 20)
        #expect(!ask(by: asker, of: session))
        #expect(counters.refusals.count(of: .transferBytes) == 1)
    }

    @Test("What clients upload counts, too")
    func uploads() throws {
        let session = try session(Self.limits { $0.transferBytes = 1_000 })
        told.claim(try offer(as: ["UTF8_STRING"]), on: session, until: soon)
        let asker = try client()
        session.bytes.upload(1_000)
        #expect(!ask(by: asker, of: session))
        session.bytes.upload(-1)
        #expect(ask(by: asker, of: session))
        #expect(session.traffic(now: .now).use.bytes == 999)
    }

    @Test("Lower limits count from the next newcomer on")
    func changed() throws {
        let session = try session(Configuration.Limits())
        told.claim(try offer(as: ["UTF8_STRING"]), on: session, until: soon)
        let asker = try client()
        #expect(ask(by: asker, of: session))
        session.apply(Self.limits { $0.transfers = 1 })
        #expect(!ask(by: asker, of: session))
        #expect(session.traffic(now: .now).use.transfers == 1)
    }

    @Test("More bytes than there is room for are not taken, and the failure names the limit")
    func noRoom() throws {
        let session = try session(Self.limits { $0.programBytes = 1_000 })
        let owner = try client()
        owner.setOwner(
            of: owner.intern(Self.selection), to: owner.createWindow(for: .owner), time: owner.serverTime())
        owner.synchronize()
        settle(session)
        session.convert(Self.selection, to: "STRING", ticket: Ticket(number: 1), idleTimeout: .seconds(60))
        session.display.synchronize()
        owner.synchronize()
        while let event = owner.nextEvent() {
            guard case .request(let request) = event else { continue }
            owner.write([UInt32](repeating: 1, count: 251), to: request.property, of: request.requestor, type: .string)
            owner.notify(request, property: request.property)
        }
        owner.synchronize()
        settle(session)
        #expect(told.failures == [.limit(.programBytes)])
        #expect(counters.refusals.count(of: .programBytes) == 1)
        #expect(session.heldBytes == 0)
    }

    /// What becomes of a conversion that its owner answers by these words, at once.
    private func failures(
        of target: String, answered words: [UInt32], as type: String, in session: DisplaySession
    ) throws -> [Conversion.Failure] {
        let owner = try client()
        owner.setOwner(
            of: owner.intern(Self.selection), to: owner.createWindow(for: .owner), time: owner.serverTime())
        owner.synchronize()
        settle(session)
        session.convert(Self.selection, to: target, ticket: Ticket(number: 1), idleTimeout: .seconds(60))
        session.display.synchronize()
        owner.synchronize()
        while let event = owner.nextEvent() {
            guard case .request(let request) = event else { continue }
            owner.write(words, to: request.property, of: request.requestor, type: owner.intern(type))
            owner.notify(request, property: request.property)
        }
        owner.synchronize()
        settle(session)
        return told.failures
    }

    @Test("What is longer than is taken in one piece is too long", arguments: [true, false])
    func longProperty(isTooLong: Bool) throws {
        let session = try session(Configuration.Limits())
        session.requestor.maxPropertyLength = 4_000
        let words = [UInt32](repeating: 1, count: isTooLong ? 1_001 : 1_000)
        #expect(
            try failures(of: "STRING", answered: words, as: "STRING", in: session) == (isTooLong ? [.tooLong] : []))
        #expect(session.transferCount == 0)
        #expect(session.heldBytes == 0)
    }

    @Test("A list of targets that nobody would read to its end is too long")
    func longList() throws {
        let session = try session(Configuration.Limits())
        let words = [UInt32](repeating: 31, count: 1 << 18)
        #expect(try failures(of: "TARGETS", answered: words, as: "ATOM", in: session) == [])
        #expect(try failures(of: "TARGETS", answered: words + [31], as: "ATOM", in: session) == [.tooLong])
        #expect(session.transferCount == 0)
    }

    // MARK: Requests

    @Test("Requests in the bridge's own name are refused, and it claims and reads on")
    func ownName() throws {
        let session = try session(Configuration.Limits())
        told.claim(try offer(1, as: ["UTF8_STRING"]), on: session, until: soon)
        let stranger = try client()
        let selection = stranger.intern(Self.selection)
        let own = stranger.owner(of: selection).id & ~stranger.windowBits
        // Whatever windows it has by now. The second question takes back what the first may have begun.
        for window in own..<own + 64 {
            for target in ["UTF8_STRING", "TARGETS", "MULTIPLE"] {
                stranger.convert(
                    selection, to: stranger.intern(target), into: stranger.intern("ANSWER"), of: WindowID(window),
                    time: .current)
            }
        }
        stranger.synchronize()
        settle(session)
        #expect(counters.refusals.count(of: .ownWindow) > 0)
        #expect(session.transferCount == 0)
        #expect(session.display.serverTime() != .current)
        told.claim(try offer(2, as: ["UTF8_STRING"]), on: session, until: soon)
        #expect(told.claimed == 2)
        #expect(ask(by: stranger, of: session))
    }

    /// Another program asks for the pairs of a list, with a window of its own.
    private func ask(for pairs: [UInt32], by asker: XDisplay) -> WindowID {
        let (window, list) = (asker.createWindow(for: .requestor), asker.intern("LIST"))
        asker.write(pairs, to: list, of: window, type: asker.intern("ATOM_PAIR"))
        asker.convert(
            asker.intern(Self.selection), to: asker.intern("MULTIPLE"), into: list, of: window, time: .current)
        asker.synchronize()
        return window
    }

    @Test("A list of numbers that are no atoms costs the server next to nothing", arguments: [true, false])
    func noAtoms(asTargets: Bool) throws {
        let session = try session(Configuration.Limits())
        told.claim(try offer(as: ["UTF8_STRING"]), on: session, until: soon)
        settle(session)
        let asker = try client()
        let known = asker.intern("UTF8_STRING").id
        let pairs = (0..<1_024).flatMap { [asTargets ? 0x1000_0000 + $0 : known, 0x1100_0000 + $0] }
        let window = ask(for: pairs, by: asker)
        let before = session.display.exchanges
        settle(session)
        #expect(session.display.exchanges - before < 50)
        asker.synchronize()
        var answers: [Atom] = []
        while let event = asker.nextEvent() {
            if case .notified(window, _, _, let property, _) = event { answers.append(property) }
        }
        // Where no target is on offer, there is an answer, and nothing in it.
        #expect(answers == [asTargets ? asker.intern("LIST") : .none])
        #expect(counters.refusals.count(of: .badList) == (asTargets ? 0 : 1))
        let answer = asker.read(asker.intern("LIST"), of: window, maximum: 10_000).words
        #expect(!asTargets || stride(from: 1, to: answer.count, by: 2).allSatisfy { answer[$0] == 0 })
    }

    @Test("What the server is asked for a request counts like events")
    func exchanges() throws {
        let session = try session(Configuration.Limits())
        told.claim(try offer(as: ["UTF8_STRING"]), on: session, until: soon)
        settle(session)
        let asker = try client()
        let known = asker.intern("UTF8_STRING").id
        for _ in 1...3 {
            _ = ask(for: asker.intern((0..<100).map { _ in newName() }).flatMap { [known, $0.id] }, by: asker)
        }
        session.display.synchronize()
        #expect(!session.drainEvents(limit: 64))
        // Those of the first list.
        #expect(session.ownerDriver.transferCount == 100)
    }

    /// What is offered of a file that has become shorter.
    private func cut(to length: Int, of whole: Int) throws -> Offer {
        let file = try MemoryFile.containing([UInt8](repeating: 0x61, count: length))
        return Offer(
            id: OfferID(1), selection: Self.selection,
            targets: [.init(name: "UTF8_STRING", type: "UTF8_STRING", body: 0)],
            bodies: [.init(content: .held(.init(.file(file), 0..<whole)))])
    }

    @Test("Bytes that cannot be read are refused, whatever is in the property")
    func unreadable() throws {
        let session = try session(Configuration.Limits())
        told.claim(try cut(to: 10, of: 20), on: session, until: soon)
        #expect(!ask(by: try client(), of: session))
        #expect(counters.refusals.count(of: .unreadable) == 1)
    }

    @Test("A transfer of which the rest cannot be read ends with the piece of nothing")
    func unreadableRest() throws {
        let session = try session(Configuration.Limits())
        told.claim(try cut(to: 1 << 20, of: 2 << 20), on: session, until: soon)
        let asker = try client()
        let (window, property) = (asker.createWindow(for: .requestor), asker.intern("ANSWER"))
        asker.convert(
            asker.intern(Self.selection), to: asker.intern("UTF8_STRING"), into: property, of: window, time: .current)
        asker.synchronize()
        settle(session)
        #expect(asker.read(property, of: window, maximum: 4).words == [2 << 20])
        asker.synchronize()
        var length = 0
        for _ in 0..<100 {
            settle(session)
            let piece = asker.read(property, of: window, maximum: 1 << 20)
            asker.synchronize()
            length += piece.length
            guard piece.length > 0 else {
                #expect(piece.type == asker.intern("UTF8_STRING"))
                break
            }
        }
        #expect(length == 1 << 20)
        #expect(session.transferCount == 0)
        #expect(counters.refusals.count(of: .unreadable) == 1)
    }

    /// Has events come that mean nothing: notices of properties on a window of the bridge's that nobody looks at.
    private func flood(_ session: DisplaySession, by stranger: XDisplay, _ count: Int) {
        for value in 0..<count {
            stranger.write(
                [UInt32(value)], to: stranger.intern("JUNK"), of: WindowID(UInt32(session.display.clockWindow)),
                type: .integer)
        }
        stranger.synchronize()
    }

    @Test("Events that mean nothing count: commands and deadlines have their turn among them")
    func meaningless() throws {
        let session = try session(Configuration.Limits())
        flood(session, by: try client(), 1_000)
        session.display.synchronize()
        #expect(session.display.queuedEvents >= 1_000)
        #expect(!session.drainEvents(limit: 64))
        #expect(session.display.queuedEvents >= 936)
        settle(session)
        #expect(session.display.queuedEvents == 0)
    }

    @Test("Requests that wait do not hold a claim up, and are answered all the same")
    func waitingRequests() throws {
        let session = try session(Configuration.Limits())
        told.claim(try offer(1, as: ["UTF8_STRING"]), on: session, until: soon)
        settle(session)
        let stranger = try client()
        let window = stranger.createWindow(for: .requestor)
        let (selection, target) = (stranger.intern(Self.selection), stranger.intern("TARGETS"))
        for _ in 0..<2_000 {
            stranger.convert(selection, to: target, into: stranger.intern("ANSWER"), of: window, time: .current)
        }
        stranger.synchronize()
        told.claim(try offer(2, as: ["UTF8_STRING"]), on: session, until: soon)
        #expect(told.claimed == 2)
        #expect(session.display.queuedEvents > 1_000)
        settle(session)
        stranger.synchronize()
        var answers = 0
        while let event = stranger.nextEvent() {
            if case .notified(window, _, _, let property, _) = event, property != .none { answers += 1 }
        }
        #expect(answers == 2_000)
    }

    @Test(
        "Who asks once does not wait behind who asks a thousand times, and for much at a time",
        arguments: [false, true])
    func turns(asksForLists: Bool) throws {
        let session = try session(Configuration.Limits())
        told.claim(try offer(1, as: ["UTF8_STRING"]), on: session, until: soon)
        settle(session)
        let (greedy, modest) = (try client(), try client())
        let (selection, targets) = (greedy.intern(Self.selection), greedy.intern("TARGETS"))
        if asksForLists {
            // Every server has the first atoms.
            let pairs = (UInt32(1)...60).flatMap { [targets.id, $0] }
            for _ in 0..<200 { _ = ask(for: pairs, by: greedy) }
        } else {
            let window = greedy.createWindow(for: .requestor)
            for _ in 0..<2_000 {
                greedy.convert(selection, to: targets, into: greedy.intern("ANSWER"), of: window, time: .current)
            }
        }
        greedy.synchronize()
        let window = modest.createWindow(for: .requestor)
        func asks() {
            modest.convert(selection, to: targets, into: modest.intern("ANSWER"), of: window, time: .current)
            modest.synchronize()
            // The server writes to its clients one after the other: the answer to that may come before the request
            // does.
            session.display.synchronize()
        }
        func isAnswered() -> Bool {
            session.display.synchronize()
            modest.synchronize()
            while let event = modest.nextEvent() { if case .notified = event { return true } }
            return false
        }
        for _ in 0..<5 {
            asks()
            // Between two of the other's, the last of which may have been much.
            for _ in 0..<3 { session.drainEvents(limit: 64) }
            #expect(isAnswered())
        }
        #expect(session.display.queuedEvents > (asksForLists ? 100 : 1_000))
        settle(session)
        #expect(session.display.queuedEvents == 0)
    }

    @Test("What is on the connection is caught up with, though something was queued before")
    func catchUp() throws {
        let session = try session(Configuration.Limits())
        settle(session)
        let owner = try client()
        flood(session, by: owner, 10)
        session.display.synchronize()
        owner.setOwner(
            of: owner.intern(Self.selection), to: owner.createWindow(for: .owner), time: owner.serverTime())
        owner.synchronize()
        _ = try waitReadable(FileDescriptor(rawValue: session.display.fileDescriptor), until: nil)
        session.catchUp()
        let changes = told.reports.count { if case .changed = $0 { true } else { false } }
        #expect(changes == 1)
    }

    // MARK: Names

    @Test("Targets that would need more atoms than there may be are left out; the rest is served")
    func atoms() throws {
        let session = try session(Self.limits { $0.atoms = 1 })
        let names = [newName(), newName()]
        told.claim(try offer(as: ["UTF8_STRING"] + names), on: session, until: soon)
        #expect(told.claimed == 1)
        let asker = try client()
        #expect(ask(by: asker, of: session))
        #expect(ask(names[0], by: asker, of: session))
        #expect(!ask(names[1], by: asker, of: session))
        #expect(counters.refusals.count(of: .atoms) == 1)
        #expect(session.traffic(now: .now).use.atoms == 1)
    }

    @Test("However many versions with new names are offered, the server gets so many atoms")
    func flat() throws {
        let session = try session(Self.limits { $0.atoms = 10 })
        for number in 1...50 {
            let offer = try offer(number, as: ["UTF8_STRING"] + (0..<10).map { _ in newName() })
            told.claim(offer, on: session, until: soon)
        }
        #expect(told.claimed == 50)
        #expect(session.display.atomsMade == 10)
        #expect(counters.refusals.count(of: .atoms) == 490)
    }

    @Test("A pasteboard's name that needs one atom too many is refused a claim, and is read as nobody's")
    func nameless() throws {
        let session = try session(Self.limits { $0.atoms = 0 })
        let name = newName()
        session.watch(name)
        #expect(told.found == [Self.selection])
        told.claim(try offer(on: name, as: ["UTF8_STRING"]), on: session, until: soon)
        #expect(told.nameless == 1)
        #expect(told.claimed == 0)
        #expect(!session.display.isOwned(name))
        _ = session.releaseOwnership(of: name, until: soon)
        session.convert(name, to: "UTF8_STRING", ticket: Ticket(number: 3), idleTimeout: .seconds(60))
        #expect(told.failures == [.names])
        // With a higher limit it works.
        session.apply(Self.limits { $0.atoms = 1 })
        told.claim(try offer(on: name, as: ["UTF8_STRING"]), on: session, until: soon)
        #expect(told.claimed == 1)
    }

    @Test("A type whose name is too long is left out, and costs no atom")
    func typeName() throws {
        let session = try session(Self.limits { $0.typeName = 64 })
        let (long, short) = (newName(65), newName(64))
        told.claim(try offer(as: [long, short]), on: session, until: soon)
        let asker = try client()
        #expect(ask(short, by: asker, of: session))
        #expect(session.display.atomsMade == 1)
        #expect(!ask(long, by: asker, of: session))
        #expect(counters.refusals.count(of: .typeName) == 1)
    }

    @Test("An owner's types with names that are too long are left out of what is read")
    func foreignTypeName() throws {
        let session = try session(Self.limits { $0.typeName = 64 })
        let (long, short) = (newName(65), newName(64))
        let owner = try client()
        owner.setOwner(
            of: owner.intern(Self.selection), to: owner.createWindow(for: .owner), time: owner.serverTime())
        owner.synchronize()
        settle(session)
        session.convert(Self.selection, to: "TARGETS", ticket: Ticket(number: 1), idleTimeout: .seconds(60))
        session.display.synchronize()
        owner.synchronize()
        while let event = owner.nextEvent() {
            guard case .request(let request) = event else { continue }
            let list = owner.intern([long, short]).map(\.id)
            owner.write(list, to: request.property, of: request.requestor, type: .atom)
            owner.notify(request, property: request.property)
        }
        owner.synchronize()
        settle(session)
        let lists = told.reports.compactMap { report -> [String]? in
            guard case .converted(_, .success(let converted)) = report, case .targets(let names) = converted.content
            else { return nil }
            return names
        }
        #expect(lists == [[short]])
        #expect(counters.refusals.count(of: .typeName) == 1)
    }
}
