/// Work in the order in which it came. Handling a piece may bring more, which is handled behind the rest.
///
/// Taking a piece costs the same however many there are, which it does not where an array's first is removed.
package struct Backlog<Element> {
    private var elements: [Element?] = []
    /// How many of them were taken.
    private var taken = 0

    package init() {}

    package mutating func append(_ element: Element) {
        elements.append(element)
    }

    package mutating func append(contentsOf others: [Element]) {
        elements += others
    }

    /// Takes the oldest; nil if there is none.
    package mutating func next() -> Element? {
        guard !isEmpty else { return nil }
        let element = elements[taken]
        elements[taken] = nil
        taken += 1
        // What is left moves when at least as much was taken.
        if taken >= elements.count - taken {
            elements.removeFirst(taken)
            taken = 0
        }
        return element
    }
}

/// Those that are left, the oldest first. Taking one makes indices void.
extension Backlog: RandomAccessCollection, MutableCollection {
    package var startIndex: Int { taken }
    package var endIndex: Int { elements.count }

    package subscript(position: Int) -> Element {
        get {
            guard let element = elements[position] else { preconditionFailure("it was taken") }
            return element
        }
        _modify {
            guard var element = elements[position] else { preconditionFailure("it was taken") }
            elements[position] = nil
            defer { elements[position] = element }
            yield &element
        }
    }
}
