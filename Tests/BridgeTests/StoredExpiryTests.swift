import Bridge
import BridgeState
import Foundation
import PasteboardStore
import PasteboardWire
import Testing

/// Contents with an expiry, after the bridge was killed and the clock was set before the next bridge started.
@Suite(.timeLimit(.minutes(10))) struct StoredExpiryTests {
    private static let year = 31_536_000_000

    /// Returns the time that is left, after a crash, to contents with an expiry of an hour.
    ///
    /// - Parameters:
    ///   - change: The change of the clock while no bridge is running, in milliseconds. The times in the store are
    ///     shifted instead.
    ///   - restarts: True if the machine was restarted too.
    private func timeLeft(after change: Int, restarts: Bool) throws -> Duration? {
        let stored = try StoredService()
        try stored.begin(
            Methods.Set.self, .text(on: "general", options: WireOptions(expires: 3_600_000)), bytes: "a")
        try stored.settle()
        let folder = try stored.killedFolder()
        let database = try Database(folder.path + "/store.sqlite")
        try database.run("UPDATE board SET expires = expires - \(change) WHERE expires IS NOT NULL")
        try database.run("UPDATE entry SET created = created - \(change)")
        if restarts { try database.run("UPDATE board SET boot = 'another' WHERE boot IS NOT NULL") }
        database.close()
        let next = try StoredService(display: nil, in: folder)
        return next.service.expiry.expiries.values.first.map { $0.time - .now }
    }

    @Test("A clock that is set back does not prolong the life of contents", arguments: [true, false])
    func back(restarts: Bool) throws {
        let left = try #require(try timeLeft(after: -Self.year, restarts: restarts))
        #expect(left > .seconds(1_800) && left <= .seconds(3_600))
    }

    @Test("A clock that is set forward does not expire contents, unless the machine was restarted too")
    func forward() throws {
        let left = try #require(try timeLeft(after: Self.year, restarts: false))
        #expect(left > .seconds(1_800) && left <= .seconds(3_600))
        #expect(try timeLeft(after: Self.year, restarts: true) == nil)
    }
}
