import CX11
package import SelectionProtocol

extension XDisplay {
    /// Tells whoever waits for it that a window of ours is the owner of a manager selection now: the client message
    /// MANAGER to the root window (ICCCM 2.8).
    package func announceManager(of selection: SelectionProtocol.Atom, window: WindowID, since time: ServerTime) {
        guard !isBroken else { return }
        let type = intern("MANAGER")
        var event = unsafe XEvent()
        unsafe event.xclient.type = ClientMessage
        unsafe event.xclient.window = root
        unsafe event.xclient.message_type = type.xlib
        unsafe event.xclient.format = 32
        unsafe event.xclient.data.l = (Int(time.milliseconds), Int(selection.id), Int(window.id), 0, 0)
        unsafe XSendEvent(handle, root, 0, StructureNotifyMask, &event)
    }
}
