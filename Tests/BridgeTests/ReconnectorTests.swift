import Bridge
import EventLoop
import Foundation
import Testing
import X11Bridge
import X11Display

@Suite(.timeLimit(.minutes(10))) struct ReconnectorTests {
    /// A bridge that has lost its display.
    private final class Lost {
        let display: String
        let fixture: ServiceFixture
        let reconnector: Reconnector
        /// The times before and after the last report.
        var reported = (from: ContinuousClock.now, until: ContinuousClock.now)

        init(_ display: String = ":59998") throws {
            self.display = display
            fixture = try ServiceFixture(display: display)
            reconnector = Reconnector(
                .init(fixture.display, of: fixture.service), loop: fixture.loop, timers: fixture.executor.timers)
            fixture.display.onEvent = { [unowned self] report in
                fixture.service.handle(report)
                switch report {
                case .detached: reconnector.start()
                case .attached: reconnector.stop()
                case .attachFailed: reconnector.attemptFailed()
                default: break
                }
            }
            report(.detached(display: display))
        }

        func report(_ report: DisplayReport) {
            reported.from = .now
            fixture.report(report)
            fixture.succeed()
            reported.until = .now
        }

        func fail() { report(.attachFailed(.display(.cannotOpen(display)))) }

        var alarm: ContinuousClock.Instant? { fixture.executor.timers.earliest }

        /// Lets the present pause pass.
        func letPass() throws {
            for body in fixture.executor.timers.takeDue(at: try #require(alarm)) { body() }
            fixture.succeed()
        }

        /// Returns true if the pause that began with the last report has this length.
        func waits(_ pause: Duration) -> Bool {
            alarm.map { $0 >= reported.from + pause && $0 <= reported.until + pause } ?? false
        }
    }

    @Test("An attempt follows each pause, which grows up to half a minute, until the display is back")
    func pauses() throws {
        let lost = try Lost()
        #expect(lost.fixture.attempts == [] && lost.waits(.milliseconds(250)))
        for (number, pause) in [0.5, 1, 2, 4, 8, 16, 30, 30].enumerated() {
            try lost.letPass()
            #expect(lost.fixture.attempts.count == number + 1)
            #expect(lost.alarm == nil, "two attempts at once")
            lost.fail()
            #expect(lost.waits(.seconds(pause)), "\(pause)")
        }
        try lost.letPass()
        lost.report(.attached(display: lost.display))
        #expect(lost.alarm == nil)
        // The next time, the pauses start over.
        lost.report(.detached(display: lost.display))
        #expect(lost.waits(.milliseconds(250)))
    }

    @Test("A client's attempt does not change a pause")
    func client() throws {
        let lost = try Lost()
        let alarm = try #require(lost.alarm)
        for _ in 0..<3 {
            lost.fixture.display.attach(lost.display)
            lost.fail()
        }
        #expect(lost.alarm == alarm)
        lost.fixture.display.attach(lost.display)
        lost.report(.attached(display: lost.display))
        #expect(lost.alarm == nil)
    }

    @Test("There are no attempts for a display that was never attached")
    func neverThere() throws {
        let fixture = try ServiceFixture()
        let reconnector = Reconnector(
            .init(fixture.display, of: fixture.service), loop: fixture.loop, timers: fixture.executor.timers)
        fixture.display.attach(":59998")
        fixture.report(.attachFailed(.display(.cannotOpen(":59998"))))
        reconnector.attemptFailed()
        #expect(fixture.executor.timers.earliest == nil)
    }

    @Test("A bridge that is leaving makes no attempts")
    func leaving() throws {
        let lost = try Lost()
        lost.fixture.service.lifetime.isLeaving = true
        try lost.letPass()
        #expect(lost.fixture.attempts == [] && lost.alarm == nil)
    }

    /// Runs the loop until a number of attempts have been made, or the time limit of the test has passed.
    private func run(_ fixture: ServiceFixture, untilAttempts count: Int) throws {
        fixture.loop.beforeSleep = {
            fixture.succeed()
            if fixture.attempts.count >= count || Task.isCancelled { fixture.loop.stop() }
        }
        fixture.loop.earliestDeadline = { .now + .seconds(1) }
        fixture.loop.deadlinesPassed = { _ in }
        try fixture.loop.run()
        try Task.checkCancellation()
    }

    @Test("The display's socket leads to an immediate attempt, and soon to another if the first was too early")
    func socket() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "xpb-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let lost = try Lost(folder.appending(path: "X7").path)
        for _ in 0..<6 {
            try lost.letPass()
            lost.fail()
        }
        #expect(lost.waits(.seconds(16)))
        try Data().write(to: folder.appending(path: "other"))
        try Data().write(to: folder.appending(path: "X7"))
        try run(lost.fixture, untilAttempts: 7)
        #expect(lost.fixture.attempts.count == 7 && lost.alarm == nil)

        // The socket appears again during that attempt: when the attempt ends, the next begins.
        try FileManager.default.removeItem(at: folder.appending(path: "X7"))
        try Data().write(to: folder.appending(path: "X7"))
        lost.fixture.loop.earliestDeadline = { .now }
        lost.fixture.loop.deadlinesPassed = { _ in lost.fixture.loop.stop() }
        lost.fixture.loop.beforeSleep = {}
        try lost.fixture.loop.run()
        #expect(lost.fixture.attempts.count == 7)
        lost.fail()
        #expect(lost.fixture.attempts.count == 8)
        lost.fail()
        #expect(lost.fixture.attempts.count == 8 && lost.waits(.milliseconds(250)))
    }
}
