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
    /// At most so many representations on one pasteboard: each may cost the X server atoms, which are never freed.
    package static let mostRepresentations = 1_024

    package var items: [Item]

    package init(items: [Item] = []) {
        self.items = items
    }

    package var isEmpty: Bool { items.isEmpty }

    /// The number of representations of all items.
    package var representationCount: Int { items.reduce(0) { $0 + $1.representations.count } }

    /// The types of all items, each once, in the order in which they come.
    package var types: [UniformType] {
        var seen: Set<UniformType> = []
        return items.flatMap(\.representations).map(\.type).filter { seen.insert($0).inserted }
    }
}
