import Glibc
import SelectionProtocol
import TestSupport
import Testing
import X11Display

@Suite(.requiresXvfb, .serialized) struct EventsTests {
    private func events(of display: XDisplay) -> [DisplayEvent] {
        display.synchronize()
        var events: [DisplayEvent] = []
        while let event = display.nextEvent() { events.append(event) }
        return events
    }

    @Test("A new owner, a release and a death are each reported once, the death with its time")
    func ownership() throws {
        let (watcher, owner) = (try openDisplay(), try openDisplay())
        let selection = watcher.intern("TEST_SELECTION")
        watcher.watchSelection(selection)
        watcher.synchronize()

        let window = owner.createWindow(for: .owner)
        let time = owner.serverTime()
        owner.setOwner(of: selection, to: window, time: time)
        owner.setOwner(of: selection, to: .none, time: time)
        let last = owner.serverTime()
        owner.setOwner(of: selection, to: window, time: last)
        owner.destroyWindow(window)
        owner.synchronize()

        let seen = events(of: watcher)
        try #require(seen.count == 4)
        #expect(seen[0] == .ownerSet(selection: selection, window: window, time: time))
        guard case .ownerSet(_, .none, _) = seen[1] else { Issue.record("not released: \(seen[1])"); return }
        guard case .ownerDied(selection, byDisconnection: false, let death) = seen[3] else {
            Issue.record("no death: \(seen[3])")
            return
        }
        #expect(death.isWithin(UInt32.max / 2, after: last))
        #expect(owner.serverTime().isWithin(UInt32.max / 2, after: death))
    }

    @Test("A request and its answer carry every field")
    func request() throws {
        let (owner, requestor) = (try openDisplay(), try openDisplay())
        let selection = owner.intern("TEST_SELECTION")
        let window = owner.createWindow(for: .owner)
        owner.setOwner(of: selection, to: window, time: owner.serverTime())
        let asking = requestor.createWindow(for: .requestor)
        let (target, property) = (requestor.intern("TARGET"), requestor.intern("PROPERTY"))
        let time = requestor.serverTime()
        owner.synchronize()
        requestor.convert(selection, to: target, into: property, of: asking, time: time)
        requestor.synchronize()

        let expected = SelectionRequest(
            owner: window, requestor: asking, selection: selection, target: target, property: property, time: time)
        #expect(events(of: owner) == [.request(expected)])
        owner.notify(expected, property: .none)
        owner.synchronize()
        #expect(
            events(of: requestor) == [
                .notified(window: asking, selection: selection, target: target, property: .none, time: time)
            ])
    }

    @Test("A claim with a time before the current ownership changes nothing")
    func pastTime() throws {
        let (first, second) = (try openDisplay(), try openDisplay())
        let selection = first.intern("TEST_SELECTION")
        let (window, rival) = (first.createWindow(for: .owner), second.createWindow(for: .owner))
        let time = first.serverTime()
        first.setOwner(of: selection, to: window, time: time)
        first.synchronize()
        second.setOwner(of: selection, to: rival, time: ServerTime(time.milliseconds &- 1))
        #expect(second.owner(of: selection) == window)
    }

    @Test("Events of another client's window are reported until it is unwatched")
    func watching() throws {
        let (display, other) = (try openDisplay(), try openDisplay())
        let window = other.createWindow(for: .requestor)
        let property = display.intern("WATCHED")
        other.synchronize()
        display.watch(window)
        display.write([1], to: property, of: window, type: .integer)
        #expect(events(of: display) == [.propertyWritten(window: window, property: property)])
        _ = other.read(property, of: window, maximum: 4)
        #expect(events(of: display) == [.propertyDeleted(window: window, property: property)])
        display.unwatch(window)
        display.write([1], to: property, of: window, type: .integer)
        #expect(events(of: display) == [])
        display.watch(window)
        display.synchronize()
        other.destroyWindow(window)
        other.synchronize()
        #expect(events(of: display) == [.windowDestroyed(window)])
    }

    @Test("Watching and unwatching does not change the events of the display's own window")
    func ownWindow() throws {
        let (display, other) = (try openDisplay(), try openDisplay())
        let (window, property) = (display.createWindow(for: .requestor), display.intern("WATCHED"))
        display.watch(window)
        display.unwatch(window)
        display.synchronize()
        other.write([1], to: property, of: window, type: .integer)
        other.synchronize()
        #expect(events(of: display) == [.propertyWritten(window: window, property: property)])
        #expect(display.isOwn(window) && !other.isOwn(window))
    }

    @Test("Events of other kinds are not even queued")
    func otherKinds() throws {
        let (display, other) = (try openDisplay(), try openDisplay())
        display.watch(display.root)
        display.synchronize()
        for _ in 1...10 {
            other.announceManager(of: other.intern("TEST_SELECTION"), window: .none, since: .current)
        }
        other.synchronize()
        #expect(events(of: display) == [])
    }

    @Test("A connection with too many events is closed, and reported as flooded")
    func flooded() throws {
        let (display, other) = (try openDisplay(), try openDisplay())
        let window = display.createWindow(for: .requestor)
        display.synchronize()
        let property = other.intern("JUNK")
        for value: UInt32 in 0..<250_000 { other.write([value], to: property, of: window, type: .integer) }
        other.synchronize()
        #expect(!display.isFlooded)
        display.synchronize()
        #expect(display.isFlooded && display.isBroken)
        #expect(display.nextEvent() == nil)
    }

    @Test("Meaningless events are returned like others, one at a time")
    func meaningless() throws {
        let (display, other) = (try openDisplay(), try openDisplay())
        for value: UInt32 in 1...3 {
            other.write(
                [value], to: other.intern("JUNK"), of: display.clock, type: .integer)
        }
        other.synchronize()
        display.synchronize()
        #expect(display.queuedEvents == 3)
        #expect(events(of: display) == [.other, .other, .other])
        #expect(display.queuedEvents == 0)
    }

    @Test("Events that arrive before the server's time are kept in order, and meaningless events are dropped")
    func beforeTheTime() throws {
        let (display, other) = (try openDisplay(), try openDisplay())
        let (window, clock) = (display.createWindow(for: .requestor), display.clock)
        let names = ["FIRST", "SECOND", "THIRD"]
        display.synchronize()
        let properties = other.intern(names)
        func write(_ property: Atom, to window: WindowID) {
            other.write([1], to: property, of: window, type: .integer)
            other.synchronize()
        }
        for property in properties.prefix(2) {
            for _ in 1...100 { write(property, to: clock) }
            write(property, to: window)
            #expect(display.serverTime() != .current)
        }
        #expect(display.queuedEvents == 2)
        write(properties[2], to: window)
        let written = display.intern(names).map { DisplayEvent.propertyWritten(window: window, property: $0) }
        #expect(events(of: display) == written)
    }

    @Test("The process that created a window is reported")
    func process() throws {
        let (display, other) = (try openDisplay(), try openDisplay())
        let window = other.createWindow(for: .owner)
        other.synchronize()
        let own = getpid()
        #expect(display.process(of: window) == own)
        #expect(display.process(of: WindowID(UInt32(0x7FF_FFFF))) == nil)
    }
}
