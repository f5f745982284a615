import ArgumentParser
package import CommandCore

/// The option of a command that also pastes what it copies.
package struct PasteFlags: ParsableArguments {
    @Flag(
        name: .customLong("paste"),
        help: "Also paste into the window that was active before (X11); elsewhere, say that it is up to you.")
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
        let target: Result<PasteTarget, Failure>
        do {
            target = .success(try PasteTarget.find(for: session))
        } catch {
            target = .failure(error)
        }
        return PasteStep(target: target)
    }
}

/// The paste that follows a copy.
package struct PasteStep {
    let target: Result<PasteTarget, Failure>

    /// True if the window's program pastes PRIMARY, so that the contents are copied there as well.
    package var pastesPrimary: Bool { (try? target.get())?.keys.pastesPrimary ?? false }

    package func perform() throws(Failure) {
        do throws(Failure) {
            try target.get().paste()
        } catch {
            throw Failure(
                error.status, "the entry is copied, and not pasted, because \(error.message); press Ctrl+V to paste it")
        }
    }
}
