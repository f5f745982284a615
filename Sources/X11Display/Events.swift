import CX11
package import SelectionProtocol

/// The events that concern selections, decoded. Others mean nothing, and neither do those of these kinds that another
/// client forged with SendEvent: a SelectionNotify alone is always sent so, and cannot be told from a forged one.
package enum DisplayEvent: Sendable, Equatable {
    case request(SelectionRequest)
    /// The answer to a conversion, for a window of ours.
    case notified(
        window: WindowID, selection: SelectionProtocol.Atom, target: SelectionProtocol.Atom,
        property: SelectionProtocol.Atom, time: ServerTime)
    case propertyWritten(window: WindowID, property: SelectionProtocol.Atom)
    case propertyDeleted(window: WindowID, property: SelectionProtocol.Atom)
    case windowDestroyed(WindowID)
    /// Somebody set the owner of a selection that is watched; the window is none where it was given up.
    case ownerSet(selection: SelectionProtocol.Atom, window: WindowID, time: ServerTime)
    /// The owner's window was destroyed, or its connection ended.
    case ownerDied(selection: SelectionProtocol.Atom, byDisconnection: Bool, time: ServerTime)
    /// A window of ours does not own that selection any more.
    case cleared(window: WindowID, selection: SelectionProtocol.Atom)
    /// One that means nothing. Anybody may send such without end, so they are counted like the others.
    case other
}

extension XDisplay {
    /// How many events are in the process and not handled. The connection is not looked at.
    package var queuedEvents: Int {
        isBroken ? 0 : takenEvents.count + Int(unsafe XEventsQueued(handle, QueuedAlready))
    }

    /// Whether more events are in the process than are to be kept there: the connection is to be given up. Far beyond that it
    /// is lost by itself.
    package var isFlooded: Bool {
        takenEvents.count + Int(unsafe XEventsQueued(handle, QueuedAlready)) > mostQueued
    }

    /// Takes over what Xlib has queued, and has what is on the connection queued where nothing is.
    ///
    /// - Returns: How many events ``nextGatheredEvent()`` has then.
    package func gatherEvents() -> Int {
        gatherEvents(QueuedAfterReading)
        return takenEvents.count
    }

    /// The next event of those that were gathered.
    package func nextGatheredEvent() -> DisplayEvent? { isBroken ? nil : takenEvents.popFirst() }

    /// The next event in the process or on the connection, without waiting; nil when there is none.
    ///
    /// Any call that waits for an answer may have moved events into the process meanwhile, so this is drained right before
    /// every sleep, whether the descriptor was readable or not. Programs have turns: see ``EventQueue``. So that who asks
    /// once is seen behind who floods, the connection is read ahead, up to a part of what may be queued; not for each event,
    /// as that costs a system call.
    package func nextEvent() -> DisplayEvent? {
        guard !isBroken else { return nil }
        sinceReading += 1
        let isTime = sinceReading >= Self.readingInterval && takenEvents.count < mostQueued / 4 * 3
        if takenEvents.count == 0 || isTime {
            sinceReading = 0
            gatherEvents(QueuedAfterReading)
        } else {
            gatherEvents(QueuedAlready)
        }
        return takenEvents.popFirst()
    }

    private static let readingInterval = 32

    /// What means nothing is kept like the rest: commands and deadlines have their turn among it.
    private func gatherEvents(_ mode: Int32) {
        guard !isBroken else { return }
        for _ in 0..<(unsafe XEventsQueued(handle, mode)) { append(takeEvent() ?? .other) }
    }

    /// Takes over what Xlib has queued, without a look at the connection. What means nothing ends here.
    func takeEvents() {
        guard !isBroken else { return }
        for _ in 0..<(unsafe XEventsQueued(handle, QueuedAlready)) {
            if let event = takeEvent() { append(event) }
        }
    }

    /// Takes the changes of ownership that are in the process out of the order they came in.
    package func takeOwnerChanges() -> [DisplayEvent] {
        takeEvents()
        return takenEvents.popOwnerChanges(of: program(of: WindowID(clockWindow)))
    }

    /// The handling of an event has cost so much more than others do: its program's next ones wait the longer.
    package func charge(_ cost: Int, for event: DisplayEvent) {
        takenEvents.charge(cost, to: lane(of: event))
    }

    private func append(_ event: DisplayEvent) {
        takenEvents.append(event, to: lane(of: event))
    }

    /// The program that an event is about. The bridge's own windows are those of one more.
    private func lane(of event: DisplayEvent) -> EventQueue.LaneID {
        switch event {
        // Nobody asks in the bridge's name but who means ill.
        case .request(let request): isOwn(request.requestor) ? Self.noise : program(of: request.requestor)
        case .propertyDeleted(let window, _), .windowDestroyed(let window): program(of: window)
        case .notified, .propertyWritten, .ownerSet, .ownerDied, .cleared: program(of: WindowID(clockWindow))
        case .other: Self.noise
        }
    }

    private static let noise = EventQueue.LaneID.max

    /// One for all where the server does not say what a program numbers its windows by.
    private func program(of window: WindowID) -> EventQueue.LaneID { windowBits == 0 ? 0 : window.id & ~windowBits }

    /// The first event of Xlib's queue, which has one; nil where it means nothing.
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
                // Any client may change a property there.
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
        // XEvent has no member for an extension's event; the memory is the same.
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
