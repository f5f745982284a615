import PasteboardModel

/// The state of contents that links to other machines need to know.
extension PasteboardState {
    /// True for contents that are not for other machines: secrets, local contents, and contents for one paste. If
    /// another program marks its contents as secret, their types show that instead.
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
