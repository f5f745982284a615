/// Work in the order in which it came. Handling a piece may bring more, which is handled behind the rest.
///
/// Taking a piece costs the same however many there are, which it does not where an array's first is removed.
struct Backlog<Element> {
    private var elements: [Element?] = []
    /// How many of them were taken.
    private var taken = 0

    var isEmpty: Bool { taken == elements.count }

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    mutating func append(contentsOf others: [Element]) {
        elements += others
    }

    /// Takes the oldest; nil if there is none.
    mutating func next() -> Element? {
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
