import BridgeState
import DataControlProtocol
import PasteboardModel
import SelectionCrossing
import SelectionProtocol

/// The observer of one side of a session, which handles that side's events.
protocol SelectionObserver: AnyObject {
    func handle(_ event: CrossingEvent, on pasteboard: PasteboardState)
    /// Handles a new owner of the X11 selection.
    func displayChanged(to owner: DisplayOwner, _ change: DisplayChange, on pasteboard: PasteboardState)
    /// Returns true for a pasteboard that both sides have.
    func isOnBothSides(_ pasteboard: PasteboardState) -> Bool
}

/// The observer of the Wayland side.
protocol SeatObserver: SelectionObserver {
    /// Handles a new owner of the seat's selection.
    ///
    /// - Parameters:
    ///   - types: The types of a Wayland program's selection.
    ///   - isFound: True for the owner that was there when the seat was attached.
    func seatChanged(to owner: SeatOwner, types: [String], isFound: Bool, on pasteboard: PasteboardState)
    /// Returns a version that is still known.
    func version(_ id: OfferID, of pasteboard: PasteboardState) -> PasteboardState.Version?
    /// Returns true if a selection of the seat has a single type, which the compositor has kept from the previous
    /// bridge's offer.
    func isKept(_ offer: ForeignOfferID, _ type: String, on pasteboard: PasteboardState) async -> Bool
}

/// The observer of captures.
protocol CaptureObserver: AnyObject {
    /// Returns true if programs on the other side get a program's contents only after their capture.
    func needsCapture(_ pasteboard: PasteboardState) async -> Bool
    /// Returns the reason not to capture a selection of the seat: the selection may be the compositor's copy of an X11
    /// program's secret, without the mark. Returns nil if there is no reason.
    func refusalOfUnmarked(_ pasteboard: PasteboardState) async -> CaptureRefusal?
    /// Handles captured contents of a program.
    ///
    /// - Parameter isWhole: True if all of the program's formats are captured.
    func captured(_ pasteboard: PasteboardState, isWhole: Bool)
    /// Handles the refusal of the compositor's window to list its targets.
    func compositorRefused(_ pasteboard: PasteboardState)
}
