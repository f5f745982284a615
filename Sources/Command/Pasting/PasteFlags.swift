import ArgumentParser
package import CommandCore
import LinuxSystem

/// The option of a command that also pastes what it copies.
package struct PasteFlags: ParsableArguments {
    @Flag(name: .customLong("paste"), help: "Also paste into the window that is active when the command starts (X11).")
    package var isGiven = false

    package init() {}

    /// Returns the paste into the window that is active now, before the user chooses; nil without the option.
    package func step(in session: Session) throws(Failure) -> PasteStep? {
        isGiven ? try PasteStep.intoActiveWindow(in: session) : nil
    }
}

/// The paste that follows a copy to general.
package struct PasteStep {
    private enum Window {
        /// The window that was active when the command started. The keys are typed at once.
        case active(Result<PasteTarget, Failure>)
        /// The window that was active before the command's terminal, which closes first.
        case previous
    }

    private let window: Window

    /// Returns the paste into the window that is active now.
    ///
    /// If there is none, that is reported after the copy, which it does not prevent.
    static func intoActiveWindow(in session: Session) throws(Failure) -> PasteStep {
        try prepare(session)
        return PasteStep(window: .active(Result { () throws(Failure) in try PasteTarget.findActive(for: session) }))
    }

    /// Returns the paste into the window that was active before the terminal of this command.
    package static func intoPreviousWindow(in session: Session) throws(Failure) -> PasteStep {
        try prepare(session)
        return PasteStep(window: .previous)
    }

    private static func prepare(_ session: Session) throws(Failure) {
        guard session.common.pasteboards.isEmpty else {
            throw .usage("programs paste general, so --paste and -p exclude each other")
        }
        // The server may end.
        Signal.ignore(.brokenPipe)
    }

    /// Types the keys to paste, after the copy.
    ///
    /// - Parameter copyToPrimary: Copies the entry to PRIMARY, for a program that pastes that.
    package func perform(in session: Session, copyToPrimary: () throws(Failure) -> Void) throws(Failure) {
        var keys = PasteKeys.controlV
        do throws(Failure) {
            let target =
                switch window {
                case .active(let found): try found.get()
                case .previous: try PasteTarget.findPrevious(for: session)
                }
            keys = target.keys
            if keys.pastesPrimary { try copyToPrimary() }
            switch window {
            case .active: try target.paste()
            case .previous: try PasteHelper.start(pastingInto: target.window, in: session)
            }
        } catch {
            throw Failure(
                .broken,
                "the entry is copied, and not pasted, because \(error.message); press \(keys.description) to paste it")
        }
    }
}
