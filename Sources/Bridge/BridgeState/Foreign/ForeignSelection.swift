package import DataControlProtocol
package import LinuxSystem
package import SelectionProtocol
package import WaylandBridge
package import X11Bridge

/// The source of a foreign owner's contents: an X11 selection or a Wayland offer.
package enum ForeignSelection {
    /// The selection of this name. Its contents may be the part of a secret that a compositor has kept.
    case x11(DisplayProxy, name: String, mayBeSecret: Bool)
    case wayland(WaylandOffer)

    /// The selection's name for users.
    package var name: String {
        switch self {
        case .x11(_, let name, _): name
        case .wayland(let offer): offer.selectionName
        }
    }

    /// The targets, if they are known without asking the owner. A Wayland program names its types when it copies.
    package var targets: [String]? {
        switch self {
        case .x11: nil
        case .wayland(let offer): offer.types
        }
    }

    /// Adds the mark of a secret to an owner's targets, if the owner lists a single format, which may be left from a
    /// secret.
    package func marked(_ targets: [String]) -> [String] {
        guard case .x11(_, _, mayBeSecret: true) = self, targets.count(where: { $0.contains("/") }) == 1 else {
            return targets
        }
        return targets + [PasswordHint.target]
    }

    /// Asks the owner for a target. Cancelling the task cancels the transfer. See ``DisplayProxy/convert``.
    package func convert(
        _ target: String, idleTimeout: Duration, limit: Int?, isCapture: Bool, isExclusive: Bool, acceptsPieces: Bool,
        onStream: ((SpooledSocket) -> Void)? = nil
    ) async throws(DisplayProxy.FetchFailure) -> Converted {
        switch self {
        case .x11(let display, let name, _):
            try await display.convert(
                name, to: target, idleTimeout: idleTimeout, limit: limit, isCapture: isCapture,
                isExclusive: isExclusive, acceptsPieces: acceptsPieces, onStream: onStream)
        case .wayland(let offer):
            try await offer.convert(target, idleTimeout: idleTimeout, limit: limit, onStream: onStream)
        }
    }
}

/// A Wayland program's contents.
package struct WaylandOffer {
    package let display: any SeatDisplay
    package let id: ForeignOfferID
    package let selection: SeatSelection
    package let types: [String]

    package init(display: any SeatDisplay, id: ForeignOfferID, selection: SeatSelection, types: [String]) {
        self.display = display
        self.id = id
        self.selection = selection
        self.types = types
    }

    var selectionName: String {
        switch selection {
        case .clipboard: "the clipboard"
        case .primary: "the primary selection"
        }
    }

    package func convert(
        _ type: String, idleTimeout: Duration, limit: Int?, onStream: ((SpooledSocket) -> Void)?
    ) async throws(DisplayProxy.FetchFailure) -> Converted {
        guard types.contains(type) else { throw .conversion(.refused) }
        do throws(PipeFailure) {
            let file = try await display.receive(
                id, type: type, idleTimeout: idleTimeout, limit: limit, onStream: onStream)
            return Converted(type: Self.encoding(of: type), content: file.map { .file($0) } ?? .streamed)
        } catch {
            throw .conversion(Conversion.Failure(error))
        }
    }

    /// Returns the encoding of the bytes under a type, as the name of a property's type. Wayland programs offer X11's
    /// names for text in addition to MIME types, and use UTF-8 under all of these names.
    private static func encoding(of type: String) -> String {
        ["STRING", "TEXT"].contains(type) ? "UTF8_STRING" : type
    }
}

extension Conversion.Failure {
    package init(_ failure: PipeFailure) {
        self =
            switch failure {
            case .offerEnded: .ownerReplaced
            case .refused: .refused
            case .silent: .silent
            case .stalled(let received): .stalled(received: received)
            case .tooLong: .tooLong
            case .tooManyTransfers: .limit(.transfers)
            case .tooManyBytes: .limit(.bytes)
            case .noRoom: .noRoom
            case .cancelled: .cancelled
            case .broken, .lost: .ownerGone
            }
    }
}
