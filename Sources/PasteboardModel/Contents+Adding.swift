/// Writing to contents that are there. Blobs are told by their index, so those of what is added come behind the present
/// ones.
extension Contents {
    /// These items, then those of `other`, whose blobs come behind the first `sources` blobs.
    package func appending(_ other: Contents, after sources: Int) -> Contents {
        Contents(items: items + other.items.map { Item(representations: $0.representations.moved(by: sources)) })
    }

    /// With more forms of one item. Those of a type that the item has already stand in place of it; the others come last.
    ///
    /// - Parameters:
    ///   - item: Its number, counted from 0.
    ///   - sources: How many blobs there are. Those of `representations` come behind them.
    package func adding(
        _ representations: [Representation], into item: Int, after sources: Int
    ) throws(NoSuchItem) -> Contents {
        guard items.indices.contains(item) else { throw NoSuchItem(item: item, count: items.count) }
        let added = representations.moved(by: sources)
        let groups = Dictionary(grouping: added, by: \.type)
        // All of a type stand where the first of that type stood.
        var waiting = groups
        let present = items[item].representations.flatMap { old in
            groups[old.type] == nil ? [old] : waiting.removeValue(forKey: old.type) ?? []
        }
        var result = self
        result.items[item].representations = present + added.filter { waiting[$0.type] != nil }
        return result
    }

    /// The same contents without the blobs that nothing is a part of, and the indices of the blobs that stay, in order.
    package func withoutUnusedSources() -> (contents: Contents, sources: [Int]) {
        let used = Set(items.flatMap(\.representations).map(\.source)).sorted()
        var places: [Int: Int] = [:]
        for (place, source) in used.enumerated() { places[source] = place }
        var result = self
        for item in items.indices {
            for index in items[item].representations.indices {
                let source = items[item].representations[index].source
                result.items[item].representations[index].source = places[source] ?? source
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
