import LinuxSystem
import PasteboardWire

/// The clients that are connected.
struct ClientRegister {
    private var clients: [ObjectIdentifier: ClientSession] = [:]
    private var census = ClientCensus()

    var count: Int { clients.count }
    var all: [ClientSession] { Array(clients.values) }

    /// Of that process.
    func count(of process: Int32) -> Int { census.count(of: process) }

    mutating func add(_ client: ClientSession) {
        guard clients.updateValue(client, forKey: ObjectIdentifier(client)) == nil else { return }
        census.add(client.process)
    }

    mutating func remove(_ client: ClientSession) {
        guard clients.removeValue(forKey: ObjectIdentifier(client)) != nil else { return }
        census.remove(client.process)
    }

    /// The client that loses its place to a newcomer where all are taken: of the program that has the most of those
    /// with more than their share, the one that was used last the longest ago of those that neither ask for anything
    /// nor are owed anything. Its program connects anew when it needs to. Nil where there is none.
    ///
    /// - Parameters:
    ///   - newcomer: The process that connects.
    ///   - isNeeded: Whether something lives as long as that client, which ends with it.
    func leastNeeded(
        limit: Int, newcomer: Int32, sparing own: Int32 = ThisProcess.processID, isNeeded: (ClientSession) -> Bool
    ) -> ClientSession? {
        for process in census.beyondShare(of: limit, with: newcomer) where process != own {
            let idle = clients.values.filter { $0.process == process && $0.isIdle && !isNeeded($0) }
            if let client = idle.min(by: { $0.lastUse < $1.lastUse }) { return client }
        }
        return nil
    }

    /// The client of that process of which the most has come that is not taken.
    func fullest(of process: Int32) -> ClientSession? {
        clients.values.filter { $0.process == process && $0.connection.incoming > 0 }
            .max { $0.connection.incoming < $1.connection.incoming }
    }

    /// How much of the limits is in use.
    var use: ClientUse {
        ClientUse(
            count: count, biggest: census.biggest, handles: clients.values.lazy.map(\.transfers.count).max() ?? 0,
            watchQueue: clients.values.lazy.map(\.watchQueue).max() ?? 0)
    }

    /// For a newcomer for whom there is no place.
    ///
    /// - Parameter setting: What may be raised, where it is that.
    func full(setting: String?) -> BridgeError {
        let who = census.biggest.map { process, count in
            ": process \(process)\(ProcessName.of(process).map { " (\($0))" } ?? "") has the most of them, \(count)"
        }
        return BridgeError(
            .refused,
            "as many clients are connected as may be, \(count)\(who ?? ""); end it\(setting.map { ", or raise \($0)" } ?? "")"
        )
    }
}
