import EventLoop
import LinuxSystem
import SelectionProtocol
import TestSupport
import Testing
import X11Bridge
import X11Display

/// Tests of the X thread as a whole, on a real server.
@Suite(.requiresXvfb, .serialized) struct DisplayThreadTests {
    /// The reports of the thread, one after the other.
    private final class Reports {
        private let queue: MessageQueue<DisplayReport>
        private var drained: [DisplayReport] = []

        init(_ queue: MessageQueue<DisplayReport>) { self.queue = queue }

        /// Waits for the first report of a kind, and drops the reports before it.
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
        "A display connected in advance is attached; after a failed connection another display is opened"
    )
    func connected() throws {
        let (commands, queue) = (try MessageQueue<DisplayCommand>(), try MessageQueue<DisplayReport>())
        let worker = try DisplayThread.start(commands: commands, reports: queue, activity: DisplayActivity())
        defer { worker.join() }
        defer { commands.send(.stop) }
        let display = try #require(Xvfb.display)
        let reports = Reports(queue)
        // No server has this number, which is beyond the range of ports.
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

        let (others, otherQueue) = (try MessageQueue<DisplayCommand>(), try MessageQueue<DisplayReport>())
        let other = try DisplayThread.start(commands: others, reports: otherQueue, activity: DisplayActivity())
        defer { other.join() }
        defer { others.send(.stop) }
        others.send(.connect(display: display))
        others.send(.attach(display: display, replacing: true))
        #expect(
            try Reports(otherQueue).first { if case .attached(let display) = $0 { display } else { nil } } == display)
    }

    /// Attaches a display and watches a selection on it.
    ///
    /// - Returns: The name of the selection, and another client of the display.
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
        "All changes of a burst are counted, and a query in its middle is answered after the changes before it",
        .serialized, arguments: [false, true])
    func burst(isWatched: Bool) throws {
        let (commands, queue) = (try MessageQueue<DisplayCommand>(), try MessageQueue<DisplayReport>())
        let activity = DisplayActivity()
        activity.hasWatchers = isWatched
        let worker = try DisplayThread.start(commands: commands, reports: queue, activity: activity)
        defer { worker.join() }
        defer { commands.send(.stop) }
        let reports = Reports(queue)
        let (selection, stranger) = try watching(commands, reports)
        let (atom, window) = (stranger.intern(selection), stranger.createWindow(for: .requestor))
        var (steps, changes) = (0, 0)
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
                    changes += 1
                    return nil
                case .answered(Ticket(number: round), _): return ()
                default: return nil
                }
            }
            #expect(steps == round * 50)
        }
        #expect(isWatched ? changes == 1_000 : changes < 1_000)
    }

    @Test("The last change of a burst is reported without a query")
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
        // This waits forever if the change is not reported.
        try reports.first { report -> Void? in
            guard case .changed(selection, let change) = report, case .foreign(windows.last) = change.owner else {
                return nil
            }
            return ()
        }
    }

    /// A query that blocks the X thread until a latch is opened.
    private struct BlockingQuery: DisplayQuery {
        let hasStarted: EventDescriptor
        let end: Latch

        func answer(by thread: DisplayThread) {
            hasStarted.signal()
            end.wait()
        }

        static func == (one: Self, other: Self) -> Bool { one.end === other.end }

        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(end)) }
    }

    @Test("Beyond the limit on queued events the display is detached, and it can be attached again")
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
        commands.send(.claim(offer, .always, Ticket(number: 1), until: .now + .seconds(3_600)))
        let reports = Reports(queue)
        try reports.first { if case .claimEnded(_, .done) = $0 { () } else { nil } }

        // All requests are on the connection before the thread reads the first request, whose list needs a round trip
        // to the server. The round trip reads the events before the reply.
        let (hasStarted, end) = (try EventDescriptor(), Latch())
        commands.send(.query(BlockingQuery(hasStarted: hasStarted, end: end), Ticket(number: 4)))
        defer { end.open() }
        _ = try waitReadable(hasStarted.fileDescriptor, until: nil)
        let stranger = try XDisplay(opening: display)
        let window = stranger.createWindow(for: .requestor)
        let (selection, multiple) = (stranger.intern("CLIPBOARD"), stranger.intern("MULTIPLE"))
        for _ in 0..<20_000 {
            stranger.convert(selection, to: multiple, into: stranger.intern("LIST"), of: window, time: .current)
        }
        stranger.synchronize()
        end.open()
        try reports.first { if case .flooded(display) = $0 { () } else { nil } }
        try reports.first { if case .detached(display) = $0 { () } else { nil } }
        commands.send(.query(TrafficQuery(), Ticket(number: 2)))
        let traffic = try reports.first {
            if case .answered(_, let traffic as DisplayTraffic) = $0 { traffic } else { nil }
        }
        #expect(traffic.refusals.count(of: .flood) == 1)

        commands.send(.attach(display: display, replacing: true))
        commands.send(.claim(offer, .always, Ticket(number: 3), until: .now + .seconds(3_600)))
        try reports.first { if case .claimEnded(Ticket(number: 3), .done) = $0 { () } else { nil } }
    }
}
