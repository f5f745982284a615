import CX11
package import SelectionProtocol

extension XDisplay {
    /// Returns the server's current time, obtained from a property change without content (ICCCM 2.1); `current` if the
    /// connection is lost.
    package func serverTime() -> ServerTime {
        guard !isBroken else { return .current }
        clockTime = .current
        unsafe XChangeProperty(handle, clockWindow, clockProperty, XA_ATOM, 32, PropModeAppend, nil, 0)
        // This waits only for the server, which replies in the order of the requests, so the event is in the process
        // afterwards. XWindowEvent would wait forever if the server died, and XCheckWindowEvent searches the queue and
        // keeps reading for as long as any client sends events.
        synchronize()
        takeEvents()
        return clockTime
    }

    /// Starts reporting changes of a selection's owner (XFixes, SelectSelectionInput).
    package func watchSelection(_ selection: SelectionProtocol.Atom) {
        guard !isBroken else { return }
        let mask =
            XFixesSetSelectionOwnerNotifyMask | XFixesSelectionWindowDestroyNotifyMask
            | XFixesSelectionClientCloseNotifyMask
        unsafe XFixesSelectSelectionInput(handle, clockWindow, selection.xlib, UInt(mask))
    }

    /// Stops reporting changes of a selection's owner.
    package func unwatchSelection(_ selection: SelectionProtocol.Atom) {
        guard !isBroken else { return }
        unsafe XFixesSelectSelectionInput(handle, clockWindow, selection.xlib, 0)
    }

    /// Sets the owner of a selection. The server silently ignores the request if the time is earlier than the time of
    /// the current ownership, or in the future (ICCCM 2.1), so the caller must check the owner afterwards.
    package func setOwner(of selection: SelectionProtocol.Atom, to window: WindowID, time: ServerTime) {
        guard !isBroken else { return }
        unsafe XSetSelectionOwner(handle, selection.xlib, window.xlib, Time(time.milliseconds))
    }

    /// Sets the owner of a selection that has no owner. No other client can claim the selection between the check and
    /// the claim, because the server is grabbed for that one round trip.
    package func setOwnerIfUnowned(of selection: SelectionProtocol.Atom, to window: WindowID, time: ServerTime) {
        guard !isBroken else { return }
        unsafe XGrabServer(handle)
        if owner(of: selection) == .none { setOwner(of: selection, to: window, time: time) }
        guard !isBroken else { return }
        unsafe XUngrabServer(handle)
        flush()
    }

    package func owner(of selection: SelectionProtocol.Atom) -> WindowID {
        guard !isBroken else { return .none }
        roundTrips += 1
        return WindowID(unsafe XGetSelectionOwner(handle, selection.xlib))
    }

    /// Returns true if the selection with this name has an owner. The query does not create an atom for an unused name.
    package func isOwned(_ name: String) -> Bool {
        guard !isBroken, !name.utf8.contains(0) else { return false }
        let atom = unsafe XInternAtom(handle, name, 1)
        return atom != 0 && owner(of: SelectionProtocol.Atom(atom)) != .none
    }

    /// Asks the owner to convert the selection to a target, into a property of one of this display's windows.
    package func convert(
        _ selection: SelectionProtocol.Atom, to target: SelectionProtocol.Atom, into property: SelectionProtocol.Atom,
        of window: WindowID, time: ServerTime
    ) {
        guard !isBroken else { return }
        unsafe XConvertSelection(
            handle, selection.xlib, target.xlib, property.xlib, window.xlib, Time(time.milliseconds))
    }

    /// Answers a request with a SelectionNotify that repeats the request's time and other fields.
    package func notify(_ request: SelectionRequest, property: SelectionProtocol.Atom) {
        guard !isBroken else { return }
        var event = unsafe XEvent()
        unsafe event.xselection.type = SelectionNotify
        unsafe event.xselection.requestor = request.requestor.xlib
        unsafe event.xselection.selection = request.selection.xlib
        unsafe event.xselection.target = request.target.xlib
        unsafe event.xselection.property = property.xlib
        unsafe event.xselection.time = Time(request.time.milliseconds)
        expectError(on: request.requestor)
        unsafe XSendEvent(handle, request.requestor.xlib, 0, NoEventMask, &event)
    }

    /// Returns the local process that created a window, from X-Resource; nil if the server does not report it, or if
    /// its processes run on another machine.
    package func process(of window: WindowID) -> Int32? {
        guard !isForwarded else { return nil }
        var specification = XResClientIdSpec(client: window.xlib, mask: XRES_CLIENT_ID_PID_MASK.rawValue)
        var count = 0
        var values: UnsafeMutablePointer<XResClientIdValue>?
        roundTrips += 1
        guard !isBroken, unsafe XResQueryClientIds(handle, 1, &specification, &count, &values) == Success else {
            return nil
        }
        defer { unsafe XResClientIdsDestroy(count, values) }
        for index in 0..<count {
            guard let value = unsafe values?.advanced(by: index) else { break }
            let process = unsafe XResGetClientPid(value)
            if process > 0 { return process }
        }
        return nil
    }

    /// Announces that one of this display's windows now owns a manager selection, with the client message MANAGER to
    /// the root window (ICCCM 2.8).
    package func announceManager(of selection: SelectionProtocol.Atom, window: WindowID, since time: ServerTime) {
        guard !isBroken else { return }
        let type = intern("MANAGER")
        var event = unsafe XEvent()
        unsafe event.xclient.type = ClientMessage
        unsafe event.xclient.window = root.xlib
        unsafe event.xclient.message_type = type.xlib
        unsafe event.xclient.format = 32
        unsafe event.xclient.data.l = (Int(time.milliseconds), Int(selection.id), Int(window.id), 0, 0)
        unsafe XSendEvent(handle, root.xlib, 0, StructureNotifyMask, &event)
    }

    /// True while the first pointer button or a Shift key is down, which means that the user may be selecting text.
    package var isSelecting: Bool {
        guard !isBroken else { return false }
        var windows: (root: Window, child: Window) = (0, 0)
        var positions: (x: Int32, y: Int32, innerX: Int32, innerY: Int32) = (0, 0, 0, 0)
        var mask: UInt32 = 0
        // The call returns false if the pointer is on another screen; the mask is valid for all screens.
        _ = unsafe XQueryPointer(
            handle, root.xlib, &windows.root, &windows.child, &positions.x, &positions.y, &positions.innerX,
            &positions.innerY, &mask)
        return mask & UInt32(Button1Mask | ShiftMask) != 0
    }
}
