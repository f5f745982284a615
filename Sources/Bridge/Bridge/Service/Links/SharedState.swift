import PasteboardModel

/// The state of contents as links to other machines need to know it.
extension PasteboardState {
    /// True for contents that are not for other machines: secret or local ones, and those for one paste. Contents of a
    /// program that marks them as secret show that by their types.
    var isWithheld: Bool {
        guard let version else { return false }
        return version.isSecret || version.isLocalOnly || version.options.once
    }

    /// True for contents with promises that can no longer be kept.
    var isIncomplete: Bool { version?.promises.contains(where: \.isBroken) ?? false }
}

extension Service {
    /// Notifies links of contents whose promises were broken.
    func promisesBroke() {
        for pasteboard in registry.all where pasteboard.isIncomplete { notifier.sharedStateChanged(pasteboard) }
    }
}
