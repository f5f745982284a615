import EventLoop
import SelectionProtocol
import Testing

@testable import Bridge
@testable import FormatConversion
@testable import X11Bridge

@Suite struct DisplayReportMergingTests {
    private static func change(
        _ owner: OwnershipTracker.Owner, of selection: String = "CLIPBOARD", byDeath: Bool = false
    ) -> DisplayReport {
        .changed(selection: selection, .init(owner: owner, byDeath: byDeath))
    }

    private static let ours = change(.ours(OfferID(1)))
    private static let theirs = change(.foreign(WindowID(1)))

    /// What waits after these were sent, each as its owner, with its number of changes.
    private func waiting(_ reports: [DisplayReport]) throws -> [String] {
        let queue = try MessageQueue<DisplayReport>()
        for report in reports { queue.send(report, mergingBeyond: 1) { report.merge(into: &$0) } }
        return queue.drain().map { report in
            guard case .changed(let selection, let change) = report else { return "other" }
            let owner =
                switch change.owner {
                case .foreign(let window): "\(window.id)"
                case .ours: "ours"
                case .none: change.byDeath ? "dead" : "none"
                }
            return "\(selection) \(owner) \(change.steps)"
        }
    }

    @Test("Of a burst of changes the last is told, with how many they were")
    func burst() throws {
        let changes = (1...5).map { Self.change($0 == 3 ? .none : .foreign(WindowID($0))) }
        #expect(try waiting(changes) == ["CLIPBOARD 5 5"])
        #expect(try waiting(changes + [Self.change(.none)]) == ["CLIPBOARD none 6"])
    }

    @Test("Selections that change in turn are told one by one")
    func selections() throws {
        let changes = (1...6).map { Self.change(.foreign(WindowID($0)), of: $0 % 2 == 0 ? "PRIMARY" : "CLIPBOARD") }
        #expect(try waiting(changes) == ["CLIPBOARD 5 3", "PRIMARY 6 3"])
    }

    @Test("Our own ownership, a death and all that is no change are told where they came")
    func apart() throws {
        let dead = Self.change(.none, byDeath: true)
        #expect(
            try waiting([Self.theirs, Self.ours, Self.theirs, dead, Self.theirs, .transfers(1), Self.theirs])
                == [
                    "CLIPBOARD 1 1", "CLIPBOARD ours 1", "CLIPBOARD 1 1", "CLIPBOARD dead 1", "CLIPBOARD 1 1", "other",
                    "CLIPBOARD 1 1",
                ])
    }

    @Test("The count rises by as many, in one step")
    func count() throws {
        let fixture = try ServiceFixture(display: ":0")
        let before = try #require(fixture.board("general")).count
        var change = OwnershipTracker.Change(owner: .foreign(WindowID(7)), byDeath: false)
        change.steps = 400_000
        fixture.report(.changed(selection: "CLIPBOARD", change))
        #expect(fixture.board("general")?.count == before + 400_000)
    }
}
