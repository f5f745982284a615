package import UniformTypes

/// Asking contents, as UIPasteboard is asked. A set of items is a list of their numbers, counted from 0, in any order; nil
/// stands for all items. A call without a set means the first item, where there is one.
extension Contents {
    /// Where a representation stands.
    package struct Place: Hashable, Sendable {
        package let item: Int
        /// Its index among those of the item.
        package let representation: Int

        package init(item: Int, representation: Int) {
            self.item = item
            self.representation = representation
        }
    }

    package subscript(place: Place) -> Representation { items[place.item].representations[place.representation] }

    /// The numbers of a set's items, ascending, each once.
    package func numbers(inItemSet set: [Int]?) throws(NoSuchItem) -> [Int] {
        guard let set else { return Array(items.indices) }
        if let missing = set.first(where: { !items.indices.contains($0) }) {
            throw NoSuchItem(item: missing, count: items.count)
        }
        return Set(set).sorted()
    }

    // MARK: Types

    /// The types of each item of a set.
    package func types(inItemSet set: [Int]?) throws(NoSuchItem) -> [[UniformType]] {
        try numbers(inItemSet: set).map { items[$0].types }
    }

    /// The items that have any of the types, exactly or by conformance.
    package func itemSet(withTypes wanted: [TypeQuery]) -> [Int] {
        items.indices.filter { place(answering: wanted, item: $0) != nil }
    }

    /// Whether any item of a set has any of the types, exactly or by conformance.
    package func contains(types wanted: [TypeQuery], inItemSet set: [Int]?) throws(NoSuchItem) -> Bool {
        try numbers(inItemSet: set).contains { place(answering: wanted, item: $0) != nil }
    }

    package func contains(types wanted: [TypeQuery]) -> Bool { place(answering: wanted) != nil }

    // MARK: Representations

    /// What each item of a set answers with: the first of the wanted types that it has, exactly or else by conformance.
    /// An item that has none leaves a hole.
    package func places(answering wanted: [TypeQuery], inItemSet set: [Int]?) throws(NoSuchItem) -> [Place?] {
        try numbers(inItemSet: set).map { place(answering: wanted, item: $0) }
    }

    package func place(answering wanted: [TypeQuery]) -> Place? {
        items.isEmpty ? nil : place(answering: wanted, item: 0)
    }

    private func place(answering wanted: [TypeQuery], item: Int) -> Place? {
        TypeQuery.best(of: items[item].representations.map { ($0.type, $0.target) }, for: wanted).map {
            Place(item: item, representation: $0)
        }
    }
}
