package import Configuration
package import SelectionProtocol
import X11Display

/// What one display may spend on others.
extension DisplaySession {
    package var limits: TransferLimits { ownerDriver.limits }

    package func keep(to limits: Configuration.Limits) {
        let own = TransferLimits(limits, on: display)
        ownerDriver.limits = own
        requestor.limits = own
        display.atomLimit = limits.atoms
        display.longestName = limits.typeName
    }

    /// What is sent and what is received count together.
    func shareQuota() {
        ownerDriver.elsewhere = { [unowned requestor, bytes] in
            .init(transfers: requestor.quotaTransfers, bytes: bytes.uploaded)
        }
        ownerDriver.endElsewhere = { [unowned requestor] in requestor.end($0) }
        requestor.elsewhere = { [unowned ownerDriver, bytes] in
            .init(transfers: ownerDriver.quotaTransfers, bytes: bytes.uploaded)
        }
        requestor.endElsewhere = { [unowned ownerDriver] in ownerDriver.end($0) }
    }

    /// What is held for transfers with peers, in bytes.
    package var heldBytes: Int {
        guard transferCount > 0 else { return 0 }
        return TransferQuota(limits).held(by: ownerDriver.quotaTransfers + requestor.quotaTransfers)
    }
}
