import CX11
package import SelectionProtocol

/// A decoded event that concerns selections. All other events are ignored, and so are events of these kinds that
/// another client forged with SendEvent. The exception is SelectionNotify: it is always sent with SendEvent, so a
/// forged one cannot be detected.
package enum DisplayEvent: Sendable, Equatable {
    case request(SelectionRequest)
    /// The answer to a conversion, sent to one of this display's windows.
    case notified(
        window: WindowID, selection: SelectionProtocol.Atom, target: SelectionProtocol.Atom,
        property: SelectionProtocol.Atom, time: ServerTime)
    case propertyWritten(window: WindowID, property: SelectionProtocol.Atom)
    case propertyDeleted(window: WindowID, property: SelectionProtocol.Atom)
    case windowDestroyed(WindowID)
    /// The owner of a watched selection was set; the window is none if the selection was released.
    case ownerSet(selection: SelectionProtocol.Atom, window: WindowID, time: ServerTime)
    /// The owner's window was destroyed, or its connection was closed.
    case ownerDied(selection: SelectionProtocol.Atom, byDisconnection: Bool, time: ServerTime)
    /// One of this display's windows no longer owns the selection.
    case cleared(window: WindowID, selection: SelectionProtocol.Atom)
    /// An event without meaning. Any client may send an unlimited number of them, so they are counted like other
    /// events.
    case other
}

extension XDisplay {
    /// The number of events in the process that are not handled yet. The connection is not read.
    package var queuedEvents: Int {
        isBroken ? 0 : takenEvents.count + Int(unsafe XEventsQueued(handle, QueuedAlready))
    }

    /// True if more events are queued in the process than are allowed, so that the connection must be given up. Far
    /// above that number, Xlib's queue closes the connection (`X11_MAX_QUEUED`).
    package var isFlooded: Bool {
        takenEvents.count + Int(unsafe XEventsQueued(handle, QueuedAlready)) > maxQueuedEvents
    }

    /// Takes the events that Xlib has queued. If there are none, reads the connection first.
    ///
    /// - Returns: The number of events available to ``nextGatheredEvent()``.
    package func gatherEvents() -> Int {
        gatherEvents(QueuedAfterReading)
        return takenEvents.count
    }

    /// Returns the next event among those that were gathered.
    package func nextGatheredEvent() -> DisplayEvent? { isBroken ? nil : takenEvents.popFirst() }

    /// Returns the next event from the process or from the connection, without waiting; nil if there is none.
    ///
    /// Any call that waits for a reply may have moved events into the process, so the events must be drained right
    /// before every sleep, whether the descriptor was readable or not. Programs are served in turn: see ``EventQueue``.
    /// The connection is read ahead, up to part of the queue's limit, so that a single request is noticed behind a
    /// flood of another program's requests. It is not read for every event, because each read costs a system call.
    package func nextEvent() -> DisplayEvent? {
        guard !isBroken else { return nil }
        eventsSinceRead += 1
        let readsAhead = eventsSinceRead >= Self.readInterval && takenEvents.count < maxQueuedEvents / 4 * 3
        if takenEvents.count == 0 || readsAhead {
            eventsSinceRead = 0
            gatherEvents(QueuedAfterReading)
        } else {
            gatherEvents(QueuedAlready)
        }
        return takenEvents.popFirst()
    }

    private static let readInterval = 32

    /// Takes the events that Xlib has queued. Meaningless events are queued too, so that commands and deadlines get
    /// their turn during a flood of such events.
    private func gatherEvents(_ mode: Int32) {
        guard !isBroken else { return }
        for _ in 0..<(unsafe XEventsQueued(handle, mode)) { append(takeEvent() ?? .other) }
    }

    /// Takes the events that Xlib has queued, without reading the connection. Meaningless events are dropped here.
    func takeEvents() {
        guard !isBroken else { return }
        for _ in 0..<(unsafe XEventsQueued(handle, QueuedAlready)) {
            if let event = takeEvent() { append(event) }
        }
    }

    /// Removes and returns the changes of ownership in the process, ahead of events that arrived earlier.
    package func removeOwnerChanges() -> [DisplayEvent] {
        takeEvents()
        return takenEvents.popOwnerChanges(of: program(of: clock))
    }

    /// Charges the program of an event whose handling cost that much more than usual, so that its next events wait
    /// longer.
    package func charge(_ cost: Int, for event: DisplayEvent) {
        takenEvents.charge(cost, to: lane(of: event))
    }

    private func append(_ event: DisplayEvent) {
        takenEvents.append(event, to: lane(of: event))
    }

    /// Returns the lane of the program that an event is about. The bridge's own windows count as one more program.
    private func lane(of event: DisplayEvent) -> EventQueue.LaneID {
        switch event {
        // Only a hostile client names the bridge's own window as the requestor.
        case .request(let request): isOwn(request.requestor) ? Self.noise : program(of: request.requestor)
        case .propertyDeleted(let window, _), .windowDestroyed(let window): program(of: window)
        case .notified, .propertyWritten, .ownerSet, .ownerDied, .cleared: program(of: clock)
        case .other: Self.noise
        }
    }

    private static let noise = EventQueue.LaneID.max

    /// Returns the lane of the client that created a window; a single lane for all clients if the server does not
    /// report how it assigns window numbers.
    private func program(of window: WindowID) -> EventQueue.LaneID { windowBits == 0 ? 0 : window.id & ~windowBits }

    /// Removes and decodes the first event of Xlib's queue, which must not be empty; nil if the event is meaningless.
    private func takeEvent() -> DisplayEvent? {
        var event = unsafe XEvent()
        unsafe XNextEvent(handle, &event)
        return unsafe decode(event)
    }

    private func decode(_ event: XEvent) -> DisplayEvent? {
        let isSent = unsafe event.xany.send_event != 0
        switch unsafe event.type {
        case SelectionNotify:
            let notice = unsafe event.xselection
            return unsafe .notified(
                window: WindowID(notice.requestor), selection: .init(notice.selection), target: .init(notice.target),
                property: .init(notice.property), time: ServerTime(UInt32(truncatingIfNeeded: notice.time)))
        case SelectionRequest where !isSent: return unsafe .request(SelectionRequest(event.xselectionrequest))
        case SelectionClear where !isSent:
            let clear = unsafe event.xselectionclear
            return unsafe .cleared(window: WindowID(clear.window), selection: .init(clear.selection))
        case PropertyNotify where !isSent:
            let change = unsafe event.xproperty
            guard unsafe change.window != clockWindow else {
                // Any client may change other properties of this window.
                if unsafe change.atom == clockProperty {
                    clockTime = ServerTime(UInt32(truncatingIfNeeded: unsafe change.time))
                }
                return nil
            }
            let window = unsafe WindowID(change.window)
            let property = unsafe SelectionProtocol.Atom(change.atom)
            return unsafe change.state == PropertyNewValue
                ? .propertyWritten(window: window, property: property)
                : .propertyDeleted(window: window, property: property)
        case DestroyNotify where !isSent: return unsafe .windowDestroyed(WindowID(event.xdestroywindow.window))
        case fixesEventBase + XFixesSelectionNotify where !isSent: return unsafe decodeOwnership(event)
        default: return nil
        }
    }

    private func decodeOwnership(_ event: XEvent) -> DisplayEvent? {
        // XEvent has no member for extension events, but the memory layout is the same.
        let notice = unsafe withUnsafeBytes(of: event) { unsafe $0.loadUnaligned(as: XFixesSelectionNotifyEvent.self) }
        let selection = unsafe SelectionProtocol.Atom(notice.selection)
        guard unsafe notice.subtype == XFixesSetSelectionOwnerNotify else {
            return unsafe .ownerDied(
                selection: selection, byDisconnection: notice.subtype == XFixesSelectionClientCloseNotify,
                time: ServerTime(UInt32(truncatingIfNeeded: notice.timestamp)))
        }
        return unsafe .ownerSet(
            selection: selection, window: WindowID(notice.owner),
            time: ServerTime(UInt32(truncatingIfNeeded: notice.selection_timestamp)))
    }
}

extension WindowID {
    init(_ window: Window) {
        self.init(UInt32(truncatingIfNeeded: window))
    }
}

extension SelectionProtocol.SelectionRequest {
    init(_ event: XSelectionRequestEvent) {
        unsafe self.init(
            owner: WindowID(event.owner), requestor: WindowID(event.requestor), selection: .init(event.selection),
            target: .init(event.target), property: .init(event.property),
            time: ServerTime(UInt32(truncatingIfNeeded: event.time)))
    }
}
