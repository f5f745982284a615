import ArgumentParser
package import CommandCore
import LinuxSystem
package import SystemPackage

/// The option of a command that also pastes what it copies.
package struct PasteFlags: ParsableArguments {
    @Flag(name: .customLong("paste"), help: "Also paste into the window that is active when the command starts.")
    package var isGiven = false

    /// For a program that runs the command from its own window, and closes or hides that window.
    @Flag(help: .hidden)
    private var fromOwnWindow = false

    package init() {}

    /// Returns the paste into the window that is active now, before the user chooses; nil without the option.
    package func step(in session: Session) throws(Failure) -> PasteStep? {
        isGiven ? try PasteStep.intoActiveWindow(in: session, isFromOwnWindow: fromOwnWindow) : nil
    }
}

/// The paste that follows a copy to general.
package struct PasteStep {
    private enum Window {
        /// The window that was active when the command started. The keys are typed at once.
        case active(Result<any PasteTarget, Failure>)
        /// The window that was active before the command's terminal, which closes first.
        case previous
    }

    private let window: Window

    /// Returns the paste into the window that is active now.
    ///
    /// If there is none, that is reported after the copy, which it does not prevent.
    ///
    /// - Parameter isFromOwnWindow: True if a program runs this command from its own window.
    static func intoActiveWindow(in session: Session, isFromOwnWindow: Bool) throws(Failure) -> PasteStep {
        try prepare(session)
        let target = Result { () throws(Failure) in
            try PasteTargets.findActive(for: session, isFromOwnWindow: isFromOwnWindow)
        }
        return PasteStep(window: .active(target))
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

    /// Waits until the user has chosen, which makes a descriptor readable.
    package func awaitChoice(on input: FileDescriptor) {
        guard case .active(.success(let target)) = window else { return }
        // A failure is reported after the copy, which it does not prevent.
        try? target.handleEvents(untilReadable: input)
    }

    /// Types the keys to paste, after the copy.
    ///
    /// - Parameter copyToPrimary: Copies the entry to PRIMARY, for a program that pastes that.
    package func perform(in session: Session, copyToPrimary: () throws(Failure) -> Void) throws(Failure) {
        var keys = PasteKeys.controlV
        do throws(Failure) {
            switch window {
            case .active(let found):
                let target = try found.get()
                try target.awaitWindow()
                keys = target.keys
                if keys.pastesPrimary { try copyToPrimary() }
                try target.paste()
            case .previous:
                let (window, target) = try PasteTargets.findPrevious(for: session)
                if let target { keys = target.keys }
                if keys.pastesPrimary { try copyToPrimary() }
                try PasteHelper.start(pastingInto: window, in: session)
            }
        } catch {
            throw Failure(
                .broken,
                "the entry is copied, and not pasted, because \(error.message); press \(keys.description) to paste it")
        }
    }
}
