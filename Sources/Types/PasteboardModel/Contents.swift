package import UniformTypes

/// The contents of a pasteboard: items in order, each with its representations.
///
/// The model is UIPasteboard's. A type belongs to a representation, the contents have the types of all their items, and
/// an item set names the items of a call. Bytes are not part of this value: each representation refers to a blob, by
/// the blob's index in a list that the owner of the contents holds separately.
package struct Contents: Equatable, Sendable {
    /// The limit on the representations of one pasteboard.
    package static let maxRepresentations = 65_536
    /// The limit on the different names on one pasteboard. Each name may become an atom of the X server, and atoms are
    /// never freed.
    package static let maxNames = 1_024

    package var items: [Item]

    package init(items: [Item] = []) {
        self.items = items
    }

    package var isEmpty: Bool { items.isEmpty }

    package var representationCount: Int { items.reduce(0) { $0 + $1.representations.count } }

    /// The different names: targets, and the type identifiers of representations without a target.
    package var names: Set<[UInt8]> {
        var names: Set<[UInt8]> = []
        for representation in items.lazy.flatMap(\.representations) {
            names.insert(Array((representation.target ?? representation.type.identifier).utf8))
        }
        return names
    }

    package var nameCount: Int { names.count }

    /// The types of all items, each once, in order of first appearance.
    package var types: [UniformType] {
        var seen: Set<UniformType> = []
        return items.flatMap(\.representations).map(\.type).filter { seen.insert($0).inserted }
    }
}

/// One copied thing in all its representations, richest first.
package struct Item: Equatable, Sendable {
    package var representations: [Representation]

    package init(representations: [Representation]) {
        self.representations = representations
    }

    /// The types of the representations, each once, in order.
    package var types: [UniformType] { Contents(items: [self]).types }
}

/// One representation of an item: its type, and the place of its bytes.
package struct Representation: Equatable, Sendable {
    package var type: UniformType
    /// The X11 target or MIME type under which the representation was written or seen, with its capitals and
    /// parameters.
    package var target: String?
    /// True if the representation is offered under its target only.
    package var exact: Bool
    /// The index of the blob with the bytes. Promises are in the list of blobs, too.
    package var source: Int
    /// The range of the bytes in the blob; nil if the bytes are promised, since the promise provides all of them.
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

    /// True if the bytes are promised: the writer provides them when they are first read.
    package var isPromised: Bool { range == nil }
}

/// The error of a call that names a missing item.
package struct NoSuchItem: Error, Equatable, Sendable {
    /// The item's number in the call, counted from 0.
    package let item: Int
    /// The number of items in the contents.
    package let count: Int

    package init(item: Int, count: Int) {
        self.item = item
        self.count = count
    }

    /// A sentence without a final period.
    package var message: String {
        "there is no item \(item): there \(count == 1 ? "is 1 item" : "are \(count) items"), counted from 0"
    }
}

// MARK: - Reading

/// Queries, with the meaning they have in UIPasteboard. An item set is a list of item numbers, counted from 0, in any
/// order; nil stands for all items.
extension Contents {
    /// Returns the item numbers of a set, in ascending order, each once.
    package func numbers(inItemSet set: [Int]?) throws(NoSuchItem) -> [Int] {
        guard let set else { return Array(items.indices) }
        if let missing = set.first(where: { !items.indices.contains($0) }) {
            throw NoSuchItem(item: missing, count: items.count)
        }
        return Set(set).sorted()
    }

    package func types(inItemSet set: [Int]?) throws(NoSuchItem) -> [[UniformType]] {
        try numbers(inItemSet: set).map { items[$0].types }
    }
}

// MARK: - Adding

/// Additions to the contents. Representations refer to blobs by index, so the blobs of added representations are
/// numbered after the present blobs.
extension Contents {
    /// Returns these items followed by those of `other`.
    ///
    /// - Parameter sources: The number of blobs that these contents have. The blobs of `other` follow them.
    package func appending(_ other: Contents, after sources: Int) -> Contents {
        Contents(items: items + other.items.map { Item(representations: $0.representations.moved(by: sources)) })
    }

    /// Returns the contents with more representations of one item. A representation whose type the item already has
    /// replaces the present representation in its place; other representations come last.
    ///
    /// - Parameters:
    ///   - item: The number of the item, counted from 0.
    ///   - sources: The number of blobs that these contents have. The blobs of `representations` follow them.
    package func adding(
        _ representations: [Representation], into item: Int, after sources: Int
    ) throws(NoSuchItem) -> Contents {
        guard items.indices.contains(item) else { throw NoSuchItem(item: item, count: items.count) }
        let added = representations.moved(by: sources)
        let groups = Dictionary(grouping: added, by: \.type)
        // All added representations of a type take the place of the first present representation of that type.
        var unplaced = groups
        let present = items[item].representations.flatMap { old in
            groups[old.type] == nil ? [old] : unplaced.removeValue(forKey: old.type) ?? []
        }
        var result = self
        result.items[item].representations = present + added.filter { unplaced[$0.type] != nil }
        return result
    }

    /// Returns the contents without the blobs that no representation refers to, and the previous indices of the blobs
    /// that remain, in order.
    package func withoutUnusedSources() -> (contents: Contents, sources: [Int]) {
        let used = Set(items.flatMap(\.representations).map(\.source)).sorted()
        var newIndex: [Int: Int] = [:]
        for (index, source) in used.enumerated() { newIndex[source] = index }
        var result = self
        for item in items.indices {
            for index in items[item].representations.indices {
                let source = items[item].representations[index].source
                result.items[item].representations[index].source = newIndex[source] ?? source
            }
        }
        return (result, used)
    }
}

extension [Representation] {
    fileprivate func moved(by sources: Int) -> [Representation] {
        map { representation in
            var moved = representation
            moved.source += sources
            return moved
        }
    }
}
