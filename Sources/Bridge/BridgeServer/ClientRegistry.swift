import LinuxSystem
import PasteboardWire

/// The connected clients.
struct ClientRegistry {
    private var clients: [ObjectIdentifier: CallSession] = [:]
    /// The number of clients of each process.
    private var processes = ProcessCounts()

    var count: Int { clients.count }
    var all: [CallSession] { Array(clients.values) }

    func count(of process: Int32) -> Int { processes[process] }

    mutating func add(_ client: CallSession) {
        guard clients.updateValue(client, forKey: ObjectIdentifier(client)) == nil else { return }
        processes.add(1, of: client.process)
    }

    mutating func remove(_ client: CallSession) {
        guard clients.removeValue(forKey: ObjectIdentifier(client)) != nil else { return }
        processes.add(-1, of: client.process)
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
        for process in processes.beyondShare(of: limit, with: newcomer) where process != own {
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
            count: count, biggest: processes.biggest, handles: clients.values.lazy.map(\.transfers.count).max() ?? 0,
            watchQueue: clients.values.lazy.map(\.watchQueue).max() ?? 0)
    }

    /// Returns the error for a client that is refused because the limit is reached.
    ///
    /// - Parameter setting: The setting to raise; nil if the limit is not a setting.
    func limitReached(setting: String?) -> BridgeError {
        let biggest = processes.biggest.map { process, count in
            ": process \(process)\(ProcessName.of(process).map { " (\($0))" } ?? "") has the most of them, \(count)"
        }
        let advice = "end it\(setting.map { ", or raise \($0)" } ?? "")"
        return BridgeError(
            .refused, "the limit of \(count) connected clients is reached\(biggest ?? ""); \(advice)")
    }
}
