import EventLoop
import SelectionProtocol
import Testing

@testable import Bridge
@testable import FormatConversion
@testable import X11Bridge

/// Conversions that take turns at one owner: see ``OwnerReadScheduler``.
@Suite struct DisplayProxyTests {
    private final class Told {
        var results: [DisplayProxy.FetchFailure?] = []
    }

    private let fixture: ServiceFixture
    private let told = Told()
    private var display: DisplayProxy { fixture.display }

    init() throws {
        fixture = try ServiceFixture(display: ":99")
        fixture.copy(ForeignProgram(offers: ["one", "two", "three"].map { ($0, .later) }))
    }

    /// Begins a conversion, and leaves the X thread what it was told.
    @discardableResult private func began(
        _ target: String, isCapture: Bool = false, idleTimeout: Duration = .seconds(60)
    ) -> LoopTask {
        fixture.executor.start { [told, display = fixture.display] in
            do throws(DisplayProxy.FetchFailure) {
                _ = try await display.convert(
                    "CLIPBOARD", to: target, idleTimeout: idleTimeout, isCapture: isCapture)
                told.results.append(nil)
            } catch {
                if error != .conversion(.cancelled) { told.results.append(error) }
            }
        }
    }

    /// Begins a conversion, and returns its task and the ticket that the X thread has for it.
    @discardableResult private func convert(
        _ target: String, isCapture: Bool = false, idleTimeout: Duration = .seconds(60)
    ) -> (task: LoopTask, ticket: Ticket) {
        let task = began(target, isCapture: isCapture, idleTimeout: idleTimeout)
        var ticket = Ticket(number: 0)
        for command in fixture.untaken { if case .convert(_, _, let sent, _, _) = command { ticket = sent } }
        fixture.succeed()
        return (task, ticket)
    }

    @Test(
        "Who waits for what the former owner is asked for is told to look anew, and asks nobody for what that one had")
    func ownerChanged() {
        convert("one", isCapture: true)
        convert("two")
        fixture.copy(.text("new", window: 0x50_0001))
        fixture.succeed()
        #expect(told.results == [.conversion(.ownerReplaced)])
        #expect(fixture.asked == ["one"])
        convert("UTF8_STRING")
        #expect(told.results.last == .some(nil))
    }

    @Test("What is given up and still sent has its turn until its end", arguments: [true, false])
    func drained(isCancelled: Bool) {
        let capture = convert("one", isCapture: true)
        convert("two")
        fixture.report(.draining(capture.ticket))
        if isCancelled {
            capture.task.cancel()
            fixture.succeed()
        } else {
            fixture.answer("one", .failure(.tooLong))
            #expect(told.results == [.conversion(.tooLong)])
        }
        #expect(fixture.asked == ["one"])
        fixture.report(.drained(capture.ticket))
        fixture.succeed()
        #expect(fixture.asked == ["one", "two"])
    }

    @Test("A reader asks beside a capture that is not answered, and has all its time for that")
    func unanswered() {
        convert("one", isCapture: true)
        convert("two", idleTimeout: .seconds(1))
        display.expire(now: .now + .milliseconds(1_100))
        fixture.succeed()
        #expect(fixture.asked == ["one", "two"])
        #expect(told.results == [])
        fixture.answer("two", ForeignProgram.bytes([], "two"))
        #expect(told.results == [nil])
    }

    @Test("With a server that went away all turns are over")
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
        #expect(told.results.last == .some(nil))
    }

    // MARK: A display thread that an X server holds up

    @Test("What nobody waits for any more is not left for the display thread to do")
    func takenBack() {
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
            // Questions that several share are put once.
            #expect(fixture.untaken.count == 8)
            fixture.standStill(.seconds(1))
            #expect(fixture.untaken.count == 2)
        }
        #expect(ends == 700)
        #expect(told.results == Array(repeating: .displayTimedOut, count: 100))
    }

    @Test("A conversion that is cancelled before the display thread comes to it is never begun, and the next one is")
    func cancelledEarly() {
        for _ in 1...100 { began("one").cancel() }
        #expect(fixture.untaken.isEmpty)
        let capture = began("one", isCapture: true)
        began("two")
        #expect(fixture.untaken.count == 1)
        capture.cancel()
        fixture.succeed()
        #expect(fixture.asked == ["two"])
        #expect(fixture.cancelled == 0)
    }

    @Test("One that was given up before it was begun leaves its turn to the next")
    func expiredEarly() {
        began("one", isCapture: true, idleTimeout: .milliseconds(100))
        began("two", isCapture: true)
        fixture.standStill(.seconds(1))
        #expect(told.results == [.displayTimedOut])
        fixture.succeed()
        #expect(fixture.asked == ["two"])
    }

    @Test("One that the display thread has begun is ended there")
    func expiredLate() {
        convert("one", idleTimeout: .milliseconds(100))
        fixture.standStill(.seconds(1))
        fixture.succeed()
        #expect(told.results == [.displayTimedOut])
        #expect(fixture.cancelled == 1)
    }

    @Test("Who makes and removes pasteboards again and again does not fill the display thread's queue")
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
        #expect(fixture.untaken.count == 2)
        fixture.succeed()
        #expect(fixture.watched.contains("known") && !fixture.watched.contains("again"))
        display.unwatch("known")
        fixture.succeed()
        #expect(!fixture.watched.contains("known"))
    }
}
