import Bridge
import BridgeState
import EventLoop
import PasteboardModel
import SelectionProtocol
import Testing

@Suite struct ExpirySchedulerTests {
    private final class Expired {
        var versions: [OfferID] = []
    }

    private let fixture: VersionFixture
    private let scheduler: ExpiryScheduler
    private let expired = Expired()
    private let start = ContinuousClock.now

    init() throws {
        fixture = try VersionFixture()
        scheduler = ExpiryScheduler(timers: fixture.executor.timers)
        scheduler.onExpiry = { [expired] version, _ in expired.versions.append(version) }
    }

    private func write(to pasteboard: PasteboardState, expiringIn seconds: Int?) throws -> OfferID {
        let version = try fixture.write(to: pasteboard, expiry: seconds.map { start + .seconds($0) })
        scheduler.versionChanged(on: pasteboard)
        return version.id
    }

    @Test("Each pasteboard's contents expire once, at their own time")
    func times() throws {
        let first = try write(to: fixture.pasteboard(.general), expiringIn: 20)
        let second = try write(to: fixture.pasteboard(.find), expiringIn: 10)
        #expect(fixture.executor.timers.earliest == start + .seconds(10))
        fixture.runTimers(until: start + .seconds(10))
        #expect(expired.versions == [second])
        fixture.runTimers(until: start + .seconds(60))
        #expect(expired.versions == [second, first] && scheduler.expiries.isEmpty)
    }

    @Test("Newer contents replace the timer, or cancel it if they do not expire")
    func replaced() throws {
        let pasteboard = try fixture.pasteboard()
        _ = try write(to: pasteboard, expiringIn: 10)
        let second = try write(to: pasteboard, expiringIn: 20)
        #expect(scheduler.expiries.count == 1)
        fixture.runTimers(until: start + .seconds(20))
        #expect(expired.versions == [second])
        _ = try write(to: pasteboard, expiringIn: 10)
        _ = try write(to: pasteboard, expiringIn: nil)
        #expect(scheduler.expiries.isEmpty && fixture.executor.timers.earliest == nil)
    }

    @Test("A new owner of the pasteboard cancels the timer")
    func foreign() throws {
        let pasteboard = try fixture.pasteboard()
        _ = try write(to: pasteboard, expiringIn: 10)
        pasteboard.change(to: .foreign(.window(1)), at: 0)
        scheduler.versionChanged(on: pasteboard)
        #expect(scheduler.expiries.isEmpty && fixture.executor.timers.earliest == nil)
    }
}
