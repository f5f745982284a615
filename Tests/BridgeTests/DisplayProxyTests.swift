import Bridge
import BridgeState
import EventLoop
import LinuxSystem
import SelectionProtocol
import Testing
import X11Bridge

/// Conversions by one owner, which take turns: see ``OwnerReadScheduler``.
@Suite struct DisplayProxyTests {
    private final class Outcomes {
        var results: [DisplayProxy.FetchFailure?] = []
    }

    private let fixture: ServiceFixture
    private let outcomes = Outcomes()
    private var display: DisplayProxy { fixture.display }

    init() throws {
        fixture = try ServiceFixture(display: ":99")
        fixture.copy(ForeignProgram(offers: ["one", "two", "three"].map { ($0, .later) }))
    }

    /// Starts a conversion whose command the X thread has not read.
    @discardableResult private func began(
        _ target: String, isCapture: Bool = false, idleTimeout: Duration = .seconds(60)
    ) -> LoopTask {
        fixture.executor.start { [outcomes, display = fixture.display] in
            do throws(DisplayProxy.FetchFailure) {
                _ = try await display.convert(
                    "CLIPBOARD", to: target, idleTimeout: idleTimeout, isCapture: isCapture)
                outcomes.results.append(nil)
            } catch {
                if error != .conversion(.cancelled) { outcomes.results.append(error) }
            }
        }
    }

    /// Starts a conversion, and returns its task and its ticket.
    @discardableResult private func convert(
        _ target: String, isCapture: Bool = false, idleTimeout: Duration = .seconds(60)
    ) -> (task: LoopTask, ticket: Ticket) {
        let task = began(target, isCapture: isCapture, idleTimeout: idleTimeout)
        var ticket = Ticket(number: 0)
        for command in fixture.unread { if case .convert(let sent) = command { ticket = sent.ticket } }
        fixture.succeed()
        return (task, ticket)
    }

    @Test(
        "Conversions that wait for a former owner fail, and are not sent to the new owner")
    func ownerChanged() {
        convert("one", isCapture: true)
        convert("two")
        fixture.copy(.text("new", window: 0x50_0001))
        fixture.succeed()
        #expect(outcomes.results == [.conversion(.ownerReplaced)])
        #expect(fixture.asked == ["one"])
        convert("UTF8_STRING")
        #expect(outcomes.results.last == .some(nil))
    }

    @Test(
        "A cancelled or failed conversion that the owner is still sending blocks the next conversion until it ends",
        arguments: [true, false])
    func drained(isCancelled: Bool) {
        let capture = convert("one", isCapture: true)
        convert("two")
        fixture.report(.draining(capture.ticket))
        if isCancelled {
            capture.task.cancel()
            fixture.succeed()
        } else {
            fixture.answer("one", .failure(.tooLong))
            #expect(outcomes.results == [.conversion(.tooLong)])
        }
        #expect(fixture.asked == ["one"])
        fixture.report(.drained(capture.ticket))
        fixture.succeed()
        #expect(fixture.asked == ["one", "two"])
    }

    @Test("A conversion is cancelled by the reader that receives its stream", arguments: [1, 2])
    func cancelledByReader(atPart last: Int) throws {
        var (task, parts) = (LoopTask?.none, 0)
        task = fixture.executor.start { [outcomes, display = fixture.display] in
            do throws(DisplayProxy.FetchFailure) {
                _ = try await display.convert("CLIPBOARD", to: "one", idleTimeout: .seconds(60)) { _ in
                    parts += 1
                    if parts == last { task?.cancel() }
                }
            } catch {
                outcomes.results.append(error)
            }
        }
        var ticket = Ticket(number: 0)
        for command in fixture.unread { if case .convert(let sent) = command { ticket = sent.ticket } }
        fixture.succeed()
        fixture.report(.streaming(ticket, try SpooledSocket()))
        for _ in 0..<2 { fixture.report(.progress(ticket)) }
        #expect(parts == last)
        #expect(outcomes.results == [.conversion(.cancelled)])
    }

    @Test("A reader's conversion does not wait for a capture, and has its full timeout")
    func unanswered() {
        convert("one", isCapture: true)
        convert("two", idleTimeout: .seconds(1))
        display.expire(now: .now + .milliseconds(1_100))
        fixture.succeed()
        #expect(fixture.asked == ["one", "two"])
        #expect(outcomes.results == [])
        fixture.answer("two", ForeignProgram.bytes([], "two"))
        #expect(outcomes.results == [nil])
    }

    @Test("All conversions end when the X server goes away")
    func detached() {
        convert("one", isCapture: true).task.cancel()
        let capture = convert("two", isCapture: true)
        fixture.report(.draining(capture.ticket))
        convert("three")
        fixture.report(.detached(display: ":99"))
        display.attach(":99")
        fixture.report(.attached(display: ":99"))
        fixture.copy(.text("new"))
        convert("UTF8_STRING")
        #expect(outcomes.results.last == .some(nil))
    }

    // MARK: A display thread that an X server holds up

    @Test("Commands that nobody waits for are withdrawn")
    func withdrawn() {
        var ends = 0
        for round in 1...100 {
            func ask(_ query: @escaping (DisplayProxy) async -> Bool) {
                fixture.executor.start { [display] in if await query(display) { ends += 1 } }
            }
            let time = Duration.milliseconds(100)
            ask {
                await $0.catchUp(within: time)
                return true
            }
            ask { await $0.ask(OwnedQuery(selection: "com.example.a\(round)"), within: time) == nil }
            ask { await $0.ask(SelectingQuery(), within: time) == nil }
            ask { await $0.ask(CompoundTextQuery(direction: .toCompoundText, text: [0x61]), within: time) == nil }
            ask { await $0.releaseOwnership(of: "CLIPBOARD", within: time) == .timedOut }
            ask { await $0.process(of: WindowID(7), within: time) == nil }
            ask {
                _ = await $0.traffic(within: time)
                return true
            }
            began("one", idleTimeout: time)
            // Queries that several callers share are sent once.
            #expect(fixture.unread.count == 8)
            fixture.expire(.seconds(1))
            #expect(fixture.unread.count == 2)
        }
        #expect(ends == 700)
        #expect(outcomes.results == Array(repeating: .displayTimedOut, count: 100))
    }

    @Test("A conversion that is cancelled before the X thread reads it never starts, and the next one does")
    func cancelledEarly() {
        for _ in 1...100 { began("one").cancel() }
        #expect(fixture.unread.isEmpty)
        let capture = began("one", isCapture: true)
        began("two")
        #expect(fixture.unread.count == 1)
        capture.cancel()
        fixture.succeed()
        #expect(fixture.asked == ["two"])
        #expect(fixture.cancelled == 0)
    }

    @Test("A waiting conversion that is cancelled makes way for the next one")
    func expiredEarly() {
        began("one", isCapture: true, idleTimeout: .milliseconds(100))
        began("two", isCapture: true)
        fixture.expire(.seconds(1))
        #expect(outcomes.results == [.displayTimedOut])
        fixture.succeed()
        #expect(fixture.asked == ["two"])
    }

    @Test("A conversion that the X thread has started is cancelled there")
    func expiredLate() {
        convert("one", idleTimeout: .milliseconds(100))
        fixture.expire(.seconds(1))
        fixture.succeed()
        #expect(outcomes.results == [.displayTimedOut])
        #expect(fixture.cancelled == 1)
    }

    @Test("Pasteboards that are repeatedly created and removed do not fill the X thread's queue")
    func watches() {
        display.watch("known")
        fixture.succeed()
        for round in 1...100 {
            display.watch("new \(round)")
            display.unwatch("new \(round)")
            display.unwatch("known")
            display.watch("known")
            display.watch("again")
            display.unwatch("again")
        }
        #expect(fixture.unread.count == 2)
        fixture.succeed()
        #expect(fixture.watched.contains("known") && !fixture.watched.contains("again"))
        display.unwatch("known")
        fixture.succeed()
        #expect(!fixture.watched.contains("known"))
    }

    // MARK: Bursts

    @Test("The merged changes of a burst raise the count by their number, in one step")
    func mergedChanges() throws {
        let fixture = try ServiceFixture(display: ":0")
        let before = try #require(fixture.pasteboard("general")).count
        var change = OwnershipTracker.Change(owner: .foreign(WindowID(7)), isDeath: false)
        change.steps = 400_000
        fixture.report(.changed(selection: "CLIPBOARD", change))
        #expect(fixture.pasteboard("general")?.count == before + 400_000)
    }
}
