package import UniformTypes

/// One step of a pasteboard's change count, as observers see it: a change of contents or of owner, or the removal.
package struct PasteboardStep: Equatable, Sendable {
    package let name: PasteboardName
    /// The count after the step.
    package let count: Int
    /// The kind of holder after the step.
    package let holder: HolderKind
    /// True for the removal of the pasteboard, which is its last step.
    package let isRemoval: Bool

    package init(name: PasteboardName, count: Int, holder: HolderKind, isRemoval: Bool = false) {
        self.name = name
        self.count = count
        self.holder = holder
        self.isRemoval = isRemoval
    }
}

package enum HolderKind: Sendable {
    /// No owner: the pasteboard is empty.
    case nobody
    case client
    /// An owner of the X11 selection that is not a client of the bridge.
    case foreign
}

/// The types that a step added to a pasteboard or removed from it, each once and in the order of its list, as in
/// `UIPasteboard.changedNotification`.
package struct TypeChange: Equatable, Sendable {
    package let added: [UniformType]
    package let removed: [UniformType]

    package init(from former: [UniformType], to present: [UniformType]) {
        added = Self.types(of: present, notIn: former)
        removed = Self.types(of: former, notIn: present)
    }

    private static func types(of list: [UniformType], notIn other: [UniformType]) -> [UniformType] {
        var seen = Set(other)
        return list.filter { seen.insert($0).inserted }
    }
}
