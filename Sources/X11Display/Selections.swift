import CX11
package import SelectionProtocol

extension XDisplay {
    /// The server's present time: that of a property change without content (ICCCM 2.1). `current` where the connection
    /// is lost.
    package func serverTime() -> ServerTime {
        guard !isBroken else { return .current }
        clockTime = .current
        unsafe XChangeProperty(handle, clockWindow, clockProperty, XA_ATOM, 32, PropModeAppend, nil, 0)
        // Waits for the server alone, which answers in the order of requests: the event is in the process then. XWindowEvent
        // would wait on for ever when the server dies, and XCheckWindowEvent goes through the queue, and reads on, for as
        // long as anybody sends.
        synchronize()
        takeEvents()
        return clockTime
    }

    /// Reports changes of a selection's owner from now on (XFixes, SelectSelectionInput).
    package func watchSelection(_ selection: SelectionProtocol.Atom) {
        guard !isBroken else { return }
        let mask =
            XFixesSetSelectionOwnerNotifyMask | XFixesSelectionWindowDestroyNotifyMask
            | XFixesSelectionClientCloseNotifyMask
        unsafe XFixesSelectSelectionInput(handle, clockWindow, selection.xlib, UInt(mask))
    }

    /// Reports no more of them.
    package func unwatchSelection(_ selection: SelectionProtocol.Atom) {
        guard !isBroken else { return }
        unsafe XFixesSelectSelectionInput(handle, clockWindow, selection.xlib, 0)
    }

    /// Sets the owner. The server ignores it without a word when the time is older than the present owner's or in the
    /// future (ICCCM 2.1), so the caller asks who owns afterwards.
    package func setOwner(of selection: SelectionProtocol.Atom, to window: WindowID, time: ServerTime) {
        guard !isBroken else { return }
        unsafe XSetSelectionOwner(handle, selection.xlib, window.xlib, Time(time.milliseconds))
    }

    package func owner(of selection: SelectionProtocol.Atom) -> WindowID {
        guard !isBroken else { return .none }
        exchanges += 1
        return WindowID(unsafe XGetSelectionOwner(handle, selection.xlib))
    }

    /// Whether anybody owns the selection of that name. A name that no client has used gets no atom by the question.
    package func isOwned(_ name: String) -> Bool {
        guard !isBroken, !name.utf8.contains(0) else { return false }
        let atom = unsafe XInternAtom(handle, name, 1)
        return atom != 0 && owner(of: SelectionProtocol.Atom(atom)) != .none
    }

    /// Asks the owner to convert to a target, into a property of a window of ours.
    package func convert(
        _ selection: SelectionProtocol.Atom, to target: SelectionProtocol.Atom, into property: SelectionProtocol.Atom,
        of window: WindowID, time: ServerTime
    ) {
        guard !isBroken else { return }
        unsafe XConvertSelection(
            handle, selection.xlib, target.xlib, property.xlib, window.xlib, Time(time.milliseconds))
    }

    /// Answers a request, with the time and all else that it came with.
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

    /// The process behind a window of this machine, by X-Resource; nil where the server does not say.
    package func process(of window: WindowID) -> Int32? {
        var specification = XResClientIdSpec(client: window.xlib, mask: XRES_CLIENT_ID_PID_MASK.rawValue)
        var count = 0
        var values: UnsafeMutablePointer<XResClientIdValue>?
        exchanges += 1
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
}
