import Configuration
import LinuxSystem
import SelectionProtocol
import SystemPackage
import TestSupport
import Testing
import X11Bridge
import X11Display

/// Tests of a session's limits, on a real server.
@Suite(.requiresXvfb, .serialized) struct DisplaySessionLimitsTests {
    private final class Recorder {
        var reports: [DisplayReport] = []

        private var outcomes: [(offer: OfferID, outcome: ClaimOutcome)] = []

        var claimed: Int { outcomes.count { $0.outcome == .done } }
        var nameless: Int { outcomes.count { $0.outcome == .nameLimit } }

        /// Claims a selection and records the outcome.
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
    private let recorder = Recorder()
    private let counters = DisplayCounters()
    /// A time that no test reaches.
    private let later = ContinuousClock.now + .seconds(3_600)

    private func session(_ limits: Configuration.Limits) throws -> DisplaySession {
        let session = try DisplaySession(
            opening: try #require(Xvfb.display), replacing: true, limits: limits, counters: counters
        ) { [recorder] in recorder.reports.append($0) }
        session.watch(Self.selection)
        return session
    }

    private static func limits(_ change: (inout Configuration.Limits) -> Void) -> Configuration.Limits {
        var limits = Configuration.Limits()
        change(&limits)
        return limits
    }

    /// Returns a name that no client of the server has used.
    private func newName(_ length: Int = 40) -> String {
        let name = "XPB_NEW_\(UInt64.random(in: .min ... .max))_"
        return name + String(repeating: "x", count: max(length - name.utf8.count, 0))
    }

    /// Returns an offer of a mebibyte under `names`.
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

    /// Requests a target as the client `asker`, with a new window, and never reads the contents.
    ///
    /// - Returns: True if the request is not refused.
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

    @Test("A program beyond its limit is refused, and another program is served")
    func programs() throws {
        let session = try session(Self.limits { $0.programTransfers = 2 })
        recorder.claim(try offer(as: ["UTF8_STRING"]), on: session, until: later)
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

    @Test("Beyond the limit, the slowest transfer ends for each new transfer")
    func slowTransfers() throws {
        let limits = Self.limits { ($0.transfers, $0.dripAge, $0.dripRate) = (3, 0, .max) }
        let session = try session(limits)
        recorder.claim(try offer(as: ["UTF8_STRING"]), on: session, until: later)
        let slow = try client()
        for _ in 0..<6 { #expect(ask(by: slow, of: session)) }
        #expect(ask(by: try client(), of: session))
        #expect(session.traffic(now: .now).use.transfers == 3)
        #expect(counters.refusals.count(of: .slowTransfer) == 4)
        #expect(session.traffic(now: .now).evicted == [.transfers: 4])
    }

    @Test("A slow conversion ends for a new send, and a slow send for a new conversion")
    func bothWays() throws {
        let limits = Self.limits { ($0.transfers, $0.dripAge, $0.dripRate) = (1, 0, .max) }
        let session = try session(limits)
        let owner = try client()
        let other = owner.intern("PRIMARY")
        owner.setOwner(of: other, to: owner.createWindow(for: .owner), time: owner.serverTime())
        owner.synchronize()
        recorder.claim(try offer(as: ["UTF8_STRING"]), on: session, until: later)
        session.convert(.init(Ticket(number: 2), of: "PRIMARY", to: "STRING", idleTimeout: .seconds(60)))
        settle(session)
        #expect(ask(by: try client(), of: session))
        #expect(recorder.failures == [.tooSlow(received: 0)])
        session.convert(.init(Ticket(number: 3), of: "PRIMARY", to: "STRING", idleTimeout: .seconds(60)))
        #expect(recorder.failures.count == 1)
        #expect(session.ownerDriver.transferCount == 0)
        #expect(session.requestor.transferCount == 1)
    }

    @Test("A conversion beyond the limit of its owner fails at once and names the limit")
    func conversions() throws {
        let session = try session(Self.limits { $0.programTransfers = 1 })
        let owner = try client()
        owner.setOwner(
            of: owner.intern(Self.selection), to: owner.createWindow(for: .owner), time: owner.serverTime())
        owner.synchronize()
        settle(session)
        for number in 1...2 {
            session.convert(.init(Ticket(number: number), of: Self.selection, to: "STRING", idleTimeout: .seconds(60)))
        }
        #expect(recorder.failures == [.limit(.programTransfers)])
        #expect(session.requestor.transferCount == 1)
    }

    @Test("The bytes of a retired version count while a transfer of them is under way")
    func retired() throws {
        let session = try session(Self.limits { $0.transferBytes = 1 << 20 })
        recorder.claim(try offer(1, as: ["UTF8_STRING"]), on: session, until: later)
        let asker = try client()
        #expect(ask(by: asker, of: session))
        #expect(ask(by: asker, of: session))
        recorder.claim(try offer(2, as: ["UTF8_STRING"]), on: session, until: later)
        settle(session)
        #expect(session.heldBytes == 1 << 20)
        #expect(!ask(by: asker, of: session))
        #expect(counters.refusals.count(of: .transferBytes) == 1)
    }

    @Test("Clients' uploads also count towards the limit on bytes")
    func uploads() throws {
        let session = try session(Self.limits { $0.transferBytes = 1_000 })
        recorder.claim(try offer(as: ["UTF8_STRING"]), on: session, until: later)
        let asker = try client()
        session.bytes.addUploaded(1_000)
        #expect(!ask(by: asker, of: session))
        session.bytes.addUploaded(-1)
        #expect(ask(by: asker, of: session))
        #expect(session.traffic(now: .now).use.bytes == 999)
    }

    @Test("Lower limits apply from the next transfer on")
    func changed() throws {
        let session = try session(Configuration.Limits())
        recorder.claim(try offer(as: ["UTF8_STRING"]), on: session, until: later)
        let asker = try client()
        #expect(ask(by: asker, of: session))
        session.apply(Self.limits { $0.transfers = 1 })
        #expect(!ask(by: asker, of: session))
        #expect(session.traffic(now: .now).use.transfers == 1)
    }

    @Test("More bytes than the limit allows are not stored, and the failure names the limit")
    func noRoom() throws {
        let session = try session(Self.limits { $0.programBytes = 1_000 })
        let owner = try client()
        owner.setOwner(
            of: owner.intern(Self.selection), to: owner.createWindow(for: .owner), time: owner.serverTime())
        owner.synchronize()
        settle(session)
        session.convert(.init(Ticket(number: 1), of: Self.selection, to: "STRING", idleTimeout: .seconds(60)))
        session.display.synchronize()
        owner.synchronize()
        while let event = owner.nextEvent() {
            guard case .request(let request) = event else { continue }
            owner.write([UInt32](repeating: 1, count: 251), to: request.property, of: request.requestor, type: .string)
            owner.notify(request, property: request.property)
        }
        owner.synchronize()
        settle(session)
        #expect(recorder.failures == [.limit(.programBytes)])
        #expect(counters.refusals.count(of: .programBytes) == 1)
        #expect(session.heldBytes == 0)
    }

    /// Returns the failures after an owner has answered a conversion with `words` in one piece.
    private func failures(
        of target: String, answered words: [UInt32], as type: String, in session: DisplaySession
    ) throws -> [Conversion.Failure] {
        let owner = try client()
        owner.setOwner(
            of: owner.intern(Self.selection), to: owner.createWindow(for: .owner), time: owner.serverTime())
        owner.synchronize()
        settle(session)
        session.convert(.init(Ticket(number: 1), of: Self.selection, to: target, idleTimeout: .seconds(60)))
        session.display.synchronize()
        owner.synchronize()
        while let event = owner.nextEvent() {
            guard case .request(let request) = event else { continue }
            owner.write(words, to: request.property, of: request.requestor, type: owner.intern(type))
            owner.notify(request, property: request.property)
        }
        owner.synchronize()
        settle(session)
        return recorder.failures
    }

    @Test("A property beyond the maximum length of one piece is too long", arguments: [true, false])
    func longProperty(isTooLong: Bool) throws {
        let session = try session(Configuration.Limits())
        session.requestor.maxPropertyLength = 4_000
        let words = [UInt32](repeating: 1, count: isTooLong ? 1_001 : 1_000)
        #expect(
            try failures(of: "STRING", answered: words, as: "STRING", in: session) == (isTooLong ? [.tooLong] : []))
        #expect(session.transferCount == 0)
        #expect(session.heldBytes == 0)
    }

    @Test("A list of targets beyond the maximum length is too long")
    func longList() throws {
        let session = try session(Configuration.Limits())
        let words = [UInt32](repeating: 31, count: 1 << 18)
        #expect(try failures(of: "TARGETS", answered: words, as: "ATOM", in: session) == [])
        #expect(try failures(of: "TARGETS", answered: words + [31], as: "ATOM", in: session) == [.tooLong])
        #expect(session.transferCount == 0)
    }

    // MARK: Requests

    @Test("Requests for the bridge's own windows are refused without side effects")
    func ownName() throws {
        let session = try session(Configuration.Limits())
        recorder.claim(try offer(1, as: ["UTF8_STRING"]), on: session, until: later)
        let stranger = try client()
        let selection = stranger.intern(Self.selection)
        let own = stranger.owner(of: selection).id & ~stranger.windowBits
        // These are all windows that the bridge may have. The text comes last, since a later request would end its
        // transfer.
        for window in own..<own + 64 {
            for target in ["TARGETS", "MULTIPLE", "UTF8_STRING"] {
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
        recorder.claim(try offer(2, as: ["UTF8_STRING"]), on: session, until: later)
        #expect(recorder.claimed == 2)
        #expect(ask(by: stranger, of: session))
    }

    /// Requests a list of pairs as the client `asker`, and returns the new window of the request.
    private func ask(for pairs: [UInt32], by asker: XDisplay) -> WindowID {
        let (window, list) = (asker.createWindow(for: .requestor), asker.intern("LIST"))
        asker.write(pairs, to: list, of: window, type: asker.intern("ATOM_PAIR"))
        asker.convert(
            asker.intern(Self.selection), to: asker.intern("MULTIPLE"), into: list, of: window, time: .current)
        asker.synchronize()
        return window
    }

    @Test("A list of numbers that are not atoms causes few round trips", arguments: [true, false])
    func noAtoms(asTargets: Bool) throws {
        let session = try session(Configuration.Limits())
        recorder.claim(try offer(as: ["UTF8_STRING"]), on: session, until: later)
        settle(session)
        let asker = try client()
        let known = asker.intern("UTF8_STRING").id
        let pairs = (0..<1_024).flatMap { [asTargets ? 0x1000_0000 + $0 : known, 0x1100_0000 + $0] }
        let window = ask(for: pairs, by: asker)
        let before = session.display.roundTrips
        settle(session)
        #expect(session.display.roundTrips - before < 50)
        asker.synchronize()
        var answers: [Atom] = []
        while let event = asker.nextEvent() {
            if case .notified(window, _, _, let property, _) = event { answers.append(property) }
        }
        // If no target is on offer, the answer is a list without properties.
        #expect(answers == [asTargets ? asker.intern("LIST") : .none])
        #expect(counters.refusals.count(of: .badList) == (asTargets ? 0 : 1))
        let answer = asker.read(asker.intern("LIST"), of: window, maximum: 10_000).words
        #expect(!asTargets || stride(from: 1, to: answer.count, by: 2).allSatisfy { answer[$0] == 0 })
    }

    @Test("Round trips to the server count like events")
    func exchanges() throws {
        let session = try session(Configuration.Limits())
        recorder.claim(try offer(as: ["UTF8_STRING"]), on: session, until: later)
        settle(session)
        let asker = try client()
        let known = asker.intern("UTF8_STRING").id
        for _ in 1...3 {
            _ = ask(for: asker.intern((0..<100).map { _ in newName() }).flatMap { [known, $0.id] }, by: asker)
        }
        session.display.synchronize()
        #expect(!session.drainEvents(limit: 64))
        // These are the transfers of the first list.
        #expect(session.ownerDriver.transferCount == 100)
    }

    /// Returns an offer of a file that has become shorter.
    private func cut(to length: Int, of whole: Int) throws -> Offer {
        let file = try MemoryFile.containing([UInt8](repeating: 0x61, count: length))
        return Offer(
            id: OfferID(1), selection: Self.selection,
            targets: [.init(name: "UTF8_STRING", type: "UTF8_STRING", body: 0)],
            bodies: [.init(content: .held(.init(.file(file), 0..<whole)))])
    }

    @Test("A request for bytes that cannot be read is refused")
    func unreadable() throws {
        let session = try session(Configuration.Limits())
        recorder.claim(try cut(to: 10, of: 20), on: session, until: later)
        #expect(!ask(by: try client(), of: session))
        #expect(counters.refusals.count(of: .unreadable) == 1)
    }

    @Test("A transfer whose rest cannot be read ends with an empty piece")
    func unreadableRest() throws {
        let session = try session(Configuration.Limits())
        recorder.claim(try cut(to: 1 << 20, of: 2 << 20), on: session, until: later)
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

    /// Sends events without effect: notices of properties that the bridge does not read, on one of its windows.
    private func flood(_ session: DisplaySession, by stranger: XDisplay, _ count: Int) {
        for value in 0..<count {
            stranger.write(
                [UInt32(value)], to: stranger.intern("JUNK"), of: session.display.clock,
                type: .integer)
        }
        stranger.synchronize()
    }

    @Test("Events without effect count, so commands and deadlines have their turn among them")
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

    @Test("Queued requests do not delay a claim, and are answered after it")
    func waitingRequests() throws {
        let session = try session(Configuration.Limits())
        recorder.claim(try offer(1, as: ["UTF8_STRING"]), on: session, until: later)
        settle(session)
        let stranger = try client()
        let window = stranger.createWindow(for: .requestor)
        let (selection, target) = (stranger.intern(Self.selection), stranger.intern("TARGETS"))
        for _ in 0..<2_000 {
            stranger.convert(selection, to: target, into: stranger.intern("ANSWER"), of: window, time: .current)
        }
        stranger.synchronize()
        recorder.claim(try offer(2, as: ["UTF8_STRING"]), on: session, until: later)
        #expect(recorder.claimed == 2)
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
        "A single request does not wait for another program's many or long requests",
        arguments: [false, true])
    func turns(asksForLists: Bool) throws {
        let session = try session(Configuration.Limits())
        recorder.claim(try offer(1, as: ["UTF8_STRING"]), on: session, until: later)
        settle(session)
        let (greedy, modest) = (try client(), try client())
        let (selection, targets) = (greedy.intern(Self.selection), greedy.intern("TARGETS"))
        if asksForLists {
            // The first atoms exist on every server.
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
        func requestTargets() {
            modest.convert(selection, to: targets, into: modest.intern("ANSWER"), of: window, time: .current)
            modest.synchronize()
            // The server writes to its clients one after another: its reply may arrive before the session's request.
            session.display.synchronize()
        }
        func isAnswered() -> Bool {
            session.display.synchronize()
            modest.synchronize()
            while let event = modest.nextEvent() { if case .notified = event { return true } }
            return false
        }
        for _ in 0..<5 {
            requestTargets()
            // The answer comes between two requests of the other program. The previous request may have been long.
            for _ in 0..<3 { session.drainEvents(limit: 64) }
            #expect(isAnswered())
        }
        #expect(session.display.queuedEvents > (asksForLists ? 100 : 1_000))
        settle(session)
        #expect(session.display.queuedEvents == 0)
    }

    @Test("Catching up handles the events on the connection, even if other events were queued before")
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
        let changes = recorder.reports.count { if case .changed = $0 { true } else { false } }
        #expect(changes == 1)
    }

    // MARK: Names

    @Test("Targets beyond the limit on atoms are left out, and the other targets are served")
    func atoms() throws {
        let session = try session(Self.limits { $0.atoms = 1 })
        let names = [newName(), newName()]
        recorder.claim(try offer(as: ["UTF8_STRING"] + names), on: session, until: later)
        #expect(recorder.claimed == 1)
        let asker = try client()
        #expect(ask(by: asker, of: session))
        #expect(ask(names[0], by: asker, of: session))
        #expect(!ask(names[1], by: asker, of: session))
        #expect(counters.refusals.count(of: .atoms) == 1)
        #expect(session.traffic(now: .now).use.atoms == 1)
    }

    @Test("Any number of versions with new names create atoms only up to the limit")
    func flat() throws {
        let session = try session(Self.limits { $0.atoms = 10 })
        for number in 1...50 {
            let offer = try offer(number, as: ["UTF8_STRING"] + (0..<10).map { _ in newName() })
            recorder.claim(offer, on: session, until: later)
        }
        #expect(recorder.claimed == 50)
        #expect(session.display.atomsMade == 10)
        #expect(counters.refusals.count(of: .atoms) == 490)
    }

    @Test("A selection without an atom can be neither claimed nor read")
    func nameless() throws {
        let session = try session(Self.limits { $0.atoms = 0 })
        let name = newName()
        session.watch(name)
        #expect(recorder.found == [Self.selection])
        recorder.claim(try offer(on: name, as: ["UTF8_STRING"]), on: session, until: later)
        #expect(recorder.nameless == 1)
        #expect(recorder.claimed == 0)
        #expect(!session.display.isOwned(name))
        _ = session.releaseOwnership(of: name, until: later)
        session.convert(.init(Ticket(number: 3), of: name, to: "UTF8_STRING", idleTimeout: .seconds(60)))
        #expect(recorder.failures == [.names])
        // With a higher limit, the claim succeeds.
        session.apply(Self.limits { $0.atoms = 1 })
        recorder.claim(try offer(on: name, as: ["UTF8_STRING"]), on: session, until: later)
        #expect(recorder.claimed == 1)
    }

    @Test("A type with a name beyond the limit is left out, without an atom")
    func typeName() throws {
        let session = try session(Self.limits { $0.typeName = 64 })
        let (long, short) = (newName(65), newName(64))
        recorder.claim(try offer(as: [long, short]), on: session, until: later)
        let asker = try client()
        #expect(ask(short, by: asker, of: session))
        #expect(session.display.atomsMade == 1)
        #expect(!ask(long, by: asker, of: session))
        #expect(counters.refusals.count(of: .typeName) == 1)
    }

    @Test("An owner's types with names beyond the limit are left out of its list")
    func foreignTypeName() throws {
        let session = try session(Self.limits { $0.typeName = 64 })
        let (long, short) = (newName(65), newName(64))
        let owner = try client()
        owner.setOwner(
            of: owner.intern(Self.selection), to: owner.createWindow(for: .owner), time: owner.serverTime())
        owner.synchronize()
        settle(session)
        session.convert(.init(Ticket(number: 1), of: Self.selection, to: "TARGETS", idleTimeout: .seconds(60)))
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
        let lists = recorder.reports.compactMap { report -> [String]? in
            guard case .converted(_, .success(let converted)) = report, case .targets(let names) = converted.content
            else { return nil }
            return names
        }
        #expect(lists == [[short]])
        #expect(counters.refusals.count(of: .typeName) == 1)
    }
}
