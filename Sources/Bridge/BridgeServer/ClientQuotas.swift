package import Configuration
import LinuxSystem
package import PasteboardWire
import SelectionProtocol
package import X11Bridge

/// The clients' use of their limits.
package struct ClientUse: Sendable {
    var count = 0
    /// The process with the most clients.
    var biggest: (process: Int32, count: Int)?
    /// The number of handles of the client with the most handles.
    var handles = 0
    /// The unread bytes of the slowest watcher.
    var watchQueue = 0

    package init(count: Int = 0, biggest: (process: Int32, count: Int)? = nil, handles: Int = 0, watchQueue: Int = 0) {
        (self.count, self.biggest, self.handles, self.watchQueue) = (count, biggest, handles, watchQueue)
    }
}

/// The limits on clients, with their use and the refusals.
package final class ClientQuotas {
    /// The scheduler, which gives each program a share of a round of the loop.
    package var scheduler = FairScheduler()
    /// Refusals on the service thread.
    package var refusals = Refusals()
    /// The bytes that clients have sent and the bridge has not handled.
    package var inbound = InboundByteCounter()
    /// The number of idle clients that were disconnected for other clients.
    package var evictions = 0
    package let uploads: UploadQuota

    package init(limits: Configuration.Limits, bytes: TransferBytes) {
        uploads = UploadQuota(limits: limits, whole: bytes)
    }

    /// Returns each limit with its use and the number of refusals that it caused. `limit-drip-age` and
    /// `limit-drip-rate` are not listed: they say which transfers are slow. The use of a limit on single names or
    /// messages is 0.
    package func limits(_ limits: Configuration.Limits, _ clients: ClientUse, _ traffic: DisplayTraffic) -> [WireLimit]
    {
        let refusals = refusals.merging(traffic.refusals)
        let use = traffic.use
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
            limit(quota.key, value, used: used, quota.reason, ended: traffic.evicted[quota] ?? 0)
        }
        return [
            quota(.transfers, limits.transfers, used: use.transfers),
            quota(.programTransfers, limits.programTransfers, used: use.programTransfers),
            quota(.bytes, limits.transferBytes, used: use.bytes),
            quota(.programBytes, limits.programBytes, used: use.programBytes),
            limit("limit-type-name", limits.typeName, used: 0, .typeName),
            limit("limit-atoms", limits.atoms, used: use.atoms, .atoms),
            limit(
                "limit-clients", limits.clients, used: clients.count, .clients, ended: evictions,
                by: clients.biggest?.process),
            limit(
                "limit-program-clients", limits.programClients, used: clients.biggest?.count ?? 0, .programClients,
                by: clients.biggest?.process),
            limit("limit-message", limits.message, used: 0, .longMessage),
            limit(
                "limit-incoming", limits.incomingInForce, used: inbound.bytes, .incoming, by: inbound.biggest?.process),
            limit(
                "limit-program-incoming", limits.programIncomingInForce, used: inbound.biggest?.count ?? 0,
                .programIncoming, by: inbound.biggest?.process),
            limit("limit-handles", limits.handles, used: clients.handles, .handles),
            limit("limit-program-handles", limits.programHandles, used: uploads.maxHandles, .programHandles),
            limit("limit-watch-queue", limits.watchQueue, used: clients.watchQueue, .slowWatcher),
            // The descriptors of the whole process. Connections may use the reserve.
            limit("descriptors", descriptors, used: min(DescriptorLimit.used, descriptors), .descriptors),
        ]
    }
}
