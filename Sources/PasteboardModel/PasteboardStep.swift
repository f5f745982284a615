/// One step of a pasteboard's count, as its observers are told: a change of its contents or of its owner, or its end.
package struct PasteboardStep: Equatable, Sendable {
    package let name: PasteboardName
    /// The count after the step.
    package let count: Int
    /// Who holds the contents from now on.
    package let holder: HolderKind
    /// The pasteboard is gone.
    package let isRemoval: Bool

    package init(name: PasteboardName, count: Int, holder: HolderKind, isRemoval: Bool = false) {
        self.name = name
        self.count = count
        self.holder = holder
        self.isRemoval = isRemoval
    }
}

/// Who holds the contents of a pasteboard.
package enum HolderKind: Sendable {
    /// Nobody: it is empty.
    case nobody
    /// A client of the bridge.
    case client
    /// An owner of the X11 selection that is no client.
    case foreign
}
