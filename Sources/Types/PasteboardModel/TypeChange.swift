package import UniformTypes

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
