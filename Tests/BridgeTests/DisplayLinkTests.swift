import SelectionProtocol
import Testing

@testable import Bridge

/// Conversions that take turns at one owner: see ``ReadingTurns``.
@Suite struct DisplayLinkTests {
    private final class Told {
        var results: [DisplayLink.FetchFailure?] = []
    }

    private let fixture: ServiceFixture
    private let told = Told()
    private var link: DisplayLink { fixture.link }

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
}
