import PasteboardModel

/// The state of contents as links to other machines need to know it.
extension PasteboardState {
    /// True for contents that are not for other machines: secret or local ones, and those for one paste. Contents of a
    /// program that marks them as secret show that by their types.
    package var isWithheld: Bool {
        guard let version else { return false }
        return version.isSecret || version.isLocalOnly || version.options.once
    }

    /// True for contents with promises that can no longer be kept.
    package var isIncomplete: Bool { version?.promises.contains(where: \.isBroken) ?? false }
}

extension PasteboardState.Version {
    /// True for contents that only the reader who pastes may see.
    package var isSecret: Bool { options.concealed || contents.marks.isSecret }
}
