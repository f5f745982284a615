import LinuxSystem
import PasteboardWire
import X11Display

/// Taking a display that a client tells of: `Attach`.
extension Service {
    func attach(
        _ parameters: Methods.Attach.Parameters, _ finish: @escaping (Answer<Methods.Attach.Reply>) -> Void
    ) {
        let wanted = DisplayName(parameters.display)
        if let present = link.display, DisplayName(present) != wanted {
            return finish(.error(.refused, "this bridge serves display \(present)"))
        }
        if link.isAttached { return finish(.reply(NoParameters())) }
        guard wanted != nil else {
            return finish(.error(.displayUnavailable, "'\(parameters.display)' is no name of a display"))
        }
        do throws(BridgeFailure) {
            try willAttach(parameters.display)
        } catch {
            return finish(.error(.refused, error.description))
        }
        let deadline = ContinuousClock.now + CallTimeout.of(parameters.timeout)
        open(parameters.display, authority: parameters.authority, until: deadline) { [unowned self] result in
            switch result {
            // What is held here is claimed by then: the claims were sent before.
            case .success: link.catchUp(within: CallTimeout.of(parameters.timeout)) { finish(.reply(NoParameters())) }
            case .failure(let failure):
                if link.display == nil { didNotAttach(parameters.display) }
                finish(.error(.displayUnavailable, failure.message))
            case nil: finish(.failure(.displayDoesNotOpen))
            }
        }
    }

    /// Opens a display. One that is being opened with another authority than this, as the one before it had, is waited
    /// for first, and tried once more where that fails.
    private func open(
        _ display: String, authority: String?, until deadline: ContinuousClock.Instant,
        _ finish: @escaping (Result<Void, AttachFailure>?) -> Void
    ) {
        let isTriedOtherwise = link.isOpening && link.takesAuthority && authority != nil && authority != link.authority
        link.attach(display, authority: authority)
        link.whenAttached(within: deadline - .now) { [unowned self] result in
            if isTriedOtherwise, case .failure = result, !isLeaving {
                return open(display, authority: authority, until: deadline, finish)
            }
            finish(result)
        }
    }
}

extension AttachFailure {
    /// What is wrong and the next step, for the user.
    var message: String {
        switch self {
        case .display(.cannotOpen(let name)):
            "no X server answers at display '\(name)', or it refuses access; "
                + "is DISPLAY stale, and does XAUTHORITY name the right file?"
        case .display(.noXFixes(let name)):
            "the X server of display '\(name)' has no XFixes extension, without which changes cannot be seen; "
                + "start it with that extension"
        case .served(let process):
            "another bridge serves this display\(process.map { " (process \($0))" } ?? ""), "
                + "and is not found in this XDG_RUNTIME_DIR; 'xpb doctor' tells where it is, and 'xpbd --replace' takes over from it"
        }
    }
}
