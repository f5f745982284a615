import ArgumentParser
package import CommandCore
import LinuxSystem

/// The option of a command that also pastes what it copies.
package struct PasteFlags: ParsableArguments {
    @Flag(name: .customLong("paste"), help: "Also paste into the window that is active when the command starts (X11).")
    package var isGiven = false

    package init() {}

    /// Finds the window to paste into, before the user chooses; nil without the option.
    ///
    /// A failure is reported after the copy, which it does not prevent.
    package func step(in session: Session) throws(Failure) -> PasteStep? {
        guard isGiven else { return nil }
        guard session.common.pasteboards.isEmpty else {
            throw .usage("programs paste general, so --paste and -p exclude each other")
        }
        // The server may end.
        Signal.ignore(.brokenPipe)
        return PasteStep(target: Result { () throws(Failure) in try PasteTarget.find(for: session) })
    }
}

/// The paste that follows a copy.
package struct PasteStep {
    let target: Result<PasteTarget, Failure>

    /// Types the keys to paste, after the copy.
    ///
    /// - Parameter copyToPrimary: Copies the entry to PRIMARY, for a program that pastes that.
    package func perform(copyToPrimary: () throws(Failure) -> Void) throws(Failure) {
        do throws(Failure) {
            let target = try target.get()
            if target.keys.pastesPrimary { try copyToPrimary() }
            try target.paste()
        } catch {
            let keys = (try? target.get())?.keys.description ?? PasteKeys.controlV.description
            throw Failure(
                .broken, "the entry is copied, and not pasted, because \(error.message); press \(keys) to paste it")
        }
    }
}
