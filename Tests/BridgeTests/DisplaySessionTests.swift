import Glibc
import LinuxSystem
import SelectionProtocol
import TestSupport
import Testing
import X11Display

@testable import Bridge
@testable import FormatConversion
@testable import X11Bridge

/// The display thread's work on a real server, step by step: what comes when is the test's to say.
@Suite(.requiresXvfb, .serialized) struct DisplaySessionTests {
    private final class Told {
        var reports: [DisplayReport] = []

        private var outcomes: [(offer: OfferID, outcome: ClaimOutcome)] = []

        var claimed: [OfferID] { outcomes.filter { $0.outcome == .done }.map(\.offer) }
        var lost: [OfferID] { outcomes.filter { $0.outcome == .lost }.map(\.offer) }

        /// Claims a selection, and notes the outcome.
        func claim(
            _ offer: Offer, _ claim: SelectionClaim = .always, on session: DisplaySession,
            until deadline: ContinuousClock.Instant
        ) {
            outcomes.append((offer.id, session.claim(offer, claim, until: deadline)))
        }

        var owners: [OwnershipTracker.Owner] {
            reports.compactMap { if case .changed(_, let change) = $0 { change.owner } else { nil } }
        }

        /// When the last owner died.
        var death: ServerTime? {
            reports.reversed().lazy.compactMap {
                if case .changed(_, let change) = $0, change.byDeath { change.time } else { nil }
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
    private let told = Told()
    private let soon = ContinuousClock.now + .seconds(60)

    private func session() throws -> DisplaySession {
        let session = try DisplaySession(opening: try #require(Xvfb.display), replacing: true) { [told] in
            told.reports.append($0)
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

    /// Another program that owns the selection, and has been told so by the server.
    private func rival(at time: ServerTime? = nil) throws -> (display: XDisplay, window: WindowID) {
        let display = try XDisplay(opening: try #require(Xvfb.display))
        let window = display.createWindow(for: .owner)
        display.setOwner(of: display.intern(Self.selection), to: window, time: time ?? display.serverTime())
        display.synchronize()
        return (display, window)
    }

    @Test("A selection that nobody asks for any more is told of until it is given up, and no longer")
    func unwatched() throws {
        let session = try session()
        func settle() {
            session.display.synchronize()
            session.drainEvents(limit: 100)
        }
        told.claim(try offer(1), on: session, until: soon)
        session.unwatch(Self.selection)
        session.withdraw(OfferID(1))
        settle()
        #expect(told.owners == [.ours(OfferID(1)), .none])
        let rival = try rival()
        settle()
        #expect(told.owners.count == 2)
        session.watch(Self.selection)
        #expect(told.found.last == .foreign(rival.window))
        session.unwatch(Self.selection)
        _ = try self.rival()
        settle()
        #expect(told.owners.count == 2)
    }

    @Test("A selection that is asked for again before it is given up stays watched")
    func watchedAgain() throws {
        let session = try session()
        told.claim(try offer(1), on: session, until: soon)
        session.unwatch(Self.selection)
        session.reportOwner(of: Self.selection)
        let rival = try rival()
        session.display.synchronize()
        session.drainEvents(limit: 100)
        #expect(told.owners == [.ours(OfferID(1)), .foreign(rival.window)])
    }

    @Test("A claim outlives a change of owner that came before it and is read after it")
    func claimAfterUnreadChange() throws {
        let session = try session()
        let rival = try rival()
        told.claim(try offer(1), on: session, until: soon)
        session.drainEvents(limit: 1_000)

        #expect(told.claimed == [OfferID(1)])
        #expect(told.owners == [.foreign(rival.window), .ours(OfferID(1))])
        let owner = session.display.owner(of: session.display.intern(Self.selection))
        #expect(owner != .none && owner != rival.window)
    }

    @Test("A version that was replaced lets its window go, the one that is owned keeps it")
    func replaced() throws {
        let session = try session()
        told.claim(try offer(1), on: session, until: soon)
        told.claim(try offer(2), on: session, until: soon)
        session.drainEvents(limit: 1_000)
        #expect(told.owners == [.ours(OfferID(1)), .ours(OfferID(2))])
        #expect(session.ownerDriver.acquired(OfferID(1)) == nil)
        #expect(session.ownerDriver.acquired(OfferID(2)) != nil)
    }

    @Test("A claim whose time is over changes nothing")
    func tooLate() throws {
        let session = try session()
        told.claim(try offer(1), on: session, until: .now)
        session.drainEvents(limit: 1_000)
        #expect(told.claimed == [])
        #expect(told.owners == [])
    }

    @Test("A late claim is retracted by its name, and a newer one is left alone")
    func retracted() throws {
        let session = try session()
        told.claim(try offer(1), on: session, until: soon)
        told.claim(try offer(2), on: session, until: soon)
        session.withdraw(OfferID(1))
        session.catchUp()
        session.display.synchronize()
        session.drainEvents(limit: 1_000)
        #expect(told.owners.last == .ours(OfferID(2)))
        session.withdraw(OfferID(2))
        session.display.synchronize()
        session.drainEvents(limit: 1_000)
        #expect(told.owners.last == OwnershipTracker.Owner.none)
    }

    @Test("A manager selection that somebody has is not taken")
    func occupied() throws {
        let session = try session()
        let rival = try rival()
        told.claim(try offer(1), .ifUnowned, on: session, until: soon)
        #expect(session.display.owner(of: session.display.intern(Self.selection)) == rival.window)
        // Who has it is told before.
        #expect(told.owners == [.foreign(rival.window)])
        #expect(told.lost == [OfferID(1)])
    }

    @Test("A manager selection that nobody has is taken, and let go after the others")
    func occupy() throws {
        let session = try session()
        told.claim(try offer(1), .ifUnowned, on: session, until: soon)
        #expect(told.claimed == [OfferID(1)])
        session.releaseSelections()
        session.display.synchronize()
        #expect(session.display.owner(of: session.display.intern(Self.selection)) == .none)
    }

    @Test("A selection is taken in place of the owner that wants it, and of no later one")
    func relieve() throws {
        let session = try session()
        let rival = try rival()
        let asked = session.display.serverTime()
        told.claim(try offer(1), .from(WindowID(1), at: asked), on: session, until: soon)
        #expect(told.lost == [OfferID(1)])
        // The same window owns it with something newer.
        var later = rival.display.serverTime()
        while !later.isLater(than: asked) { later = rival.display.serverTime() }
        rival.display.setOwner(of: rival.display.intern(Self.selection), to: rival.window, time: later)
        rival.display.synchronize()
        told.claim(try offer(2), .from(rival.window, at: asked), on: session, until: soon)
        #expect(told.lost == [OfferID(1), OfferID(2)])
        told.claim(try offer(3), .from(rival.window, at: later), on: session, until: soon)
        #expect(told.claimed == [OfferID(3)])
    }

    @Test("What is ours is not asked of ourselves through X")
    func ownQuestion() throws {
        let session = try session()
        told.claim(try offer(1), on: session, until: soon)
        session.convert(Self.selection, to: "TARGETS", ticket: Ticket(number: 2), idleTimeout: .seconds(60))
        #expect(told.failures == [.ownerReplaced])
    }

    /// Has a program own the selection and die, and returns when that was.
    private func death(seenBy session: DisplaySession) throws -> ServerTime {
        let rival = try rival()
        session.catchUp()
        rival.display.destroyWindow(rival.window)
        rival.display.synchronize()
        session.display.synchronize()
        session.drainEvents(limit: 1_000)
        session.expire(now: .now + .seconds(1))
        return try #require(told.death)
    }

    @Test("A selection whose owner died is taken over with the time of that death")
    func takenOver() throws {
        let session = try session()
        let time = try death(seenBy: session)
        told.claim(try offer(1), .afterDeath(time), on: session, until: soon)
        #expect(told.claimed == [OfferID(1)])
        #expect(told.owners.last == .ours(OfferID(1)))
        #expect(session.ownerDriver.acquired(OfferID(1)) == time)
    }

    @Test("A claim is at the time that was asked for beforehand, unless another was faster")
    func prepared() throws {
        let session = try session()
        let other = try XDisplay(opening: try #require(Xvfb.display))
        /// A time of the server's that is later than those it has told.
        func later() -> ServerTime {
            let first = other.serverTime()
            while true {
                let time = other.serverTime()
                if time.isLater(than: first) { return time }
            }
        }
        session.prepareClaim()
        let asked = later()
        told.claim(try offer(1), on: session, until: soon)
        let first = try #require(session.ownerDriver.acquired(OfferID(1)))
        #expect(asked.isLater(than: first))
        told.claim(try offer(2), on: session, until: soon)
        #expect(try #require(session.ownerDriver.acquired(OfferID(2))).isLater(than: first))

        session.prepareClaim()
        let rival = try rival(at: later())
        told.claim(try offer(3), on: session, until: soon)
        #expect(told.claimed == [OfferID(1), OfferID(2), OfferID(3)])
        #expect(session.display.owner(of: rival.display.intern(Self.selection)) != rival.window)
    }

    @Test("A selection is not taken over where somebody owns it by then, or did, whether that was seen or not")
    func notTakenOver() throws {
        let session = try session()
        var time = try death(seenBy: session)
        let rival = try rival()
        told.claim(try offer(1), .afterDeath(time), on: session, until: soon)
        #expect(told.lost.count == 1)
        #expect(told.owners.last == .foreign(rival.window))

        time = try death(seenBy: session)
        let other = try self.rival()
        let selection = other.display.intern(Self.selection)
        other.display.setOwner(of: selection, to: .none, time: other.display.serverTime())
        other.display.synchronize()
        told.claim(try offer(2), .afterDeath(time), on: session, until: soon)
        #expect(told.lost.count == 2)
        #expect(told.claimed == [])
        #expect(session.display.owner(of: selection) == .none)
        session.drainEvents(limit: 1_000)
        #expect(session.ownerDriver.acquired(OfferID(2)) == nil)

        // In the very millisecond of the death, whose time the server would not refuse.
        time = try death(seenBy: session)
        let late = try self.rival(at: time)
        told.claim(try offer(3), .afterDeath(time), on: session, until: soon)
        #expect(told.claimed == [])
        #expect(session.display.owner(of: selection) == late.window)
    }

    @Test("Who asks an owner that is replaced before it answers is told to look anew")
    func replacedWhileAsked() throws {
        let session = try session()
        let first = try rival()
        session.catchUp()
        session.convert(Self.selection, to: "TARGETS", ticket: Ticket(number: 1), idleTimeout: .seconds(60))
        session.display.synchronize()
        let second = try rival()
        session.drainEvents(limit: 1_000)
        #expect(told.failures == [.ownerReplaced])
        #expect(told.owners == [.foreign(first.window), .foreign(second.window)])
    }

    /// What the session asks the owner, which has not answered yet.
    private func request(_ session: DisplaySession, of owner: XDisplay) throws -> SelectionRequest {
        session.display.synchronize()
        owner.synchronize()
        while let event = owner.nextEvent() {
            if case .request(let request) = event { return request }
        }
        throw CancellationError()
    }

    @Test("It is told when the owner has sent the rest of what nobody wants", arguments: [true, false])
    func drained(isCancelled: Bool) throws {
        let session = try session()
        let owner = try rival().display
        session.catchUp()
        let ticket = Ticket(number: 1)
        session.convert(Self.selection, to: "STRING", ticket: ticket, idleTimeout: .seconds(60), limit: 10)
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
        #expect(told.failures == [isCancelled ? .cancelled : .tooLong])
        #expect(told.draining == [ticket])
        write([1, 2, 3, 4, 5])
        #expect(told.drained == [])
        write([])
        #expect(told.drained == [ticket])
        #expect(session.transferCount == 0)
    }

    @Test("An owner that was stopped for an hour finds the window it was asked for, until another owns the selection")
    func late() throws {
        let session = try session()
        let owner = try rival().display
        session.catchUp()
        session.convert(Self.selection, to: "STRING", ticket: Ticket(number: 1), idleTimeout: .seconds(60))
        let request = try request(session, of: owner)
        session.expire(now: .now + .seconds(61))
        #expect(told.failures == [.silent])
        session.expire(now: .now + .seconds(3_600))
        #expect(session.transferCount == 0)
        func isThere() -> Bool {
            owner.watch(request.requestor)
            owner.synchronize()
            defer { owner.unwatch(request.requestor) }
            return owner.takeFailedWindows().isEmpty
        }
        #expect(isThere())
        _ = try rival()
        session.catchUp()
        session.expire(now: .now + .seconds(29))
        #expect(isThere())
        session.expire(now: .now + .seconds(31))
        session.display.synchronize()
        #expect(!isThere())
    }

    @Test("Of the windows that wait for a silent owner the oldest go beyond so many")
    func awaited() throws {
        let session = try session()
        let owner = try rival().display
        session.catchUp()
        var windows: [WindowID] = []
        for number in 0...session.limits.awaited {
            session.convert(Self.selection, to: "STRING", ticket: Ticket(number: number), idleTimeout: .seconds(60))
            windows.append(try request(session, of: owner).requestor)
            session.cancel(Ticket(number: number))
        }
        session.display.synchronize()
        for window in windows { owner.watch(window) }
        owner.synchronize()
        #expect(owner.takeFailedWindows() == [windows[0]])
    }

    @Test("A question that is put off, and is not wanted any more, is answered so")
    func putOff() throws {
        let session = try session()
        let owner = try rival()
        session.catchUp()
        owner.display.destroyWindow(owner.window)
        owner.display.synchronize()
        session.display.synchronize()
        session.drainEvents(limit: 1_000)
        let ticket = Ticket(number: 1)
        session.convert(Self.selection, to: "STRING", ticket: ticket, idleTimeout: .seconds(60))
        session.cancel(ticket)
        #expect(told.failures == [.cancelled])
        session.expire(now: soon)
        #expect(told.failures == [.cancelled])
    }

    // MARK: Contents that are pasted once

    /// A text and a mark, of which the text is what is pasted.
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

    /// Another program that asks, with a window of its own.
    private func ask(_ target: String, by asker: XDisplay, into property: String = "ANSWER") -> WindowID {
        let window = asker.createWindow(for: .requestor)
        asker.convert(
            asker.intern(Self.selection), to: asker.intern(target), into: asker.intern(property), of: window,
            time: .current)
        asker.synchronize()
        return window
    }

    /// All that was asked of the session is answered, and the answers have come to the server.
    private func settle(_ session: DisplaySession) {
        for _ in 0..<2 {
            session.display.synchronize()
            session.drainEvents(limit: 1_000)
        }
    }

    @Test("Who asks for contents that are pasted once is told, and then that it has them")
    func pasted() throws {
        let session = try session()
        told.claim(try once(), on: session, until: soon)
        let asker = try XDisplay(opening: try #require(Xvfb.display))
        let window = ask("UTF8_STRING", by: asker)
        settle(session)
        #expect(told.asked.map(\.window) == [window])
        #expect(told.asked.map(\.process) == [getpid()])
        #expect(told.pasted == [window])
    }

    @Test("A list, a mark and a refusal are no paste", arguments: ["TARGETS", "TIMESTAMP", "MARK", "NEVER_OFFERED"])
    func notPasted(target: String) throws {
        let session = try session()
        told.claim(try once(), on: session, until: soon)
        let asker = try XDisplay(opening: try #require(Xvfb.display))
        _ = ask(target, by: asker)
        settle(session)
        #expect(told.pasted == [])
    }

    @Test("What does not come to its window is no paste")
    func goneBefore() throws {
        let session = try session()
        told.claim(try once(), on: session, until: soon)
        let asker = try XDisplay(opening: try #require(Xvfb.display))
        let window = ask("UTF8_STRING", by: asker)
        asker.destroyWindow(window)
        asker.synchronize()
        settle(session)
        #expect(told.asked.map(\.window) == [window])
        #expect(told.pasted == [])
    }

    @Test("A long transfer is a paste when its end is there, and none where it breaks off", arguments: [false, true])
    func longPaste(breaksOff: Bool) throws {
        let session = try session()
        told.claim(try once(.init(repeating: 0x61, count: 1_000_000)), on: session, until: soon)
        let asker = try XDisplay(opening: try #require(Xvfb.display))
        let window = ask("UTF8_STRING", by: asker)
        settle(session)
        var length = 0
        // The first part is the announcement; then pieces, the last of them empty.
        for part in 0..<100 {
            let value = asker.read(asker.intern("ANSWER"), of: window, maximum: 1 << 20)
            if part > 0 { length += value.length }
            if part > 0, value.length == 0 { break }
            #expect(told.pasted == [])
            if breaksOff, part == 2 { asker.destroyWindow(window) }
            asker.synchronize()
            settle(session)
        }
        #expect(breaksOff ? length < 1_000_000 : length == 1_000_000)
        #expect(told.pasted == (breaksOff ? [] : [window]))
    }
}
