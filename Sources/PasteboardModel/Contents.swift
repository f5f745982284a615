package import UniformTypes

/// One form of an item: its type, and where its bytes are.
package struct Representation: Equatable, Sendable {
    package var type: UniformType
    /// The X11 target or MIME type it was written or seen under, capitals and parameters included.
    package var target: String?
    /// Offered under its target alone.
    package var exact: Bool
    /// Index of the blob that has the bytes.
    package var source: Int
    /// Where in the blob they are; nil for what was promised, which is the whole of it.
    package var range: Range<Int>?

    package init(
        type: UniformType, target: String? = nil, exact: Bool = false, source: Int = 0, range: Range<Int>? = nil
    ) {
        self.type = type
        self.target = target
        self.exact = exact
        self.source = source
        self.range = range
    }
}

/// One thing in all its forms, the richest first.
package struct Item: Equatable, Sendable {
    package var representations: [Representation]

    package init(representations: [Representation]) {
        self.representations = representations
    }
}

/// What a pasteboard holds: items in order.
package struct Contents: Equatable, Sendable {
    package var items: [Item]

    package init(items: [Item] = []) {
        self.items = items
    }

    package var isEmpty: Bool { items.isEmpty }

    /// The types of all items, each once, in the order in which they come.
    package var types: [UniformType] {
        var seen: Set<UniformType> = []
        return items.flatMap(\.representations).map(\.type).filter { seen.insert($0).inserted }
    }

    /// These items, then those of `other`, whose blobs come behind the first `sources` blobs.
    package func appending(_ other: Contents, after sources: Int) -> Contents {
        var appended = other.items
        for item in appended.indices {
            for representation in appended[item].representations.indices {
                appended[item].representations[representation].source += sources
            }
        }
        return Contents(items: items + appended)
    }
}
