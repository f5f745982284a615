/// The state of the bridge between its start and its end.
package final class BridgeLifetime {
    /// True once the bridge is leaving. Nothing new is written then.
    package var isLeaving = false
}
