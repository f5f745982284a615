import LinuxSystem
import PasteboardWire

/// The connected clients.
struct ClientRegistry {
    private var clients: [ObjectIdentifier: CallSession] = [:]
    private var counter = ClientCounter()

    var count: Int { clients.count }
    var all: [CallSession] { Array(clients.values) }

    func count(of process: Int32) -> Int { counter.count(of: process) }

    mutating func add(_ client: CallSession) {
        guard clients.updateValue(client, forKey: ObjectIdentifier(client)) == nil else { return }
        counter.add(client.process)
    }

    mutating func remove(_ client: CallSession) {
        guard clients.removeValue(forKey: ObjectIdentifier(client)) != nil else { return }
        counter.remove(client.process)
    }

    /// Returns the client to disconnect for a new client when the limit is reached; nil if there is no such client.
    /// Among the processes that exceed their share and have an idle client, the process with the most clients loses the
    /// idle client that was least recently used. That process connects again when it needs to.
    ///
    /// - Parameters:
    ///   - newcomer: The process that connects.
    ///   - own: The process of the bridge, whose clients are spared.
    func leastNeeded(
        limit: Int, newcomer: Int32, sparing own: Int32 = ThisProcess.processID
    ) -> CallSession? {
        for process in counter.beyondShare(of: limit, with: newcomer) where process != own {
            let idle = clients.values.filter { $0.process == process && $0.isIdle }
            let client = idle.sorted { $0.lastUse < $1.lastUse }.first { $0.handler?.isNeeded != true }
            if let client { return client }
        }
        return nil
    }

    /// Returns the client with the most received, unhandled bytes among the clients of a process.
    func fullest(of process: Int32) -> CallSession? {
        clients.values.filter { $0.process == process && $0.connection.incoming > 0 }
            .max { $0.connection.incoming < $1.connection.incoming }
    }

    var use: ClientUse {
        ClientUse(
            count: count, biggest: counter.biggest, handles: clients.values.lazy.map(\.transfers.count).max() ?? 0,
            watchQueue: clients.values.lazy.map(\.watchQueue).max() ?? 0)
    }

    /// Returns the error for a client that is refused because the limit is reached.
    ///
    /// - Parameter setting: The setting to raise; nil if the limit is not a setting.
    func limitReached(setting: String?) -> BridgeError {
        let biggest = counter.biggest.map { process, count in
            ": process \(process)\(ProcessName.of(process).map { " (\($0))" } ?? "") has the most of them, \(count)"
        }
        let advice = "end it\(setting.map { ", or raise \($0)" } ?? "")"
        return BridgeError(
            .refused, "the limit of \(count) connected clients is reached\(biggest ?? ""); \(advice)")
    }
}

/// The number of clients of each process.
package struct ClientCounter {
    private var processes: [Int32: Int] = [:]

    package init() {}

    package func count(of process: Int32) -> Int { processes[process] ?? 0 }

    /// The process with the most clients, and their number.
    package var biggest: (process: Int32, count: Int)? {
        processes.max { ($0.value, $1.key) < ($1.value, $0.key) }.map { ($0.key, $0.value) }
    }

    /// Returns the processes with more than an equal share of `limit` clients, largest first. The client that
    /// `newcomer` is about to get counts too. If the limit is reached, there is always such a process.
    package func beyondShare(of limit: Int, with newcomer: Int32) -> [Int32] {
        let programs = processes.count + (processes[newcomer] == nil ? 1 : 0)
        return processes.filter { $0.value + ($0.key == newcomer ? 1 : 0) > limit / programs }
            .sorted { ($0.value, $1.key) > ($1.value, $0.key) }.map(\.key)
    }

    package mutating func add(_ process: Int32) { processes[process, default: 0] += 1 }

    package mutating func remove(_ process: Int32) {
        let left = count(of: process) - 1
        processes[process] = left > 0 ? left : nil
    }
}
