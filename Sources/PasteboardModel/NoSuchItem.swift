/// An item was asked for that is not there.
package struct NoSuchItem: Error, Equatable, Sendable {
    /// The number that was asked for, counted from 0.
    package let item: Int
    /// How many items there are.
    package let count: Int

    package init(item: Int, count: Int) {
        self.item = item
        self.count = count
    }

    /// A sentence without a full stop.
    package var message: String {
        "there is no item \(item): there \(count == 1 ? "is 1 item" : "are \(count) items"), counted from 0"
    }
}
