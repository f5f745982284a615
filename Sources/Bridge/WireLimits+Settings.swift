import Configuration
import PasteboardWire

extension WireLimits {
    /// These as the user set them.
    func set(by limits: Configuration.Limits) -> WireLimits {
        var result = self
        result.messageBytes = limits.message
        // Several of the longest answers.
        result.unsentBytes = max(unsentBytes, 2 * limits.message)
        result.watchQueueBytes = limits.watchQueue
        result.handles = limits.handles
        return result
    }
}
