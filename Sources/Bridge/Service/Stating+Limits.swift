import Configuration
import LinuxSystem
import PasteboardWire
import SelectionProtocol

/// How much of the clients' limits is in use.
struct ClientUse: Sendable {
    /// Of the process that has the most.
    var biggest: (process: Int32, count: Int)?
    /// Of the client that has the most.
    var handles = 0
    /// Of the watcher that is the slowest, in bytes.
    var watchQueue = 0
}

extension Service {
    /// Each limit with its use, and how often it was in somebody's way. How old and how slow a transfer is that drips is
    /// no limit.
    func limits(_ traffic: DisplayTraffic) -> [WireLimit] {
        let limits = settings.configuration.limits
        let refusals = refusals.merging(traffic.refusals)
        let (use, clients) = (traffic.use, clientUse())
        let descriptors = DescriptorReserve.limit
        func limit(
            _ name: String, _ limit: Int, used: Int, _ reasons: Refusals.Reason..., ended: Int = 0,
            by process: Int32? = nil
        ) -> WireLimit {
            WireLimit(
                name: name, limit: limit, used: used, refused: reasons.reduce(0) { $0 + refusals.count(of: $1) },
                ended: ended, process: process.map(Int.init), program: process.flatMap(ProcessName.of))
        }
        func quota(_ quota: TransferQuota.Limit, _ value: Int, used: Int) -> WireLimit {
            limit(quota.key, value, used: used, quota.reason, ended: traffic.ended[quota] ?? 0)
        }
        return [
            quota(.transfers, limits.transfers, used: use.transfers),
            quota(.programTransfers, limits.programTransfers, used: use.programTransfers),
            quota(.bytes, limits.transferBytes, used: use.bytes),
            quota(.programBytes, limits.programBytes, used: use.programBytes),
            limit("limit-type-name", limits.typeName, used: 0, .typeName),
            limit("limit-atoms", limits.atoms, used: use.atoms, .atoms),
            limit(
                "limit-clients", limits.clients, used: clientCount(), .clients, ended: evictions,
                by: clients.biggest?.process),
            limit(
                "limit-program-clients", limits.programClients, used: clients.biggest?.count ?? 0, .programClients,
                by: clients.biggest?.process),
            limit("limit-message", limits.message, used: 0, .badMessage),
            limit(
                "limit-incoming", limits.incomingInForce, used: incoming.bytes, .incoming, by: incoming.biggest?.process
            ),
            limit(
                "limit-program-incoming", limits.programIncomingInForce, used: incoming.biggest?.bytes ?? 0,
                .programIncoming, by: incoming.biggest?.process),
            limit("limit-handles", limits.handles, used: clients.handles, .handles),
            limit("limit-program-handles", limits.programHandles, used: uploads.mostHandles, .programHandles),
            limit("limit-watch-queue", limits.watchQueue, used: clients.watchQueue, .slowWatcher),
            // Of the whole process. Connections may use the reserve.
            limit("descriptors", descriptors, used: min(DescriptorLimit.used, descriptors), .descriptors),
        ]
    }

    /// With the programs that have the connections, as far as they are known.
    func named(_ transfers: [WireTransfer]) -> [WireTransfer] {
        // Each is looked for once.
        var holders: [Int: ConnectionHolder] = [:]
        return transfers.map { transfer in
            guard let process = transfer.process else { return transfer }
            let holder = holders[process] ?? ConnectionHolder(openedBy: Int32(clamping: process))
            holders[process] = holder
            var transfer = transfer
            (transfer.process, transfer.program, transfer.ended) = (holder.process, holder.program, holder.ended)
            return transfer
        }
    }
}
