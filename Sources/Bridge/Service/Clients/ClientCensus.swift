/// How many clients each process has.
struct ClientCensus {
    private var processes: [Int32: Int] = [:]

    func count(of process: Int32) -> Int { processes[process] ?? 0 }

    /// The process that has the most, and how many.
    var biggest: (process: Int32, count: Int)? {
        processes.max { ($0.value, $1.key) < ($1.value, $0.key) }.map { ($0.key, $0.value) }
    }

    /// The processes that have more than an equal part of so many clients, once `newcomer` has one, too: those that
    /// have the most first. Where there are as many clients as may be, there always is one.
    func beyondShare(of limit: Int, with newcomer: Int32) -> [Int32] {
        let programs = processes.count + (processes[newcomer] == nil ? 1 : 0)
        return processes.filter { $0.value + ($0.key == newcomer ? 1 : 0) > limit / programs }
            .sorted { ($0.value, $1.key) > ($1.value, $0.key) }.map(\.key)
    }

    mutating func add(_ process: Int32) { processes[process, default: 0] += 1 }

    mutating func remove(_ process: Int32) {
        let left = count(of: process) - 1
        processes[process] = left > 0 ? left : nil
    }
}
