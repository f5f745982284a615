/// The time that the bridge has left.
package final class BridgeLifetime {
    /// Set once the bridge leaves: afterwards nothing new is written.
    package var isLeaving = false
}
