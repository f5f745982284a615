/// A queue of work. Handling a piece may add more pieces, which are handled after the rest.
///
/// Taking a piece takes constant time, unlike the removal of an array's first element.
package struct Backlog<Element> {
    private var elements: [Element?] = []
    /// The number of elements at the front that were taken.
    private var taken = 0

    package init() {}

    package mutating func append(_ element: Element) {
        elements.append(element)
    }

    package mutating func append(contentsOf others: [Element]) {
        elements += others
    }

    /// Removes and returns the oldest element; nil if there is none.
    package mutating func next() -> Element? {
        guard !isEmpty else { return nil }
        let element = elements[taken]
        elements[taken] = nil
        taken += 1
        // The rest moves only when at least as many elements were taken, so each element moves once on average.
        if taken >= elements.count - taken {
            elements.removeFirst(taken)
            taken = 0
        }
        return element
    }
}

/// The remaining elements, oldest first. Taking an element invalidates indices.
extension Backlog: RandomAccessCollection, MutableCollection {
    package var startIndex: Int { taken }
    package var endIndex: Int { elements.count }

    package subscript(position: Int) -> Element {
        get {
            guard let element = elements[position] else { preconditionFailure("the element was taken") }
            return element
        }
        _modify {
            guard var element = elements[position] else { preconditionFailure("the element was taken") }
            elements[position] = nil
            defer { elements[position] = element }
            yield &element
        }
    }
}
