import BridgeState
import DataControlProtocol
import FormatConversion
import Logging
import PasteboardModel
import SelectionProtocol
import X11Bridge

/// The X11 selections in a Wayland session.
///
/// If the compositor shows the copies from Wayland programs only on X11, the compositor's window stands for a Wayland
/// program: see `CompositorTracker`. Such a compositor keeps the text of a secret without its mark, and its window owns
/// the text after the secret's program has ended. So a single representation after a secret is taken for that secret.
extension SelectionOwnership {
    /// Contents of a Wayland program as they are offered on X11.
    struct CrossedOffer {
        let offer: ForeignOfferID
        let plan: OfferPlan
        let conversions: ConversionCache
    }

    func isOwnedByProgram(_ pasteboard: PasteboardState) -> Bool { program(of: pasteboard) != nil }

    /// Returns the window of the program that owns the selection of a pasteboard; nil if no program owns it.
    func program(of pasteboard: PasteboardState) -> WindowID? {
        if case .foreign(let window) = owners[pasteboard.name] { window } else { nil }
    }

    /// Owns the selection of a pasteboard that a Wayland program holds, to serve its contents to X11 programs. The
    /// contents are read from the program on demand.
    func cross(_ contents: ForeignContents, of program: ForeignOfferID, on pasteboard: PasteboardState) async {
        let id = versions.nextID()
        let plan = OfferPlan(contents.crossingNames)
        crossedOffers[id] = CrossedOffer(offer: program, plan: plan, conversions: contents.conversions)
        var offer = plan.offer(id, on: pasteboard.selection) { _ in nil }
        mark(&offer)
        let outcome = await display.claim(offer, quietClaim(on: pasteboard), within: CallTimeout.default)
        guard outcome != .done else { return }
        crossedOffers[id] = nil
        logger.info("\(pasteboard.selection) could not be claimed for a Wayland program: \(outcome)")
    }

    // MARK: The compositor's window without a seat

    /// Returns true for a version that the compositor's clipboard manager must not keep.
    func isWithheldFromManager(_ version: PasteboardState.Version) -> Bool {
        seat.isAbsent && version.isWithheldFromManagers
    }

    /// Owns the selection of a pasteboard without contents, unless another program has just taken the selection.
    func ownNothing(on pasteboard: PasteboardState) async {
        let offer = OfferPlan([]).offer(versions.nextID(), on: pasteboard.selection) { _ in nil }
        let outcome = await display.claim(offer, quietClaim(on: pasteboard), within: CallTimeout.default)
        if outcome != .done { logger.info("the compositor may keep a secret of \(pasteboard.selection): \(outcome)") }
    }
}

extension PasteboardState.Version {
    /// True if no clipboard manager of a compositor may read the contents before a person pastes them.
    var isWithheldFromManagers: Bool { isSecret || options.once || !promises.isEmpty }
}
