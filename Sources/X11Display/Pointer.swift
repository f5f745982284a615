import CX11

extension XDisplay {
    /// Whether the first button of the pointer or a Shift key is down: somebody may be selecting.
    package var isSelecting: Bool {
        guard !isBroken else { return false }
        var windows: (root: Window, child: Window) = (0, 0)
        var positions: (x: Int32, y: Int32, innerX: Int32, innerY: Int32) = (0, 0, 0, 0)
        var mask: UInt32 = 0
        // False where the pointer is on another screen; the mask counts for all of them.
        _ = unsafe XQueryPointer(
            handle, root, &windows.root, &windows.child, &positions.x, &positions.y, &positions.innerX,
            &positions.innerY, &mask)
        return mask & UInt32(Button1Mask | ShiftMask) != 0
    }
}
