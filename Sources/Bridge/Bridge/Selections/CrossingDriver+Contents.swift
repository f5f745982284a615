import BridgeState
import DataControlProtocol
import FormatConversion
import LinuxSystem
import PasteboardModel
import SelectionCrossing
import SelectionProtocol
import UniformTypes
import X11Bridge

/// The contents of owners, which distinguish a program's copy from the compositor's copy of the same contents.
extension CrossingDriver {
    /// The timeout for each step of an owner, X11 or Wayland, whose types or contents are compared.
    private static let readTimeout = Duration.seconds(1)
    /// The timeout for the compositor to serve the contents of the seat's selection. Calls wait longer for a decision.
    private static let servingTimeout = Duration.milliseconds(250)
    /// The limit on contents that are compared, in bytes. Longer contents count as different.
    private static let maxCompared = 1 << 20

    /// Returns a reader of the X11 owner's contents.
    private func reader(of pasteboard: PasteboardState, timeout: Duration = readTimeout) -> ForeignReader {
        let selection = ForeignSelection.x11(display, name: pasteboard.selection, mayBeSecret: false)
        return ForeignReader(selection, idleTimeout: timeout)
    }

    /// Returns the selections of the seat that may be copies of the present X11 selection. Such a selection has the
    /// types that a compositor makes of the X11 targets, and the same contents if `comparingContents` says so. The
    /// targets of a program that has lost the selection are unknown.
    func alike(
        _ offers: [(id: ForeignOfferID, types: [String])], on pasteboard: PasteboardState,
        comparingContents: (ForeignOfferID) -> Bool
    ) async -> Set<ForeignOfferID> {
        guard ownership.isOwnedByProgram(pasteboard) else {
            return Set(offers.filter { CopiedTypes.mayBeCopied($0.types) }.map(\.id))
        }
        guard !offers.isEmpty else { return [] }
        let owner = reader(of: pasteboard)
        guard let targets = try? await owner.targets(), !owner.isUnlisted else { return [] }
        // A secret is not read for a comparison.
        let isReadable = !targets.contains(where: SecretMark.isMark)
        var alike: Set<ForeignOfferID> = []
        for offer in offers where CopiedTypes.mayBeCopied(offer.types, from: targets) {
            if isReadable, comparingContents(offer.id), await !hasContents(of: owner, targets, offer.id) { continue }
            alike.insert(offer.id)
        }
        return alike
    }

    /// Returns true if a selection of the seat has the bytes of an X11 owner under its first type.
    private func hasContents(of owner: ForeignReader, _ targets: [String], _ id: ForeignOfferID) async -> Bool {
        guard let offer = seat.offer(id.number),
            let type = offer.types.first(where: { !X11Targets.isProtocolTarget($0) }),
            let target = targets.first(where: { CopiedTypes.type(of: $0) == type })
        else { return false }
        let copy = ForeignReader(.wayland(offer), idleTimeout: Self.readTimeout)
        guard let one = try? await owner.bytes(of: ForeignReader.offered(target), limit: Self.maxCompared),
            let other = try? await copy.bytes(of: ForeignReader.offered(type), limit: Self.maxCompared),
            one.file.length == other.file.length
        else { return false }
        let range = 0..<one.file.length
        return (try? one.file.bytes(in: range) == other.file.bytes(in: range)) ?? false
    }

    /// Finds out whether an X11 program still has the contents that the previous bridge captured.
    func programContents(on pasteboard: PasteboardState) async -> OwnerContents {
        await comparison(of: reader(of: pasteboard), on: pasteboard)
    }

    /// Finds out whether a Wayland program still has the contents that the previous bridge captured.
    func contents(of id: ForeignOfferID, on pasteboard: PasteboardState) async -> OwnerContents {
        guard let offer = seat.offer(id.number) else { return .other }
        return await comparison(of: ForeignReader(.wayland(offer), idleTimeout: Self.readTimeout), on: pasteboard)
    }

    /// Compares an owner's contents with those of the pasteboard. Contents that may not be captured are not requested.
    private func comparison(of reader: ForeignReader, on pasteboard: PasteboardState) async -> OwnerContents {
        guard let version = pasteboard.version, !version.isSecret else { return .other }
        guard let targets = try? await reader.targets(), !reader.isUnlisted,
            captures.mayCapture(targets, on: pasteboard),
            let target = version.plan.targets.map(\.name).first(where: targets.contains),
            let known = await bytes(target, of: version), known.count <= Self.maxCompared,
            let value = try? await reader.bytes(of: ForeignReader.offered(target), limit: Self.maxCompared)
        else { return .other }
        return (try? value.file.bytes(in: 0..<value.file.length)) == known ? .same : .other
    }

    /// The mark of contents that Klipper puts back after their program has ended. Such contents replace only an empty
    /// clipboard.
    static let refillMark = "application/x-kde-onlyReplaceEmpty"

    /// Finds out whether the owner of the X11 selection has put back the contents of a program that has just ended: the
    /// owner has the text of those contents, sets Klipper's mark, or is a clipboard manager. If the owner has the text
    /// and all types, the result is `.same`.
    func refilledContents(on pasteboard: PasteboardState) async -> OwnerContents {
        guard let version = pasteboard.version ?? pasteboard.captured, !version.isSecret else { return .other }
        let reader = reader(of: pasteboard)
        guard let targets = try? await reader.targets(), !reader.isUnlisted else { return .other }
        // The text is read only where a capture may read it: not from a secret, nor from GTK 4, nor against the
        // settings.
        if captures.mayCapture(targets, on: pasteboard), await hasText(of: version, reader, targets) {
            let types = Set(targets.map { UniformType(target: $0) })
            return types.isSuperset(of: version.contents.types) ? .same : .part
        }
        if targets.contains(Self.refillMark) { return .part }
        return await isOwnedByManager(pasteboard) ? .part : .other
    }

    private func hasText(
        of version: PasteboardState.Version, _ reader: ForeignReader, _ targets: [String]
    ) async -> Bool {
        guard let target = targets.first(where: { $0 == "UTF8_STRING" || $0.hasPrefix("text/plain") }) else {
            return false
        }
        return await comparison(of: reader, in: target, with: await bytes(target, of: version)) == .part
    }

    private func isOwnedByManager(_ pasteboard: PasteboardState) async -> Bool {
        guard let window = ownership.program(of: pasteboard),
            let process = await display.process(of: window, within: SelectionOwnership.serverTimeout)
        else { return false }
        return ProcessName.of(process).map(settings.configuration.isHistory(named:)) ?? false
    }

    /// Finds out which contents the compositor's window has. If the contents had a single format, a program may have
    /// copied that format again; so a single format counts as a part only of contents that had several formats.
    func compositorContents(on pasteboard: PasteboardState) async -> OwnerContents {
        let reader = reader(of: pasteboard)
        guard let targets = try? await reader.targets(), !reader.isUnlisted else { return .other }
        let types = targets.filter { $0.contains("/") }
        if types.count > 1, ownership.isAsFound(pasteboard) { return await comparison(of: reader, on: pasteboard) }
        guard types.count == 1, !targets.contains(where: SecretMark.isMark) else { return .other }
        return await comparison(of: reader, in: types[0], with: await knownBytes(types[0], on: pasteboard))
    }

    /// Returns true if the compositor's window does not serve the seat's selection although an X11 window has the
    /// focus. Without that focus, a compositor serves nothing.
    ///
    /// - Parameter isOnlyCopy: True if no other selection of the seat may be the copy that has no contents. Then an
    ///   unanswered request counts as refused, since wlroots passes it on to its own window. Otherwise, a slow program
    ///   may be the reason.
    func isCopyOfNothing(_ pasteboard: PasteboardState, isOnlyCopy: Bool) async -> Bool {
        let reader = reader(of: pasteboard, timeout: Self.servingTimeout)
        do {
            let contents = ForeignReader.contents(of: try await reader.targets())
            // If the contents are a secret, only their mark is read.
            guard let target = contents.first(where: SecretMark.isMark) ?? contents.first else { return false }
            _ = try await reader.bytes(of: ForeignReader.offered(target), limit: 1)
            return false
        } catch {
            switch error {
            case .conversion(.refused): break
            case .conversion(.silent) where isOnlyCopy: break
            default: return false
            }
        }
        return await isDisplayFocused(within: CallTimeout.default)
    }

    func refusalOfUnmarked(_ pasteboard: PasteboardState) async -> CaptureRefusal? {
        if pasteboard.isOwnedByOffer, seat.hasUnservedXwayland { return .unservedXwayland }
        guard mayBeUnmarked(pasteboard) else { return nil }
        let targets = try? await reader(of: pasteboard).targets()
        return targets?.contains(where: SecretMark.isMark) ?? mayBeUnmarked(pasteboard) ? .secret : nil
    }

    func isKept(_ offer: ForeignOfferID, _ type: String, on pasteboard: PasteboardState) async -> Bool {
        guard let known = await knownBytes(type, on: pasteboard), let offer = seat.offer(offer.number) else {
            return false
        }
        let reader = ForeignReader(.wayland(offer), idleTimeout: Self.readTimeout)
        return await comparison(of: reader, in: type, with: known) == .part
    }

    /// Compares an owner's contents in one type with known bytes. Returns `.part` if both are equal, `.blank` if the
    /// owner's contents are empty, and otherwise `.other`.
    private func comparison(
        of reader: ForeignReader, in type: String, with known: [UInt8]?
    ) async -> OwnerContents {
        guard known != nil || type.hasPrefix("text/plain") else { return .other }
        // Longer contents differ.
        let offered = ForeignReader.offered(type)
        guard let value = try? await reader.bytes(of: offered, limit: max(known?.count ?? 0, 1)) else { return .other }
        if value.file.length == 0 { return .blank }
        guard let known, known.count == value.file.length else { return .other }
        return (try? value.file.bytes(in: 0..<known.count)) == known ? .part : .other
    }

    /// Returns the bytes of a type that the bridge has, or has captured from an owner with several types.
    private func knownBytes(_ type: String, on pasteboard: PasteboardState) async -> [UInt8]? {
        if let version = pasteboard.version { return await bytes(type, of: version) }
        let formats = pasteboard.listedTargets?.count { $0.contains("/") } ?? 0
        guard formats > 1, let captured = pasteboard.captured else { return nil }
        return await bytes(type, of: captured)
    }

    private func bytes(_ type: String, of version: PasteboardState.Version) async -> [UInt8]? {
        guard let body = version.plan.targets.first(where: { $0.name == type })?.body,
            let bytes = try? await version.conversions.bytes(of: version.plan.bodies[body].derivation)
        else { return nil }
        return try? bytes.bytes()
    }
}
