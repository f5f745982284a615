package import UniformTypes

/// One thing in all its forms, the richest first.
package struct Item: Equatable, Sendable {
    package var representations: [Representation]

    package init(representations: [Representation]) {
        self.representations = representations
    }

    /// Each once, in order.
    package var types: [UniformType] { Contents(items: [self]).types }
}

/// What a pasteboard holds: items in order.
package struct Contents: Equatable, Sendable {
    /// At most so many representations on one pasteboard.
    package static let mostRepresentations = 65_536
    /// At most so many different names on one pasteboard: each may cost the X server atoms, which are never freed.
    package static let mostNames = 1_024

    package var items: [Item]

    package init(items: [Item] = []) {
        self.items = items
    }

    package var isEmpty: Bool { items.isEmpty }

    /// The number of representations of all items.
    package var representationCount: Int { items.reduce(0) { $0 + $1.representations.count } }

    /// The number of different targets and, of those that have none, types.
    package var nameCount: Int {
        var names: Set<[UInt8]> = []
        for representation in items.lazy.flatMap(\.representations) {
            names.insert(Array((representation.target ?? representation.type.identifier).utf8))
        }
        return names.count
    }

    /// The types of all items, each once, in the order in which they come.
    package var types: [UniformType] {
        var seen: Set<UniformType> = []
        return items.flatMap(\.representations).map(\.type).filter { seen.insert($0).inserted }
    }
}
