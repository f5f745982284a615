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
    private enum Time {
        case now
        /// Once this command has ended, and its terminal with it.
        case afterEnd
    }

    private let session: Session
    private let time: Time
    /// The window; nil until it is known.
    private let target: Result<PasteTarget, Failure>?

    private init(_ session: Session, _ time: Time, into target: Result<PasteTarget, Failure>?) throws(Failure) {
        guard session.common.pasteboards.isEmpty else {
            throw .usage("programs paste general, so --paste and -p exclude each other")
        }
        // The server may end.
        Signal.ignore(.brokenPipe)
        self.session = session
        self.time = time
        self.target = target
    }

    /// Returns the paste into the window that is active now.
    ///
    /// If there is none, that is reported after the copy, which it does not prevent.
    static func intoActiveWindow(in session: Session) throws(Failure) -> PasteStep {
        try PasteStep(
            session, .now, into: Result { () throws(Failure) in try PasteTarget.findActive(for: session) })
    }

    /// Returns the paste into the window that is active before the terminal of this command.
    package static func intoPreviousWindow(in session: Session) throws(Failure) -> PasteStep {
        try PasteStep(session, .afterEnd, into: nil)
    }

    /// Types the keys to paste, after the copy.
    ///
    /// - Parameter copyToPrimary: Copies the entry to PRIMARY, for a program that pastes that.
    package func perform(copyToPrimary: () throws(Failure) -> Void) throws(Failure) {
        let found = target ?? Result { () throws(Failure) in try PasteTarget.findPrevious(for: session) }
        do throws(Failure) {
            let target = try found.get()
            if target.keys.pastesPrimary { try copyToPrimary() }
            switch time {
            case .now: try target.paste()
            case .afterEnd: try PasteHelper.start(pastingInto: target.window, in: session)
            }
        } catch {
            let keys = (try? found.get())?.keys.description ?? PasteKeys.controlV.description
            throw Failure(
                .broken, "the entry is copied, and not pasted, because \(error.message); press \(keys) to paste it")
        }
    }
}
