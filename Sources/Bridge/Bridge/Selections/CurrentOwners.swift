import BridgeState
import PasteboardModel
package import PasteboardWire
import X11Bridge

/// The present owners of selections, for calls that need them.
extension Service {
    /// Waits until all changes of owners made before now are known. Waits for a display that is being opened. For a
    /// display that went away, each call makes a new attempt.
    package func awaitCurrentOwners() async throws(BridgeError) {
        await seat.catchUp(within: SelectionOwnership.serverTimeout)
        switch display.state {
        case .none: break
        case .attached: await display.catchUpIfNeeded(within: SelectionOwnership.serverTimeout)
        case .opening where ownership.wasAttached, .lost:
            if case .lost(let name) = display.state { display.attach(name) }
            _ = await display.awaitAttachment(within: SelectionOwnership.serverTimeout)
        case .opening:
            // Nothing is known yet of the first display's owners.
            guard await display.awaitAttachment(within: CallTimeout.default) != nil else { throw .displayDoesNotOpen }
            // Ownership of restored pasteboards is checked after this.
            await display.catchUpIfNeeded(within: SelectionOwnership.serverTimeout)
        }
        await crossing.awaitDecisions(within: CrossingDriver.decisionTimeout)
    }

    /// Makes a pasteboard if no pasteboard has that name and an X client owns its selection.
    func makePasteboardIfOwned(_ string: String) async {
        guard let name = try? PasteboardName(ofCall: string), registry[name] == nil,
            display.isAttached
        else { return }
        let isOwned = await display.ask(OwnedQuery(selection: name.selection), within: SelectionOwnership.serverTimeout)
        guard isOwned == true, (try? pasteboardToWrite(name)) != nil else { return }
        // The owner is reported before the answer.
        await display.catchUp(within: SelectionOwnership.serverTimeout)
    }
}

extension BridgeError {
    static let displayDoesNotOpen = BridgeError(
        .displayUnavailable,
        "the X server accepts connections but does not answer; a program may block it, or it is stopped")
}
