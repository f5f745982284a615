import FormatConversion
import Logging
import PasteboardModel
import SelectionProtocol
import X11Bridge

/// The selections beside a Wayland session, where the contents of Wayland programs are offered to X11 programs as well.
extension SelectionOwnership {
    /// Contents of a Wayland program as they are offered on X11.
    struct Relay {
        let pasteboard: PasteboardState
        let holder: ForeignOwner
        let plan: OfferPlan
        let conversions: ConversionCache
    }

    /// Returns true if this bridge owns the selection of a pasteboard for a version.
    func isOwned(_ pasteboard: PasteboardState, for version: PasteboardState.Version) -> Bool {
        if case .ours(version.id) = owners[pasteboard.name] { true } else { false }
    }

    /// Returns the version for which this bridge owns the selection of a pasteboard.
    func ownedVersion(of pasteboard: PasteboardState) -> PasteboardState.Version? {
        if case .ours(let offer) = owners[pasteboard.name] { offers[offer] } else { nil }
    }

    func isOwnedByCompositor(_ pasteboard: PasteboardState) -> Bool {
        if case .compositor = owners[pasteboard.name] { true } else { false }
    }

    func isOwnedByProgram(_ pasteboard: PasteboardState) -> Bool {
        if case .foreign = owners[pasteboard.name] { true } else { false }
    }

    /// Returns true if the contents of the Wayland program that holds a pasteboard are offered on X11.
    func isRelayed(_ pasteboard: PasteboardState) -> Bool {
        guard case .ours(let offer) = owners[pasteboard.name], let relay = relays[offer],
            case .foreign(relay.holder) = pasteboard.holder
        else { return false }
        return true
    }

    /// Owns the selection of a pasteboard that a Wayland program holds, to serve its contents to X11 programs. They are
    /// read from that program when they are asked for.
    func relay(_ contents: ForeignContents, on pasteboard: PasteboardState) async {
        await relay(OfferPlan(contents.relayedNames), contents.conversions, on: pasteboard) { _ in nil }
    }

    /// Owns the selection of a pasteboard that a Wayland program holds, to serve what was captured to X11 programs.
    func relay(captured version: PasteboardState.Version, on pasteboard: PasteboardState) async {
        await relay(version.plan, version.conversions, on: pasteboard) { version.bytes(ofSource: $0) }
    }

    private func relay(
        _ plan: OfferPlan, _ conversions: ConversionCache, on pasteboard: PasteboardState,
        bytes: (Int) -> Offer.Bytes?
    ) async {
        guard let service, case .foreign(let holder) = pasteboard.holder else { return }
        let id = service.versions.nextID()
        relays[id] = Relay(pasteboard: pasteboard, holder: holder, plan: plan, conversions: conversions)
        var offer = plan.offer(id, on: pasteboard.selection, sources: bytes)
        mark(&offer)
        let outcome = await display.claim(offer, quietClaim(on: pasteboard), within: CallTimeout.default)
        guard outcome != .done else { return }
        relays[id] = nil
        logger.info("\(pasteboard.selection) could not be claimed for a Wayland program: \(outcome)")
    }

    /// Releases the selection of a pasteboard that was owned for a Wayland program.
    func endRelay(on pasteboard: PasteboardState) {
        for (offer, relay) in relays where relay.pasteboard === pasteboard { display.withdraw(offer) }
    }
}
