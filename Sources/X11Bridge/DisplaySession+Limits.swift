package import Configuration
package import SelectionProtocol
import X11Display

/// What one display may spend on others.
extension DisplaySession {
    package var limits: TransferLimits { server.limits }

    package func keep(to limits: Configuration.Limits) {
        let own = TransferLimits(limits, on: display)
        server.limits = own
        fetcher.limits = own
        display.atomLimit = limits.atoms
        display.longestName = limits.typeName
    }

    /// What is sent and what is received count together.
    func shareQuota() {
        server.elsewhere = { [unowned fetcher, bytes] in
            .init(transfers: fetcher.quotaTransfers, bytes: bytes.uploaded)
        }
        server.endElsewhere = { [unowned fetcher] in fetcher.end($0) }
        fetcher.elsewhere = { [unowned server, bytes] in
            .init(transfers: server.quotaTransfers, bytes: bytes.uploaded)
        }
        fetcher.endElsewhere = { [unowned server] in server.end($0) }
    }

    /// What is held for transfers with peers, in bytes.
    package var heldBytes: Int {
        guard transferCount > 0 else { return 0 }
        return TransferQuota(limits).held(by: server.quotaTransfers + fetcher.quotaTransfers)
    }
}
