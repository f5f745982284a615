import EventLoop
import LinuxSystem
import SelectionProtocol
import TestSupport
import Testing
import X11Display

@testable import Bridge
@testable import FormatConversion
@testable import X11Bridge

/// The display thread as a whole, on a real server.
@Suite(.requiresXvfb, .serialized) struct DisplayThreadTests {
    /// Its reports, one after the other.
    private final class Reports {
        private let queue: MessageQueue<DisplayReport>
        private var drained: [DisplayReport] = []

        init(_ queue: MessageQueue<DisplayReport>) { self.queue = queue }

        /// Waits for one of a kind.
        func first<Value>(_ pick: (DisplayReport) -> Value?) throws -> Value {
            while true {
                while drained.isEmpty {
                    _ = try waitReadable(queue.fileDescriptor, until: nil)
                    drained = queue.drain()
                }
                if let value = pick(drained.removeFirst()) { return value }
            }
        }
    }

    @Test(
        "It attaches a display that it has connected to; one that it could not connect to is told, and another is opened"
    )
    func connected() throws {
        let (commands, queue) = (try MessageQueue<DisplayCommand>(), try MessageQueue<DisplayReport>())
        let worker = try DisplayThread.start(commands: commands, reports: queue, activity: DisplayActivity())
        defer { worker.join() }
        defer { commands.send(.stop) }
        let display = try #require(Xvfb.display)
        let reports = Reports(queue)
        // No server has such a number: X11's ports end before.
        let nowhere = ":65000"
        commands.send(.connect(display: nowhere))
        commands.send(.attach(display: nowhere, replacing: true))
        let failure = try reports.first { if case .attachFailed(let failure) = $0 { failure } else { nil } }
        guard case .display(.cannotOpen(nowhere)) = failure else { throw failure }
        commands.send(.connect(display: nowhere))
        commands.send(.attach(display: display, replacing: true))
        #expect(try reports.first { if case .attached(let display) = $0 { display } else { nil } } == display)
        commands.send(.stop)
        try reports.first { if case .stopped = $0 { () } else { nil } }

        let (others, told) = (try MessageQueue<DisplayCommand>(), try MessageQueue<DisplayReport>())
        let other = try DisplayThread.start(commands: others, reports: told, activity: DisplayActivity())
        defer { other.join() }
        defer { others.send(.stop) }
        others.send(.connect(display: display))
        others.send(.attach(display: display, replacing: true))
        #expect(try Reports(told).first { if case .attached(let display) = $0 { display } else { nil } } == display)
    }

    /// Has a display attached and a selection watched on it.
    ///
    /// - Returns: Its name, and another client of that display.
    private func watching(
        _ commands: MessageQueue<DisplayCommand>, _ reports: Reports
    ) throws -> (selection: String, stranger: XDisplay) {
        let display = try #require(Xvfb.display)
        let selection = "XPB_BURST"
        commands.send(.watch(selection: selection))
        commands.send(.attach(display: display, replacing: true))
        try reports.first { if case .attached = $0 { () } else { nil } }
        return (selection, try XDisplay(opening: display))
    }

    @Test(
        "Changes close behind one another are all counted, and who asks in the midst of them finds those before",
        .serialized, arguments: [false, true])
    func burst(isWatched: Bool) throws {
        let (commands, queue) = (try MessageQueue<DisplayCommand>(), try MessageQueue<DisplayReport>())
        let activity = DisplayActivity()
        activity.isAwaited = isWatched
        let worker = try DisplayThread.start(commands: commands, reports: queue, activity: activity)
        defer { worker.join() }
        defer { commands.send(.stop) }
        let reports = Reports(queue)
        let (selection, stranger) = try watching(commands, reports)
        let (atom, window) = (stranger.intern(selection), stranger.createWindow(for: .requestor))
        var (steps, told) = (0, 0)
        for round in 1...20 {
            for _ in 0..<50 {
                stranger.setOwner(of: atom, to: window, time: stranger.serverTime())
                if round.isMultiple(of: 5) { stranger.synchronize() }
            }
            stranger.synchronize()
            commands.send(.query(CatchUpQuery(), Ticket(number: round)))
            try reports.first { report -> Void? in
                switch report {
                case .changed(selection, let change):
                    steps += change.steps
                    told += 1
                    return nil
                case .answered(Ticket(number: round), _): return ()
                default: return nil
                }
            }
            #expect(steps == round * 50)
        }
        #expect(isWatched ? told == 1_000 : told < 1_000)
    }

    @Test("The last of many changes is told without a question")
    func lastOfBurst() throws {
        let (commands, queue) = (try MessageQueue<DisplayCommand>(), try MessageQueue<DisplayReport>())
        let worker = try DisplayThread.start(commands: commands, reports: queue, activity: DisplayActivity())
        defer { worker.join() }
        defer { commands.send(.stop) }
        let reports = Reports(queue)
        let (selection, stranger) = try watching(commands, reports)
        let atom = stranger.intern(selection)
        var windows: [WindowID] = []
        for _ in 0..<100 {
            windows.append(stranger.createWindow(for: .requestor))
            stranger.setOwner(of: atom, to: windows[windows.count - 1], time: stranger.serverTime())
        }
        stranger.flush()
        // For ever, if it is not.
        try reports.first { report -> Void? in
            guard case .changed(selection, let change) = report, case .foreign(windows.last) = change.owner else {
                return nil
            }
            return ()
        }
    }

    @Test("With more events than may be kept it leaves the server, says so, and is attached again when it is told to")
    func flooded() throws {
        let (commands, queue) = (try MessageQueue<DisplayCommand>(), try MessageQueue<DisplayReport>())
        let worker = try DisplayThread.start(
            commands: commands, reports: queue, activity: DisplayActivity(), maxQueued: 500)
        defer { worker.join() }
        defer { commands.send(.stop) }
        let display = try #require(Xvfb.display)
        commands.send(.attach(display: display, replacing: true))
        let file = try MemoryFile.containing(Array("text".utf8))
        let offer = Offer(
            id: OfferID(1), selection: "CLIPBOARD", targets: [.init(name: "UTF8_STRING", type: "UTF8_STRING", body: 0)],
            bodies: [.init(content: .held(.init(.file(file), 0..<4)))])
        commands.send(.claim(offer, .always, Ticket(number: 1), until: .now + .seconds(600)))
        let reports = Reports(queue)
        try reports.first { if case .claimEnded(_, .done) = $0 { () } else { nil } }

        // Each has the server asked for its list; those that came meanwhile are read with the answer.
        let stranger = try XDisplay(opening: display)
        let window = stranger.createWindow(for: .requestor)
        let (selection, multiple) = (stranger.intern("CLIPBOARD"), stranger.intern("MULTIPLE"))
        for _ in 0..<20_000 {
            stranger.convert(selection, to: multiple, into: stranger.intern("LIST"), of: window, time: .current)
        }
        stranger.flush()
        try reports.first { if case .flooded(display) = $0 { () } else { nil } }
        try reports.first { if case .detached(display) = $0 { () } else { nil } }
        commands.send(.query(TrafficQuery(), Ticket(number: 2)))
        let traffic = try reports.first {
            if case .answered(_, let traffic as DisplayTraffic) = $0 { traffic } else { nil }
        }
        #expect(traffic.refusals.count(of: .flood) == 1)

        commands.send(.attach(display: display, replacing: true))
        commands.send(.claim(offer, .always, Ticket(number: 3), until: .now + .seconds(600)))
        try reports.first { if case .claimEnded(Ticket(number: 3), .done) = $0 { () } else { nil } }
    }
}
