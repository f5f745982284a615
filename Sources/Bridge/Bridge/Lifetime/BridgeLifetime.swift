/// The state of the bridge between its start and its end.
package final class BridgeLifetime {
    /// True once the bridge leaves: afterwards nothing new is written.
    package var isLeaving = false
}
