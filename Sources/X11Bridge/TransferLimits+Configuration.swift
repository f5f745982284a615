import Configuration
import SelectionProtocol
import X11Display

extension TransferLimits {
    /// The user's figures, on that display.
    init(_ configured: Configuration.Limits, on display: XDisplay) {
        self.init(maximumRequest: display.maximumRequest)
        transfers = configured.transfers
        programTransfers = configured.programTransfers
        bytes = configured.transferBytes
        programBytes = configured.programBytes
        dripAge = .seconds(configured.dripAge)
        dripRate = configured.dripRate
        typeName = configured.typeName
        windowBits = display.windowBits
    }
}
