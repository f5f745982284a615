/// A count for each process: of its connections, its handles or its bytes. A process whose count is 0 is forgotten.
package struct ProcessCounts {
    private var counts: [Int32: Int] = [:]

    package init() {}

    package subscript(process: Int32) -> Int { counts[process] ?? 0 }

    /// The process with the largest count, and the count.
    package var biggest: (process: Int32, count: Int)? {
        counts.max { ($0.value, $1.key) < ($1.value, $0.key) }.map { ($0.key, $0.value) }
    }

    /// Adds a number, which may be negative.
    package mutating func add(_ number: Int, of process: Int32) {
        let count = self[process] + number
        counts[process] = count > 0 ? count : nil
    }

    /// Returns the processes with more than an equal share of `limit`, largest first. The count that `newcomer` is to
    /// get is included. If the limit is reached, there is always such a process.
    package func beyondShare(of limit: Int, with newcomer: Int32) -> [Int32] {
        let programs = counts.count + (counts[newcomer] == nil ? 1 : 0)
        return counts.filter { $0.value + ($0.key == newcomer ? 1 : 0) > limit / programs }
            .sorted { ($0.value, $1.key) > ($1.value, $0.key) }.map(\.key)
    }
}
