/// How many clients each process has.
struct ClientCensus {
    private var processes: [Int32: Int] = [:]

    func count(of process: Int32) -> Int { processes[process] ?? 0 }

    /// The most that any process has.
    var most: Int { processes.values.max() ?? 0 }

    mutating func add(_ process: Int32) { processes[process, default: 0] += 1 }

    mutating func remove(_ process: Int32) {
        let left = count(of: process) - 1
        processes[process] = left > 0 ? left : nil
    }
}
