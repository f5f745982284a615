import SelectionProtocol
import Testing

@testable import Bridge

/// Conversions that take turns at one owner: see ``OwnerReadScheduler``.
@Suite struct DisplayLinkTests {
    private final class Told {
        var results: [DisplayProxy.FetchFailure?] = []
    }

    private let fixture: ServiceFixture
    private let told = Told()
    private var link: DisplayProxy { fixture.link }

    init() throws {
        fixture = try ServiceFixture(display: ":99")
        fixture.copy(ForeignProgram(offers: ["one", "two", "three"].map { ($0, .later) }))
    }

    @discardableResult private func convert(
        _ target: String, isCapture: Bool = false, silence: Duration = .seconds(60)
    ) -> Ticket {
        let ticket = link.convert("CLIPBOARD", to: target, silence: silence, isCapture: isCapture) { [told] result in
            if case .failure(let failure) = result { told.results.append(failure) } else { told.results.append(nil) }
        }
        fixture.succeed()
        return ticket
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
        fixture.report(.draining(capture))
        if isCancelled {
            link.cancel(capture)
            fixture.succeed()
        } else {
            fixture.answer("one", .failure(.tooLong))
            #expect(told.results == [.conversion(.tooLong)])
        }
        #expect(fixture.asked == ["one"])
        fixture.report(.drained(capture))
        fixture.succeed()
        #expect(fixture.asked == ["one", "two"])
    }

    @Test("A reader asks beside a capture that is not answered, and has all its time for that")
    func unanswered() {
        convert("one", isCapture: true)
        convert("two", silence: .seconds(1))
        link.expire(now: .now + .milliseconds(1_100))
        fixture.succeed()
        #expect(fixture.asked == ["one", "two"])
        #expect(told.results == [])
        fixture.answer("two", ForeignProgram.bytes([], "two"))
        #expect(told.results == [nil])
    }

    @Test("With a server that went away all turns are over")
    func detached() {
        link.cancel(convert("one", isCapture: true))
        let capture = convert("two", isCapture: true)
        fixture.report(.draining(capture))
        convert("three")
        fixture.report(.detached(display: ":99"))
        link.attach(":99")
        fixture.report(.attached(display: ":99"))
        fixture.copy(.text("new"))
        convert("UTF8_STRING")
        #expect(told.results.last == .some(nil))
    }

    // MARK: A display thread that an X server holds up

    private func began(_ target: String, isCapture: Bool = false, silence: Duration = .seconds(60)) -> Ticket {
        link.convert("CLIPBOARD", to: target, silence: silence, isCapture: isCapture) { [told] result in
            if case .failure(let failure) = result { told.results.append(failure) } else { told.results.append(nil) }
        }
    }

    @Test("What nobody waits for any more is not left for the display thread to do")
    func takenBack() {
        var ends = 0
        for round in 1...100 {
            link.catchUp(within: .milliseconds(100)) { ends += 1 }
            link.seek("com.example.a\(round)", within: .milliseconds(100)) { if !$0 { ends += 1 } }
            link.observe(within: .milliseconds(100)) { if !$0 { ends += 1 } }
            link.recode(.toCompoundText, [0x61], within: .milliseconds(100)) { _ in ends += 1 }
            link.disown("CLIPBOARD", within: .milliseconds(100)) { if $0 == .silent { ends += 1 } }
            link.identify(WindowID(7), within: .milliseconds(100)) { if $0 == nil { ends += 1 } }
            link.tellTraffic(within: .milliseconds(100)) { _ in ends += 1 }
            _ = began("one", silence: .milliseconds(100))
            // Questions that several share are put once.
            #expect(fixture.untaken.count == 8)
            fixture.standStill(.seconds(1))
            #expect(fixture.untaken.count == 2)
        }
        #expect(ends == 700)
        #expect(told.results == Array(repeating: .displaySilent, count: 100))
    }

    @Test("A conversion that is cancelled before the display thread comes to it is never begun, and the next one is")
    func cancelledEarly() {
        for _ in 1...100 { link.cancel(began("one")) }
        #expect(fixture.untaken.isEmpty)
        let capture = began("one", isCapture: true)
        _ = began("two")
        #expect(fixture.untaken.count == 1)
        link.cancel(capture)
        fixture.succeed()
        #expect(fixture.asked == ["two"])
        #expect(fixture.cancelled == 0)
    }

    @Test("One that was given up before it was begun leaves its turn to the next")
    func expiredEarly() {
        _ = began("one", isCapture: true, silence: .milliseconds(100))
        _ = began("two", isCapture: true)
        fixture.standStill(.seconds(1))
        #expect(told.results == [.displaySilent])
        fixture.succeed()
        #expect(fixture.asked == ["two"])
    }

    @Test("One that the display thread has begun is ended there")
    func expiredLate() {
        convert("one", silence: .milliseconds(100))
        fixture.standStill(.seconds(1))
        fixture.succeed()
        #expect(told.results == [.displaySilent])
        #expect(fixture.cancelled == 1)
    }

    @Test("Who makes and removes pasteboards again and again does not fill the display thread's queue")
    func watches() {
        link.watch("known")
        fixture.succeed()
        for round in 1...100 {
            link.watch("new \(round)")
            link.unwatch("new \(round)")
            link.unwatch("known")
            link.watch("known")
            link.watch("again")
            link.unwatch("again")
        }
        #expect(fixture.untaken.count == 2)
        fixture.succeed()
        #expect(fixture.watched.contains("known") && !fixture.watched.contains("again"))
        link.unwatch("known")
        fixture.succeed()
        #expect(!fixture.watched.contains("known"))
    }
}
