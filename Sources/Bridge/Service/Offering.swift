import Formats
import LinuxSystem
import PasteboardModel
import SelectionProtocol
import UniformTypes

/// What of a version is offered on X11, and making what is only made when it is asked for.
extension Service {
    /// Takes what the user changed in the settings. Readers have what is on the pasteboards by the new rules; what X11
    /// programs were promised stays until the next copy.
    ///
    /// - Parameter always: Read the file even if it looks the same.
    func refreshSettings(always: Bool = false) {
        let changes = settings.refresh(always: always)
        if changes.configuration {
            refreshManager()
            settingsChanged()
        }
        guard changes.rules else { return }
        for board in table.all {
            guard let version = board.version else { continue }
            board.revise(self.version(of: version.draft, by: version.writer, as: version.cause, like: version))
        }
    }

    /// A draft as the next version of a pasteboard.
    ///
    /// - Parameters:
    ///   - kept: What is gone back to, where it is that.
    ///   - same: The version that is seen anew.
    func version(
        of draft: Draft, by writer: PasteboardState.Writer, as cause: ChangeCause, kept: RestorableContents? = nil, like same: PasteboardState.Version? = nil
    ) -> PasteboardState.Version {
        let forms = FormatCatalog(draft.sources, rules: rules, isSecret: draft.options.concealed)
        let supplies = draft.supplies
        let maker = ConversionCache(workshop: workshop, link: link, timesSources: false) { supplies[$0].read($1) }
        return PasteboardState.Version(
            id: same?.id ?? nextVersion(), draft: draft, writer: writer, cause: cause,
            kept: same?.kept ?? kept ?? RestorableContents(draft), forms: forms,
            planner: OfferPlanner {
                forms.names(items: 0..<forms.itemCount).compactMap { name in
                    // A secret is looked at where it is, and by no other way.
                    draft.options.concealed ? name.unchanged(supplies) : name.mayHold(supplies) ? name : nil
                }
            },
            maker: maker, supplies: supplies)
    }

    /// Has the display thread own the selection of a pasteboard and offer a version on it.
    func claim(
        _ version: PasteboardState.Version, of board: PasteboardState, within patience: Duration,
        _ finish: @escaping (DisplayProxy.ClaimOutcome) -> Void
    ) {
        offered[version.id] = version
        link.claim(offer(of: version, on: board), within: patience) { [self] outcome in
            // The display thread never had it, and will not tell that it is gone.
            if outcome == .noDisplay || outcome == .nameless { offered[version.id] = nil }
            finish(outcome)
        }
    }

    /// A version as the display thread offers it.
    func offer(of version: PasteboardState.Version, on board: PasteboardState) -> Offer {
        var offer = version.plan.offer(version.id, on: board.selection) { index in
            version.supplies[index].material.map { Offer.Bytes($0.held, $0.range) }
        }
        if version.options.once { offer.pasted = version.plan.pastedBodies }
        return offer
    }

    /// A peer asks for what has to be made.
    func provide(_ body: Int, of offer: OfferID) {
        guard let version = offered[offer], version.plan.bodies.indices.contains(body) else {
            return link.provide(offer, body: body, .impossible)
        }
        version.maker.make(version.plan.bodies[body].recipe) { [link] result in
            let provision: Provision =
                switch result {
                case .success(let material): .made(Offer.Bytes(material.held, material.range))
                case .failure(.impossible), .failure(.failed), .failure(.noEntry), .failure(.promiseBroken): .impossible
                case .failure(.broken), .failure(.source), .failure(.refused): .failed
                }
            link.provide(offer, body: body, provision)
        }
    }
}

extension FormatName {
    /// Whether it can be had for sure, as far as its encoding goes. STRING and COMPOUND_TEXT cannot hold every text (ICCCM
    /// 2.7.1), and what is offered is to convert: they are, of a text that is there, is not long, and fits.
    fileprivate func mayHold(_ supplies: [RepresentationSource]) -> Bool {
        guard case .made(let step, let parts) = recipe, step == .latin1Text || step == .compoundText else {
            return true
        }
        // As much is looked at when it is offered, in bytes.
        var room = 262_144
        return parts.allSatisfy { $0.isText(fitting: step, in: &room, of: supplies) }
    }
}

extension Derivation {
    /// Whether it is a text that is there, in UTF-8, and that the step can encode.
    fileprivate func isText(fitting step: ConversionStep, in room: inout Int, of supplies: [RepresentationSource]) -> Bool {
        switch self {
        case .source(let index):
            guard let material = supplies[index].material, material.range.count <= room,
                let text = try? material.bytes()
            else { return false }
            room -= text.count
            return step == .latin1Text ? UTF8Text.latin1(from: text) != nil : ConversionStep.isCompoundText(text)
        case .made(.utf8Text, let parts):
            // What the step would change is in another encoding.
            guard case .source(let index)? = parts.first, let material = supplies[index].material,
                material.range.count <= room, ConversionStep.utf8Text.keeps([material]) != nil
            else { return false }
            return parts.allSatisfy { $0.isText(fitting: step, in: &room, of: supplies) }
        case .made(.joinedTexts, let parts):
            return parts.allSatisfy { $0.isText(fitting: step, in: &room, of: supplies) }
        case .made: return false
        }
    }
}
