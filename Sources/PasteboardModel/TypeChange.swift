package import UniformTypes

/// What observers are told of the types: those that came and those that went, each once and in the order of their lists.
package struct TypeChange: Equatable, Sendable {
    package let added: [UniformType]
    package let removed: [UniformType]

    package init(from former: [UniformType], to present: [UniformType]) {
        added = Self.types(of: present, notIn: former)
        removed = Self.types(of: former, notIn: present)
    }

    /// Only contents changed, if anything did.
    package var isEmpty: Bool { added.isEmpty && removed.isEmpty }

    private static func types(of list: [UniformType], notIn other: [UniformType]) -> [UniformType] {
        var seen = Set(other)
        return list.filter { seen.insert($0).inserted }
    }
}
