import Bridge
import EventLoop
import Foundation
import Testing
import X11Bridge
import X11Display

@Suite struct DisplayReconnectorTests {
    /// A bridge that lost its display.
    private final class Lost {
        let display: String
        let fixture: ServiceFixture
        let reconnector: DisplayReconnector
        /// Around the moment of the last report.
        var told = (from: ContinuousClock.now, until: ContinuousClock.now)

        init(_ display: String = ":59998") throws {
            self.display = display
            fixture = try ServiceFixture(display: display)
            reconnector = DisplayReconnector(fixture.display, service: fixture.service, loop: fixture.loop)
            fixture.display.onEvent = { [unowned self] report in
                fixture.service.handle(report)
                switch report {
                case .detached: reconnector.start()
                case .attached: reconnector.stop()
                case .attachFailed: reconnector.attemptFailed()
                default: break
                }
            }
            tell(.detached(display: display))
        }

        func tell(_ report: DisplayReport) {
            told.from = .now
            fixture.report(report)
            fixture.succeed()
            told.until = .now
        }

        func fail() { tell(.attachFailed(.display(.cannotOpen(display)))) }

        var alarm: ContinuousClock.Instant? { fixture.executor.timers.earliest }

        /// Lets the time come for which it waits.
        func letPass() throws {
            for body in fixture.executor.timers.takeDue(at: try #require(alarm)) { body() }
            fixture.succeed()
        }

        /// Whether the pause that began with the last report is so long.
        func waits(_ pause: Duration) -> Bool {
            alarm.map { $0 >= told.from + pause && $0 <= told.until + pause } ?? false
        }
    }

    @Test("It tries after pauses that grow to half a minute, once each, and stops when the display is back")
    func pauses() throws {
        let lost = try Lost()
        #expect(lost.fixture.attempts == [] && lost.waits(.milliseconds(250)))
        for (number, pause) in [0.5, 1, 2, 4, 8, 16, 30, 30].enumerated() {
            try lost.letPass()
            #expect(lost.fixture.attempts.count == number + 1)
            #expect(lost.alarm == nil, "two at once")
            lost.fail()
            #expect(lost.waits(.seconds(pause)), "\(pause)")
        }
        try lost.letPass()
        lost.tell(.attached(display: lost.display))
        #expect(lost.alarm == nil)
        // The next time it begins anew.
        lost.tell(.detached(display: lost.display))
        #expect(lost.waits(.milliseconds(250)))
    }

    @Test("A client's attempt neither shortens nor lengthens a pause")
    func client() throws {
        let lost = try Lost()
        let alarm = try #require(lost.alarm)
        for _ in 0..<3 {
            lost.fixture.display.attach(lost.display)
            lost.fail()
        }
        #expect(lost.alarm == alarm)
        lost.fixture.display.attach(lost.display)
        lost.tell(.attached(display: lost.display))
        #expect(lost.alarm == nil)
    }

    @Test("A display that is not there at first is not looked for")
    func neverThere() throws {
        let fixture = try ServiceFixture()
        let reconnector = DisplayReconnector(fixture.display, service: fixture.service, loop: fixture.loop)
        fixture.display.attach(":59998")
        fixture.report(.attachFailed(.display(.cannotOpen(":59998"))))
        reconnector.attemptFailed()
        #expect(fixture.executor.timers.earliest == nil)
    }

    @Test("A bridge that leaves does not look for it")
    func leaving() throws {
        let lost = try Lost()
        lost.fixture.service.isLeaving = true
        try lost.letPass()
        #expect(lost.fixture.attempts == [] && lost.alarm == nil)
    }

    /// Runs the loop until so many attempts were made.
    private func run(_ fixture: ServiceFixture, untilAttempts count: Int) throws {
        let deadline = ContinuousClock.now + .seconds(60)
        fixture.loop.beforeSleep = {
            fixture.succeed()
            if fixture.attempts.count >= count { fixture.loop.stop() }
        }
        fixture.loop.earliestDeadline = { deadline }
        fixture.loop.deadlinesPassed = { _ in fixture.loop.stop() }
        try fixture.loop.run()
    }

    @Test("When the display's socket appears it is tried at once, and again soon where that was too early")
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

        // Another one while that attempt is under way: at the end of it the next begins.
        try FileManager.default.removeItem(at: folder.appending(path: "X7"))
        try Data().write(to: folder.appending(path: "X7"))
        lost.fixture.loop.earliestDeadline = { .now }
        lost.fixture.loop.beforeSleep = {}
        try lost.fixture.loop.run()
        #expect(lost.fixture.attempts.count == 7)
        lost.fail()
        #expect(lost.fixture.attempts.count == 8)
        lost.fail()
        #expect(lost.fixture.attempts.count == 8 && lost.waits(.milliseconds(250)))
    }
}
