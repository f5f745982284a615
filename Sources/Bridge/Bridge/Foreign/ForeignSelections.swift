import BridgeState
import FormatConversion
import PasteboardModel
import SelectionProtocol
import X11Bridge

/// The selections of other programs, from which the contents of their pasteboards are read.
struct ForeignSelections {
    let display: DisplayProxy
    let seat: SeatOwnership
    let versions: VersionFactory

    /// Returns the selection of a pasteboard that another program owns.
    func selection(of pasteboard: PasteboardState) -> ForeignSelection {
        if case .foreign(.offer(let number)) = pasteboard.holder, let offer = seat.offer(number) {
            return .wayland(offer)
        }
        return .x11(
            display, name: pasteboard.selection,
            mayBeSecret: pasteboard.isBehindCompositor && pasteboard.followsSecret)
    }

    func reader(of pasteboard: PasteboardState, idleTimeout: Duration) -> ForeignReader {
        ForeignReader(
            selection(of: pasteboard), idleTimeout: idleTimeout, isCaptured: pasteboard.captured != nil)
    }

    /// Returns the contents of a foreign owner. An X11 selection has one item. An owner with several items offers an
    /// archive, from which all items are read.
    func contents(of reader: ForeignReader) async throws(ForeignReader.Failure) -> ForeignContents {
        let offered = try await reader.types()
        guard let archive = offered.first(where: { $0.target == ItemArchive.mediaType }) else {
            return versions.contents(offered, from: reader)
        }
        do {
            let value = try await reader.bytes(of: archive)
            if let draft = Draft(archive: value.file) { return versions.contents(ofArchive: draft) }
        } catch {
            if case .conversion(.ownerReplaced) = error { throw .ownerReplaced }
        }
        return versions.contents(offered, from: reader)
    }
}
