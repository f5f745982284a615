import Glibc
import LinuxSystem
import SelectionProtocol
import TestSupport
import Testing
import X11Bridge
import X11Display

extension Atom {
    /// The predefined atom STRING.
    static let string = Atom(31)
}

extension ServerTime {
    fileprivate func isLater(than other: ServerTime) -> Bool { self != other && isWithin(UInt32.max / 2, after: other) }
}

/// Tests of a session on a real server, step by step in an order that each test determines.
@Suite(.requiresXvfb, .serialized) struct DisplaySessionTests {
    private final class Recorder {
        var reports: [DisplayReport] = []

        private var outcomes: [(offer: OfferID, outcome: ClaimOutcome)] = []

        var claimed: [OfferID] { outcomes.filter { $0.outcome == .done }.map(\.offer) }
        var lost: [OfferID] { outcomes.filter { $0.outcome == .lost }.map(\.offer) }

        /// Claims a selection and records the outcome.
        func claim(
            _ offer: Offer, _ claim: SelectionClaim = .always, on session: DisplaySession,
            until deadline: ContinuousClock.Instant
        ) {
            outcomes.append((offer.id, session.claim(offer, claim, until: deadline)))
        }

        var owners: [OwnershipTracker.Owner] {
            reports.compactMap { if case .changed(_, let change) = $0 { change.owner } else { nil } }
        }

        /// The time of the last owner's death.
        var death: ServerTime? {
            reports.reversed().lazy.compactMap {
                if case .changed(_, let change) = $0, change.isDeath { change.time } else { nil }
            }.first
        }

        var found: [OwnershipTracker.Owner] {
            reports.compactMap { if case .found(_, let owner) = $0 { owner } else { nil } }
        }

        var asked: [(window: WindowID, process: Int32?)] {
            reports.compactMap { if case .asked(_, let window, let process) = $0 { (window, process) } else { nil } }
        }

        var pasted: [WindowID] {
            reports.compactMap { if case .pasted(_, let window) = $0 { window } else { nil } }
        }

        var draining: [Ticket] {
            reports.compactMap { if case .draining(let ticket) = $0 { ticket } else { nil } }
        }

        var drained: [Ticket] {
            reports.compactMap { if case .drained(let ticket) = $0 { ticket } else { nil } }
        }

        var failures: [Conversion.Failure] {
            reports.compactMap { if case .converted(_, .failure(let failure)) = $0 { failure } else { nil } }
        }
    }

    private static let selection = "CLIPBOARD"
    private let recorder = Recorder()
    /// A time that no test reaches.
    private let later = ContinuousClock.now + .seconds(3_600)

    private func session() throws -> DisplaySession {
        let session = try DisplaySession(opening: try #require(Xvfb.display), replacing: true) { [recorder] in
            recorder.reports.append($0)
        }
        session.watch(Self.selection)
        return session
    }

    private func offer(_ number: Int) throws -> Offer {
        let file = try MemoryFile.containing(Array("text".utf8))
        return Offer(
            id: OfferID(number), selection: Self.selection,
            targets: [.init(name: "UTF8_STRING", type: "UTF8_STRING", body: 0)],
            bodies: [.init(content: .held(.init(.file(file), 0..<4)))])
    }

    /// Makes another program the owner of the selection, and returns it once the server has confirmed the owner.
    private func rival(at time: ServerTime? = nil) throws -> (display: XDisplay, window: WindowID) {
        let display = try XDisplay(opening: try #require(Xvfb.display))
        let window = display.createWindow(for: .owner)
        display.setOwner(of: display.intern(Self.selection), to: window, time: time ?? display.serverTime())
        display.synchronize()
        return (display, window)
    }

    @Test("A claim or release after the last reported change takes nothing from another program that has just copied")
    func unlessChanged() throws {
        let session = try session()
        let rival = try rival()
        recorder.claim(try offer(1), .unlessChanged(since: 0), on: session, until: later)
        #expect(recorder.lost == [OfferID(1)] && recorder.owners == [.foreign(rival.window)])
        // The same window copies once more.
        let selection = rival.display.intern(Self.selection)
        rival.display.setOwner(of: selection, to: rival.window, time: rival.display.serverTime())
        rival.display.synchronize()
        recorder.claim(try offer(2), .unlessChanged(since: 1), on: session, until: later)
        #expect(recorder.lost == [OfferID(1), OfferID(2)])
        recorder.claim(try offer(3), .unlessChanged(since: 2), on: session, until: later)
        recorder.claim(try offer(4), .unlessChanged(since: 3), on: session, until: later)
        #expect(recorder.claimed == [OfferID(3), OfferID(4)])
        rival.display.setOwner(of: selection, to: rival.window, time: rival.display.serverTime())
        rival.display.synchronize()
        #expect(session.releaseOwnership(of: Self.selection, unlessChangedSince: 4, until: later) == .lost)
        #expect(recorder.owners.last == .foreign(rival.window))
        #expect(session.releaseOwnership(of: Self.selection, unlessChangedSince: 5, until: later) == .done)
        session.reportOwner(of: Self.selection)
        recorder.claim(try offer(5), .unlessChanged(since: 0), on: session, until: later)
        #expect(recorder.claimed.last == OfferID(5))
    }

    @Test("An unwatched selection that the bridge owns is reported until it is lost, and not after that")
    func unwatched() throws {
        let session = try session()
        func settle() {
            session.display.synchronize()
            session.drainEvents(limit: 100)
        }
        recorder.claim(try offer(1), on: session, until: later)
        session.unwatch(Self.selection)
        session.withdraw(OfferID(1))
        settle()
        #expect(recorder.owners == [.ours(OfferID(1)), .none])
        let rival = try rival()
        settle()
        #expect(recorder.owners.count == 2)
        session.watch(Self.selection)
        #expect(recorder.found.last == .foreign(rival.window))
        session.unwatch(Self.selection)
        _ = try self.rival()
        settle()
        #expect(recorder.owners.count == 2)
    }

    @Test("A selection that is watched again before it is lost stays watched")
    func watchedAgain() throws {
        let session = try session()
        recorder.claim(try offer(1), on: session, until: later)
        session.unwatch(Self.selection)
        session.reportOwner(of: Self.selection)
        let rival = try rival()
        session.display.synchronize()
        session.drainEvents(limit: 100)
        #expect(recorder.owners == [.ours(OfferID(1)), .foreign(rival.window)])
    }

    @Test("A claim survives a change of owner that happened before it and is read after it")
    func claimAfterUnreadChange() throws {
        let session = try session()
        let rival = try rival()
        recorder.claim(try offer(1), on: session, until: later)
        session.drainEvents(limit: 1_000)

        #expect(recorder.claimed == [OfferID(1)])
        #expect(recorder.owners == [.foreign(rival.window), .ours(OfferID(1))])
        let owner = session.display.owner(of: session.display.intern(Self.selection))
        #expect(owner != .none && owner != rival.window)
    }

    @Test("A replaced version loses its window, and the current version keeps its window")
    func replaced() throws {
        let session = try session()
        recorder.claim(try offer(1), on: session, until: later)
        recorder.claim(try offer(2), on: session, until: later)
        session.drainEvents(limit: 1_000)
        #expect(recorder.owners == [.ours(OfferID(1)), .ours(OfferID(2))])
        #expect(session.ownerDriver.acquired(OfferID(1)) == nil)
        #expect(session.ownerDriver.acquired(OfferID(2)) != nil)
    }

    @Test("A claim after its deadline changes nothing")
    func tooLate() throws {
        let session = try session()
        recorder.claim(try offer(1), on: session, until: .now)
        session.drainEvents(limit: 1_000)
        #expect(recorder.claimed == [])
        #expect(recorder.owners == [])
    }

    @Test("A late claim is withdrawn by the number of its offer, and a newer claim is not affected")
    func withdrawn() throws {
        let session = try session()
        recorder.claim(try offer(1), on: session, until: later)
        recorder.claim(try offer(2), on: session, until: later)
        session.withdraw(OfferID(1))
        session.catchUp()
        session.display.synchronize()
        session.drainEvents(limit: 1_000)
        #expect(recorder.owners.last == .ours(OfferID(2)))
        session.withdraw(OfferID(2))
        session.display.synchronize()
        session.drainEvents(limit: 1_000)
        #expect(recorder.owners.last == OwnershipTracker.Owner.none)
    }

    @Test("A manager selection with an owner is not claimed")
    func manager() throws {
        let session = try session()
        let rival = try rival()
        recorder.claim(try offer(1), .ifUnowned, on: session, until: later)
        #expect(session.display.owner(of: session.display.intern(Self.selection)) == rival.window)
        // The other owner is reported first.
        #expect(recorder.owners == [.foreign(rival.window)])
        #expect(recorder.lost == [OfferID(1)])
    }

    @Test("A manager selection without an owner is claimed, and released at the end")
    func freeManager() throws {
        let session = try session()
        recorder.claim(try offer(1), .ifUnowned, on: session, until: later)
        #expect(recorder.claimed == [OfferID(1)])
        session.releaseSelections()
        session.display.synchronize()
        #expect(session.display.owner(of: session.display.intern(Self.selection)) == .none)
    }

    @Test("A selection is taken over from the owner that asked for it, and not from a later owner")
    func handedOver() throws {
        let session = try session()
        let rival = try rival()
        let time = rival.display.serverTime()
        let asked = ServerTime(time.milliseconds &- 1)
        recorder.claim(try offer(1), .from(WindowID(1), at: asked), on: session, until: later)
        #expect(recorder.lost == [OfferID(1)])
        // The same window owns the selection with newer contents.
        rival.display.setOwner(of: rival.display.intern(Self.selection), to: rival.window, time: time)
        rival.display.synchronize()
        recorder.claim(try offer(2), .from(rival.window, at: asked), on: session, until: later)
        #expect(recorder.lost == [OfferID(1), OfferID(2)])
        recorder.claim(try offer(3), .from(rival.window, at: time), on: session, until: later)
        #expect(recorder.claimed == [OfferID(3)])
    }

    @Test("A conversion of the bridge's own selection fails at once")
    func ownQuestion() throws {
        let session = try session()
        recorder.claim(try offer(1), on: session, until: later)
        session.convert(.init(Ticket(number: 2), of: Self.selection, to: "TARGETS", idleTimeout: .seconds(60)))
        #expect(recorder.failures == [.ownerReplaced])
    }

    /// Makes a program own the selection and destroy its window, and returns the time of that death.
    private func death(seenBy session: DisplaySession) throws -> ServerTime {
        let rival = try rival()
        session.catchUp()
        rival.display.destroyWindow(rival.window)
        rival.display.synchronize()
        session.display.synchronize()
        session.drainEvents(limit: 1_000)
        session.expire(now: .now + .seconds(1))
        return try #require(recorder.death)
    }

    @Test("A selection whose owner died is claimed with the time of that death")
    func takenOver() throws {
        let session = try session()
        let time = try death(seenBy: session)
        recorder.claim(try offer(1), .afterDeath(time), on: session, until: later)
        #expect(recorder.claimed == [OfferID(1)])
        #expect(recorder.owners.last == .ours(OfferID(1)))
        #expect(session.ownerDriver.acquired(OfferID(1)) == time)
    }

    @Test("A claim uses the prepared time, unless another client was faster")
    func prepared() throws {
        let session = try session()
        let other = try XDisplay(opening: try #require(Xvfb.display))
        /// Returns a server time that is later than all times so far. The server's clock counts milliseconds, and only
        /// further requests show that it has advanced.
        func laterTime() -> ServerTime {
            let first = other.serverTime()
            while true {
                let time = other.serverTime()
                if time.isLater(than: first) { return time }
            }
        }
        session.prepareClaim()
        let asked = laterTime()
        recorder.claim(try offer(1), on: session, until: later)
        let first = try #require(session.ownerDriver.acquired(OfferID(1)))
        #expect(asked.isLater(than: first))
        recorder.claim(try offer(2), on: session, until: later)
        #expect(try #require(session.ownerDriver.acquired(OfferID(2))).isLater(than: first))

        session.prepareClaim()
        let rival = try rival(at: laterTime())
        recorder.claim(try offer(3), on: session, until: later)
        #expect(recorder.claimed == [OfferID(1), OfferID(2), OfferID(3)])
        #expect(session.display.owner(of: rival.display.intern(Self.selection)) != rival.window)
    }

    @Test("A selection is not claimed after a death if another client has owned it since, seen or unseen")
    func notTakenOver() throws {
        let session = try session()
        var time = try death(seenBy: session)
        let rival = try rival()
        recorder.claim(try offer(1), .afterDeath(time), on: session, until: later)
        #expect(recorder.lost.count == 1)
        #expect(recorder.owners.last == .foreign(rival.window))

        time = try death(seenBy: session)
        let other = try self.rival()
        let selection = other.display.intern(Self.selection)
        other.display.setOwner(of: selection, to: .none, time: other.display.serverTime())
        other.display.synchronize()
        recorder.claim(try offer(2), .afterDeath(time), on: session, until: later)
        #expect(recorder.lost.count == 2)
        #expect(recorder.claimed == [])
        #expect(session.display.owner(of: selection) == .none)
        session.drainEvents(limit: 1_000)
        #expect(session.ownerDriver.acquired(OfferID(2)) == nil)

        // This owner claims in the same millisecond as the death, with a time that the server would accept.
        time = try death(seenBy: session)
        let late = try self.rival(at: time)
        recorder.claim(try offer(3), .afterDeath(time), on: session, until: later)
        #expect(recorder.claimed == [])
        #expect(session.display.owner(of: selection) == late.window)
    }

    @Test("A conversion fails if its owner is replaced before it answers")
    func replacedWhileAsked() throws {
        let session = try session()
        let first = try rival()
        session.catchUp()
        session.convert(.init(Ticket(number: 1), of: Self.selection, to: "TARGETS", idleTimeout: .seconds(60)))
        session.display.synchronize()
        let second = try rival()
        session.drainEvents(limit: 1_000)
        #expect(recorder.failures == [.ownerReplaced])
        #expect(recorder.owners == [.foreign(first.window), .foreign(second.window)])
    }

    /// Returns the session's request to the owner, which is not answered yet.
    private func request(_ session: DisplaySession, of owner: XDisplay) throws -> SelectionRequest {
        session.display.synchronize()
        owner.synchronize()
        while let event = owner.nextEvent() {
            if case .request(let request) = event { return request }
        }
        throw CancellationError()
    }

    @Test("The end of a failed conversion is reported if its owner was still sending", arguments: [true, false])
    func drained(isCancelled: Bool) throws {
        let session = try session()
        let owner = try rival().display
        session.catchUp()
        let ticket = Ticket(number: 1)
        session.convert(.init(ticket, of: Self.selection, to: "STRING", idleTimeout: .seconds(60), limit: 10))
        let request = try request(session, of: owner)
        func write(_ words: [UInt32]) {
            owner.write(words, to: request.property, of: request.requestor, type: .string)
            owner.synchronize()
            session.display.synchronize()
            session.drainEvents(limit: 1_000)
        }
        owner.write([isCancelled ? 5 : 20], to: request.property, of: request.requestor, type: owner.intern("INCR"))
        owner.notify(request, property: request.property)
        owner.synchronize()
        session.display.synchronize()
        session.drainEvents(limit: 1_000)
        if isCancelled { session.cancel(ticket) }
        #expect(recorder.failures == [isCancelled ? .cancelled : .tooLong])
        #expect(recorder.draining == [ticket])
        write([1, 2, 3, 4, 5])
        #expect(recorder.drained == [])
        write([])
        #expect(recorder.drained == [ticket])
        #expect(session.transferCount == 0)
    }

    @Test("An answer in pieces does not begin if pieces are not accepted", arguments: [true, false])
    func refusedPieces(isInPieces: Bool) throws {
        let session = try session()
        let owner = try rival().display
        session.catchUp()
        session.convert(
            .init(
                Ticket(number: 1), of: Self.selection, to: "STRING", idleTimeout: .seconds(60), acceptsPieces: false))
        let request = try request(session, of: owner)
        owner.watch(request.requestor)
        let type = isInPieces ? owner.intern("INCR") : .string
        owner.write([1 << 20], to: request.property, of: request.requestor, type: type)
        owner.notify(request, property: request.property)
        owner.synchronize()
        session.display.synchronize()
        session.drainEvents(limit: 1_000)
        owner.synchronize()
        var isDeleted = false
        while let event = owner.nextEvent() {
            if case .propertyDeleted(request.requestor, _) = event { isDeleted = true }
        }
        #expect(isDeleted == !isInPieces)
        #expect(recorder.failures == (isInPieces ? [.tooLong] : []))
        #expect(session.transferCount == 0 && owner.removeFailedWindows().isEmpty)
    }

    @Test("A request that an exclusive owner drops while it sends a cancelled conversion is repeated afterwards")
    func dropped() throws {
        let session = try session()
        let owner = try rival().display
        session.catchUp()
        for number in 1...2 {
            session.convert(
                .init(
                    Ticket(number: number), of: Self.selection, to: "STRING", idleTimeout: .seconds(60),
                    isExclusive: true))
        }
        let (sent, dropped) = (try request(session, of: owner), try request(session, of: owner))
        session.cancel(Ticket(number: 1))
        func settle() {
            owner.synchronize()
            session.display.synchronize()
            session.drainEvents(limit: 1_000)
        }
        owner.write([0], to: sent.property, of: sent.requestor, type: owner.intern("INCR"))
        owner.notify(sent, property: sent.property)
        settle()
        owner.write([], to: sent.property, of: sent.requestor, type: .string)
        settle()
        let repeated = try request(session, of: owner)
        #expect(repeated.requestor != dropped.requestor && repeated.requestor != sent.requestor)
        for request in [repeated, dropped] {
            owner.write([1], to: request.property, of: request.requestor, type: .string)
            owner.notify(request, property: request.property)
            settle()
        }
        #expect(recorder.failures == [.cancelled])
        let converted = recorder.reports.compactMap {
            if case .converted(let ticket, .success) = $0 { ticket } else { nil }
        }
        #expect(converted == [Ticket(number: 2)])
        #expect(owner.removeFailedWindows().isEmpty)
        #expect(session.transferCount == 0)
    }

    @Test("The window of a request to a stopped owner exists until another program owns the selection")
    func late() throws {
        let session = try session()
        let owner = try rival().display
        session.catchUp()
        session.convert(.init(Ticket(number: 1), of: Self.selection, to: "STRING", idleTimeout: .seconds(60)))
        let request = try request(session, of: owner)
        session.expire(now: .now + .seconds(61))
        #expect(recorder.failures == [.silent])
        session.expire(now: .now + .seconds(3_600))
        #expect(session.transferCount == 0)
        func exists() -> Bool {
            owner.watch(request.requestor)
            owner.synchronize()
            defer { owner.unwatch(request.requestor) }
            return owner.removeFailedWindows().isEmpty
        }
        #expect(exists())
        let before = ContinuousClock.now
        _ = try rival()
        session.catchUp()
        session.expire(now: before + .seconds(29))
        #expect(exists())
        session.expire(now: .now + .seconds(31))
        session.display.synchronize()
        #expect(!exists())
    }

    @Test("Beyond the limit on windows that wait for a silent owner, the oldest is destroyed")
    func awaited() throws {
        let session = try session()
        let owner = try rival().display
        session.catchUp()
        var windows: [WindowID] = []
        for number in 0...session.limits.awaited {
            session.convert(.init(Ticket(number: number), of: Self.selection, to: "STRING", idleTimeout: .seconds(60)))
            windows.append(try request(session, of: owner).requestor)
            session.cancel(Ticket(number: number))
        }
        session.display.synchronize()
        for window in windows { owner.watch(window) }
        owner.synchronize()
        #expect(owner.removeFailedWindows() == [windows[0]])
    }

    @Test("A deferred conversion can be cancelled")
    func putOff() throws {
        let session = try session()
        let owner = try rival()
        session.catchUp()
        owner.display.destroyWindow(owner.window)
        owner.display.synchronize()
        session.display.synchronize()
        session.drainEvents(limit: 1_000)
        let ticket = Ticket(number: 1)
        session.convert(.init(ticket, of: Self.selection, to: "STRING", idleTimeout: .seconds(60)))
        session.cancel(ticket)
        #expect(recorder.failures == [.cancelled])
        session.expire(now: later)
        #expect(recorder.failures == [.cancelled])
    }

    // MARK: Contents that are pasted once

    /// Returns an offer of text and a mark. The transfer of the text counts as a paste.
    private func once(_ text: [UInt8] = Array("text".utf8)) throws -> Offer {
        let (file, mark) = (try MemoryFile.containing(text), try MemoryFile.containing([]))
        return Offer(
            id: OfferID(1), selection: Self.selection,
            targets: [
                .init(name: "UTF8_STRING", type: "UTF8_STRING", body: 0), .init(name: "MARK", type: "MARK", body: 1),
            ],
            bodies: [
                .init(content: .held(.init(.file(file), 0..<text.count))),
                .init(content: .held(.init(.file(mark), 0..<0))),
            ], pasted: [0])
    }

    /// Requests a target as the client `asker`, and returns the new window of the request.
    private func ask(_ target: String, by asker: XDisplay, into property: String = "ANSWER") -> WindowID {
        let window = asker.createWindow(for: .requestor)
        asker.convert(
            asker.intern(Self.selection), to: asker.intern(target), into: asker.intern(property), of: window,
            time: .current)
        asker.synchronize()
        return window
    }

    /// Waits until the session has answered all requests, and the answers have reached the server.
    private func settle(_ session: DisplaySession) {
        for _ in 0..<2 {
            session.display.synchronize()
            session.drainEvents(limit: 1_000)
        }
    }

    @Test("A request for contents that may be pasted once is reported, and so is the paste")
    func pasted() throws {
        let session = try session()
        recorder.claim(try once(), on: session, until: later)
        let asker = try XDisplay(opening: try #require(Xvfb.display))
        let window = ask("UTF8_STRING", by: asker)
        settle(session)
        #expect(recorder.asked.map(\.window) == [window])
        #expect(recorder.asked.map(\.process) == [getpid()])
        #expect(recorder.pasted == [window])
    }

    @Test(
        "A list, a mark and a refusal do not count as a paste",
        arguments: ["TARGETS", "TIMESTAMP", "MARK", "NEVER_OFFERED"])
    func notPasted(target: String) throws {
        let session = try session()
        recorder.claim(try once(), on: session, until: later)
        let asker = try XDisplay(opening: try #require(Xvfb.display))
        _ = ask(target, by: asker)
        settle(session)
        #expect(recorder.pasted == [])
    }

    @Test("An answer to a destroyed window does not count as a paste")
    func goneBefore() throws {
        let session = try session()
        recorder.claim(try once(), on: session, until: later)
        let asker = try XDisplay(opening: try #require(Xvfb.display))
        let window = ask("UTF8_STRING", by: asker)
        asker.destroyWindow(window)
        asker.synchronize()
        settle(session)
        #expect(recorder.asked.map(\.window) == [window])
        #expect(recorder.pasted == [])
    }

    @Test("A long transfer counts as a paste at its end, and not if it is aborted", arguments: [false, true])
    func longPaste(breaksOff: Bool) throws {
        let session = try session()
        recorder.claim(try once(.init(repeating: 0x61, count: 1_000_000)), on: session, until: later)
        let asker = try XDisplay(opening: try #require(Xvfb.display))
        let window = ask("UTF8_STRING", by: asker)
        settle(session)
        var length = 0
        // The announcement comes first, and then the pieces; the last piece is empty.
        for part in 0..<100 {
            let value = asker.read(asker.intern("ANSWER"), of: window, maximum: 1 << 20)
            if part > 0 { length += value.length }
            if part > 0, value.length == 0 { break }
            #expect(recorder.pasted == [])
            if breaksOff, part == 2 { asker.destroyWindow(window) }
            asker.synchronize()
            settle(session)
        }
        #expect(breaksOff ? length < 1_000_000 : length == 1_000_000)
        #expect(recorder.pasted == (breaksOff ? [] : [window]))
    }
}
